import { admit, scopeOf } from "../access/decide.ts";
import type { Operation } from "../access/policy.ts";
import type { Principal } from "../access/principal.ts";
import { missingVehiclesAreRemovedByThoseWhoMayDelete } from "../access/rules/missing-vehicles-are-removed-by-those-who-may-delete.ts";
import { visibilityOfAudit } from "../access/visibility.ts";
import type { Clock } from "../clock.ts";
import { Failure, invalid, notFound, type Outcome } from "../failure.ts";
import type { Slice } from "../long-items.ts";
import { unknownDealer } from "../vehicles/vehicles.ts";
import { charsetNamed } from "./file/charset-decoder.ts";
import type { Charset, FileFault, FileFormat } from "./file/file.ts";
import { isFault, scanFile } from "./file/scan.ts";
import { binaryKindOf } from "./file/signature.ts";
import { columnsOf, type ImportColumns, type OwnColumns } from "./headings/columns.ts";
import {
  confirmation,
  delimiterOf,
  type Import,
  type ImportListQuery,
  type ImportOptions,
  type ImportQuery,
  type ImportRow,
  type ImportRowsQuery,
  optionsOf,
  ownColumnsIn,
} from "./import.ts";
import {
  type AnalyzedFile,
  type CursorPage,
  type FailedRow,
  FILE_GONE,
  type ImportRepository,
  type ImportWork,
  type ListPosition,
  NOT_IN_STATE,
  PIECE_BYTES,
  TOO_MANY_WAITING,
} from "./import-repository.ts";
import type { MappingRepository } from "./mapping-repository.ts";
import { firstProgress } from "./run.ts";
import { UploadSlots } from "./upload-slots.ts";

/** The maximum number of waiting imports of a dealer. */
const MAX_WAITING = 10;
const RETRY_SECONDS = 30;
const HOUR_SECONDS = 60 * 60;
const DAY_SECONDS = 24 * HOUR_SECONDS;
const ROWS_DAYS = 30;
const CONFIRMATION_DAYS = 7;
/** The first bytes that tell binary files from text. */
const SIGNATURE_BYTES = 8;

/** A file that is being received. */
export interface Upload {
  readonly name: string | null;
  readonly format: FileFormat;
  /** As the sender names it; `null` to detect it. */
  readonly charset: Charset | null;
  /** Its uncompressed bytes, in chunks of any size. */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** The source that it was fetched from. */
  readonly sourceId?: number;
  /** The size and hash of what was sent, once all of it was read. */
  sent(): { readonly bytes: number; readonly sha256: string };
}

/** An import whose file was received, and which nobody sees yet. */
export interface ReceivedImport {
  readonly id: number;
  readonly dealerId: number | null;
  readonly options: Pick<ImportOptions, "mode" | "missing">;
  readonly file: AnalyzedFile;
}

/** How a file is to be read. */
interface ReadOptions {
  readonly query: ImportQuery;
  readonly own: OwnColumns;
}

/** How an import is resumed. */
interface Resumption extends Pick<Parameters<ImportRepository["resume"]>[0], "from" | "needsFile" | "change"> {
  readonly operation: Operation;
  /** The failure if the import is in another state. */
  readonly stateFault: string;
}

/** The failed rows of a file. */
export interface FailedRows {
  readonly headings: readonly string[];
  readonly total: number;
  /** Each must be read before the next one is taken. */
  readonly slices: Iterable<Slice<FailedRow>>;
}

interface Parts {
  readonly imports: ImportRepository;
  readonly mappings: Pick<MappingRepository, "find">;
  readonly work: Pick<ImportWork, "missing">;
  readonly clock: Clock;
  /** Tells the runner that there is work. */
  readonly nudge: () => void;
}

const failureOf = (fault: FileFault): Failure =>
  new Failure(
    fault.code === "too_large"
      ? { kind: "file-too-large", reason: fault.message }
      : { kind: "file-unreadable", reason: fault.message },
  );

const TOO_MANY = new Failure({
  kind: "too-many-jobs",
  reason: `${MAX_WAITING} imports of this dealer are waiting already; try again when one of them has begun`,
  retrySeconds: RETRY_SECONDS,
});

const TOO_MANY_ARRIVING = new Failure({
  kind: "too-many-jobs",
  reason: "As many files as may be sent at once are on their way; try again when one of them has arrived",
  retrySeconds: RETRY_SECONDS,
});

const DEALER_MISSING = invalid({
  path: "dealer_id",
  message: "is required, as this key is not bound to a dealer and the file has no column for it",
});

const DEALER_OF_SNAPSHOT = invalid({
  path: "dealer_id",
  message: "is required for a snapshot, which is the whole inventory of one dealer",
});

const FILE_NOT_KEPT = "The file is kept for 24 hours only; send it again";

/** Why a caller may not start the import: its rights may have changed since the upload began. */
const refusalOf = (caller: Principal, { dealerId, options }: ReceivedImport): Failure | null => {
  const scope = scopeOf(caller);
  return (
    admit(caller, "import.create") ??
    missingVehiclesAreRemovedByThoseWhoMayDelete(caller, options) ??
    (scope === null || scope === dealerId ? null : new Failure({ kind: "foreign", subject: "dealer" }))
  );
};

const isColumns = (columns: ImportColumns | FileFault): columns is ImportColumns => "columns" in columns;

/** The file, if its dealers are known: the caller's dealer, or else a column of the file. */
const requireDealer = (dealerId: number | null, file: Outcome<AnalyzedFile>): Outcome<AnalyzedFile> => {
  if (file instanceof Failure) return file;
  const { columns } = file.columns;
  if (dealerId === null) return columns.some(({ field }) => field === "dealer_id") ? file : DEALER_MISSING;
  // The column may contain codes of the system that made the file.
  const read = columns.map((column) => (column.field === "dealer_id" ? { ...column, field: null } : column));
  return { ...file, columns: { ...file.columns, columns: read } };
};

/** The bytes in pieces of one size; the last one may be shorter. */
async function* inFixedPieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const piece = new Uint8Array(PIECE_BYTES);
  let filled = 0;
  for await (const bytes of pieces)
    for (let from = 0; from < bytes.length; ) {
      const some = bytes.subarray(from, from + PIECE_BYTES - filled);
      piece.set(some, filled);
      filled += some.length;
      from += some.length;
      if (filled < PIECE_BYTES) continue;
      yield piece;
      filled = 0;
    }
  if (filled > 0) yield piece.subarray(0, filled);
}

/** Use cases of imports. Imports of another dealer do not exist for the caller. */
export const makeImports = ({ imports, mappings, work, clock, nudge }: Parts) => {
  const arriving = new UploadSlots();
  const readerOf = (principal: Principal) => ({
    scope: scopeOf(principal),
    visibility: visibilityOfAudit(principal),
  });

  /** The import, if the caller may do this with it. */
  const findAllowed = async (principal: Principal, operation: Operation, id: number): Promise<Outcome<Import>> => {
    const refused = admit(principal, operation);
    if (refused !== null) return refused;
    return (await imports.find(id, readerOf(principal))) ?? notFound("import", id);
  };

  /** What the caller says about the columns: a mapping of the dealer, and `columns`, which override it. */
  const columnsIn = async (
    principal: Principal,
    { mapping: id, columns }: ImportQuery,
    dealerId: number | null,
  ): Promise<Outcome<OwnColumns>> => {
    const own = ownColumnsIn(columns);
    if (id === undefined || own instanceof Failure) return own;
    const mapping = await mappings.find({ id, scope: scopeOf(principal) ?? dealerId });
    return mapping === null
      ? invalid({ path: "mapping", message: `must be a mapping of the dealer, and ${id} is none` })
      : { ...mapping.columns, ...own };
  };

  /** Stores and scans a file while it is received. */
  const storeAndScan = async (
    id: number,
    { query, own }: ReadOptions,
    upload: Upload,
  ): Promise<Outcome<AnalyzedFile>> => {
    const { charset: named, delimiter } = query;
    const charset = named === undefined ? upload.charset : charsetNamed(named);
    const scan = scanFile({
      format: upload.format,
      ...(charset !== null && { charset }),
      ...(delimiter !== undefined && { delimiter: delimiterOf(delimiter) }),
    });
    let index = 0;
    for await (const piece of inFixedPieces(upload.pieces)) {
      const binary = index === 0 ? binaryKindOf(piece.subarray(0, SIGNATURE_BYTES)) : null;
      if (binary !== null)
        return new Failure({
          kind: "file-unsupported",
          reason: `The file is ${binary}; open it in a spreadsheet and save it as CSV`,
        });
      const fault = scan.push(piece);
      if (fault !== null) return failureOf(fault);
      await imports.addPiece(id, index++, piece);
    }
    const layout = scan.end();
    if (isFault(layout)) return failureOf(layout);
    const columns = columnsOf(layout.heading, own);
    if (!isColumns(columns)) return failureOf(columns);
    const { rows, charset: letters, delimiter: separator } = layout;
    const file = { name: upload.name, ...upload.sent(), rows, charset: letters, delimiter: separator };
    return { file, found: layout, columns };
  };

  /** Resumes an import, if the caller may do what it does. */
  const resume = async (principal: Principal, id: number, resumption: Resumption): Promise<Outcome<Import>> => {
    const refused = admit(principal, resumption.operation);
    if (refused !== null) return refused;
    const scope = scopeOf(principal);
    const stored = await imports.stored(id, scope);
    if (stored === null) return notFound("import", id);
    const lacking = missingVehiclesAreRemovedByThoseWhoMayDelete(principal, stored.options);
    if (lacking !== null) return lacking;
    const { from, needsFile, change } = resumption;
    const resumed = await imports.resume({ id, scope, from, by: principal, most: MAX_WAITING, needsFile, change });
    if (resumed === null) return notFound("import", id);
    if (resumed === TOO_MANY_WAITING) return TOO_MANY;
    if (resumed !== true)
      return new Failure({
        kind: "import-state",
        reason: resumed === FILE_GONE ? FILE_NOT_KEPT : resumption.stateFault,
      });
    nudge();
    return findAllowed(principal, resumption.operation, id);
  };

  return {
    /** Receives a file. Nothing is imported before `start`. */
    async receive(principal: Principal, query: ImportQuery, upload: Upload): Promise<Outcome<ReceivedImport>> {
      const refused = admit(principal, "import.create");
      if (refused !== null) return refused;
      const dealerId = scopeOf(principal) ?? query.dealer_id ?? null;
      const own = await columnsIn(principal, query, dealerId);
      if (own instanceof Failure) return own;
      const options = optionsOf(query, own);
      const lacking = missingVehiclesAreRemovedByThoseWhoMayDelete(principal, options);
      if (lacking !== null) return lacking;
      if (options.mode === "snapshot" && dealerId === null) return DEALER_OF_SNAPSHOT;
      if (dealerId !== null && !(await imports.hasDealer(dealerId))) return unknownDealer(dealerId);
      if (await imports.hasWaiting(dealerId, MAX_WAITING)) return TOO_MANY;
      const reception = async (): Promise<Outcome<ReceivedImport>> => {
        const progress = firstProgress(options);
        const id = await imports.begin({
          dealerId,
          sourceId: upload.sourceId ?? null,
          options,
          progress,
          by: principal,
          now: clock.now(),
        });
        let file: Outcome<AnalyzedFile> | null = null;
        try {
          file = requireDealer(dealerId, await storeAndScan(id, { query, own }, upload));
          return file instanceof Failure ? file : { id, dealerId, options, file };
        } finally {
          if (file === null || file instanceof Failure) await imports.discard(id);
        }
      };
      return arriving.receive(principal, { full: TOO_MANY_ARRIVING, reception });
    },

    /** Queues a received import. */
    async start(principal: Principal, arrived: ReceivedImport): Promise<Outcome<Import>> {
      const { id, dealerId, file } = arrived;
      const refused = refusalOf(principal, arrived);
      if (refused !== null) {
        await imports.discard(id);
        return refused;
      }
      const queued = await imports.queue({ id, file, now: clock.now(), most: MAX_WAITING });
      if (queued !== true) {
        await imports.discard(id);
        return queued === TOO_MANY_WAITING ? TOO_MANY : unknownDealer(dealerId);
      }
      const made = await imports.find(id, readerOf(principal));
      nudge();
      return made ?? notFound("import", id);
    },

    async list(
      principal: Principal,
      query: ImportListQuery,
      after: ListPosition | null = null,
    ): Promise<Outcome<CursorPage<Import, ListPosition>>> {
      const refused = admit(principal, "import.list");
      if (refused !== null) return refused;
      const { dealer_id, state, limit = 100 } = query;
      return imports.list({
        ...readerOf(principal),
        ...(dealer_id !== undefined && { dealerId: dealer_id }),
        ...(state !== undefined && { state }),
        limit,
        after,
      });
    },

    get: (principal: Principal, id: number): Promise<Outcome<Import>> => findAllowed(principal, "import.read", id),

    /** The results of the file's rows, in its order; `after` is a place in it. */
    async rows(
      principal: Principal,
      id: number,
      { outcome, limit = 100, after = null }: Omit<ImportRowsQuery, "cursor"> & { readonly after?: number | null },
    ): Promise<Outcome<CursorPage<ImportRow, number>>> {
      const seen = await findAllowed(principal, "import.rows", id);
      if (seen instanceof Failure) return seen;
      return imports.rows({ id, limit, after, ...(outcome !== undefined && { outcome }) });
    },

    /** The headings of a file, and its failed rows in slices, to be corrected and sent again. */
    async failedRows(principal: Principal, id: number): Promise<Outcome<FailedRows>> {
      const seen = await findAllowed(principal, "import.errors", id);
      if (seen instanceof Failure) return seen;
      const slices = function* (): Generator<Slice<FailedRow>> {
        for (let after: number | null = 0; after !== null; )
          yield async () => {
            const { rows, last } = await imports.failedRows(id, after ?? 0);
            after = last;
            return rows;
          };
      };
      return { headings: seen.columns.map(({ heading }) => heading), total: seen.counts.failed, slices: slices() };
    },

    /** Runs a dry run for real, on the same bytes; continues a stopped import after its last batch. */
    run: (principal: Principal, id: number): Promise<Outcome<Import>> =>
      resume(principal, id, {
        operation: "import.run",
        from: ["previewed", "cancelled"],
        needsFile: true,
        stateFault: `Import ${id} was neither a dry run that is done nor stopped, so there is nothing to run`,
        change({ state, options, progress }) {
          if (state === "cancelled") return { options, progress };
          const real = { ...options, dry_run: false };
          return { options: real, progress: firstProgress(real) };
        },
      }),

    /** Confirms how many vehicles are missing in a snapshot; they are counted again. */
    async confirm(principal: Principal, id: number, input: unknown): Promise<Outcome<Import>> {
      const refused = admit(principal, "import.confirm");
      const body = confirmation.parse(input);
      if (refused !== null || body instanceof Failure) return refused ?? (body as Failure);
      const stored = await imports.stored(id, scopeOf(principal));
      const total = stored?.state === "needs_confirmation" ? (await work.missing(stored)).length : body.missing;
      if (total !== body.missing)
        return new Failure({ kind: "confirmation-stale", counted: "missing", expected: body.missing, total });
      return resume(principal, id, {
        operation: "import.confirm",
        from: ["needs_confirmation"],
        needsFile: false,
        stateFault: `Import ${id} does not wait for a confirmation`,
        change: ({ options, progress }) => ({ options, progress: { ...progress, confirmed: body.missing } }),
      });
    },

    /** Stops an import after its current batch, unless it ends earlier. Its changes stay. */
    async cancel(principal: Principal, id: number): Promise<Outcome<Import>> {
      const refused = admit(principal, "import.cancel");
      if (refused !== null) return refused;
      const isThere = await imports.cancel({ id, scope: scopeOf(principal), now: clock.now() });
      return isThere ? findAllowed(principal, "import.cancel", id) : notFound("import", id);
    },

    /** Removes an ended import with its file and its rows. Vehicles stay as they are. */
    async remove(principal: Principal, id: number): Promise<Outcome<true>> {
      const refused = admit(principal, "import.delete");
      if (refused !== null) return refused;
      const removed = await imports.remove({ id, scope: scopeOf(principal), now: clock.now() });
      if (removed === NOT_IN_STATE)
        return new Failure({ kind: "import-state", reason: `Import ${id} has not ended; stop it first` });
      return removed ?? notFound("import", id);
    },

    /** Removes data of imports that is too old. */
    async removeExpired(): Promise<void> {
      for (let isMore = true; isMore; )
        isMore = await imports.removeExpired({
          now: clock.now(),
          abandoned: clock.after(-HOUR_SECONDS),
          unconfirmed: clock.after(-CONFIRMATION_DAYS * DAY_SECONDS),
          forgotten: clock.after(-ROWS_DAYS * DAY_SECONDS),
        });
    },
  };
};

export type Imports = ReturnType<typeof makeImports>;
