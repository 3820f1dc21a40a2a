import { scopeOf } from "../access/decide.ts";
import type { Principal } from "../access/principal.ts";
import { missingVehiclesAreRemovedByThoseWhoMayDelete } from "../access/rules/missing-vehicles-are-removed-by-those-who-may-delete.ts";
import { type Caller, useCase } from "../access/use-case.ts";
import { visibilityOfAudit } from "../access/visibility.ts";
import type { Alarm, Clock } from "../clock.ts";
import { Failure, notFound, type Outcome } from "../failure.ts";
import type { Slice } from "../long-items.ts";
import type { SettingsRepository } from "../settings/settings-repository.ts";
import type { Storage } from "../storage.ts";
import { unknownDealer } from "../vehicles/vehicles.ts";
import { cellNamesOf } from "./cell-names.ts";
import {
  confirmation,
  type Import,
  type ImportListQuery,
  type ImportRow,
  type ImportRowsQuery,
  type RowWithCells,
} from "./import.ts";
import { importConfirmed, importRemoved, importRun, importStopped } from "./import-changes.ts";
import {
  type CursorPage,
  type FailedRow,
  type ImportRepository,
  type ImportWork,
  type ListPosition,
  type ResumableImport,
  type ResumedImport,
  type StoredRow,
  TOO_MANY_WAITING,
} from "./import-repository.ts";
import type { MappingRepository } from "./mapping-repository.ts";
import { MAX_WAITING, makeReception, type ReceivedImport, TOO_MANY } from "./reception.ts";
import { ABANDONED_AFTER_SECONDS, ROW_RETENTION_SECONDS, UNCONFIRMED_SECONDS } from "./retention.ts";
import type { WorkbookReader } from "./workbook/workbook-reader.ts";

/** The failed rows of a file. */
export interface FailedRows {
  /** How the file was written. */
  readonly file: Pick<Import["file"], "charset" | "delimiter">;
  readonly headings: readonly string[];
  readonly total: number;
  /** The rows in slices. Each slice must be read before the next one is requested. */
  readonly slices: Iterable<Slice<FailedRow>>;
}

interface Parts {
  readonly imports: ImportRepository;
  readonly mappings: Pick<MappingRepository, "find">;
  readonly work: Pick<ImportWork, "missing">;
  readonly clock: Clock;
  /** Tells the job runner that there is work. */
  readonly nudge: () => void;
  /** Starts the removal of what is no longer needed in the background. */
  readonly tidySoon: () => void;
  readonly storage: Storage;
  /** Why no photos are taken; `null` if they are. */
  readonly photosOff?: string | null;
  /** Ends the wait of files for a place. Without it, none waits. */
  readonly alarm: Alarm | null;
  /** Reads workbooks; `null` if none is taken. */
  readonly workbooks: WorkbookReader | null;
  readonly settings: Pick<SettingsRepository, "read">;
  /** Lets other work run while a file is read. */
  readonly pause: () => Promise<void>;
}

/** The reason why a caller may not start the import. Their rights may have changed since the upload began. */
const lackingRightOf = (caller: Principal, { dealerId, options }: ReceivedImport): Failure | null => {
  const scope = scopeOf(caller);
  return (
    missingVehiclesAreRemovedByThoseWhoMayDelete(caller, options) ??
    (scope === null || scope === dealerId ? null : new Failure({ kind: "foreign", subject: "dealer" }))
  );
};

/** The row with its cells by their names, if it has them. */
const withNames = ({ cells, ...row }: ImportRow & Pick<StoredRow, "cells">, names: readonly string[]): RowWithCells =>
  cells === undefined
    ? row
    : { ...row, cells: Object.fromEntries(names.map((name, place) => [name, cells[place] ?? null])) };

/** Use cases of imports. For a caller who is bound to a dealer, imports of other dealers do not exist. */
export const makeImports = (parts: Parts) => {
  const { imports, work, clock, nudge, tidySoon } = parts;
  const readerOf = (principal: Principal) => ({
    scope: scopeOf(principal),
    visibility: visibilityOfAudit(principal),
  });

  const find = async (principal: Principal, id: number): Promise<Outcome<Import>> =>
    (await imports.find(id, readerOf(principal))) ?? notFound("import", id);

  const resume = async (
    principal: Principal,
    id: number,
    decide: (present: ResumableImport) => Outcome<ResumedImport>,
  ): Promise<Outcome<Import>> => {
    const resumed = await imports.resume({ id, scope: scopeOf(principal), by: principal }, decide);
    if (resumed === null) return notFound("import", id);
    if (resumed instanceof Failure) return resumed;
    nudge();
    return find(principal, id);
  };

  const queue = useCase(
    "import.create",
    async (principal, arrived: ReceivedImport): Promise<Outcome<Import | null>> => {
      const { id, dealerId, file } = arrived;
      const lacking = lackingRightOf(principal, arrived);
      if (lacking !== null) return lacking;
      const queued = await imports.queue({ id, file, now: clock.now(), most: MAX_WAITING });
      if (queued !== true) return queued === TOO_MANY_WAITING ? TOO_MANY : unknownDealer(dealerId);
      const made = await imports.find(id, readerOf(principal));
      nudge();
      return made;
    },
  );

  return {
    ...makeReception(parts),

    /** Queues a received import. One that may not be made is discarded. */
    async start(caller: Caller, arrived: ReceivedImport): Promise<Outcome<Import>> {
      const made = await queue(caller, arrived);
      if (made instanceof Failure) await imports.discard(arrived.id);
      return made ?? notFound("import", arrived.id);
    },

    list: useCase(
      "import.list",
      async (
        principal,
        query: ImportListQuery,
        after: ListPosition | null = null,
      ): Promise<Outcome<CursorPage<Import, ListPosition>>> => {
        const { dealer_id, state, limit = 100 } = query;
        return imports.list({
          ...readerOf(principal),
          ...(dealer_id !== undefined && { dealerId: dealer_id }),
          ...(state !== undefined && { state }),
          limit,
          after,
        });
      },
    ),

    get: useCase("import.read", find),

    /** The results of the file's rows in their order, beginning after the place `after`. */
    rows: useCase(
      "import.rows",
      async (
        principal,
        id: number,
        {
          outcome,
          kept,
          cells: withCells = false,
          limit = 100,
          after = null,
        }: Omit<ImportRowsQuery, "cursor"> & { readonly after?: number | null },
      ): Promise<Outcome<CursorPage<RowWithCells, number>>> => {
        const seen = await find(principal, id);
        if (seen instanceof Failure) return seen;
        const isKept = kept === true || outcome === "kept";
        const wanted = outcome === undefined || outcome === "kept" ? {} : { outcome };
        const page = await imports.rows({ id, limit, after, withCells, ...wanted, ...(isKept && { isKept }) });
        const names = cellNamesOf(seen.columns);
        return { ...page, items: page.items.map((row) => withNames(row, names)) };
      },
    ),

    /** The headings of a file and its failed rows in slices, so that they can be corrected and sent again. */
    failedRows: useCase("import.errors", async (principal, id: number): Promise<Outcome<FailedRows>> => {
      const seen = await find(principal, id);
      if (seen instanceof Failure) return seen;
      const slices = function* (): Generator<Slice<FailedRow>> {
        for (let after: number | null = 0; after !== null; )
          yield async () => {
            const { rows, last } = await imports.failedRows(id, after ?? 0);
            after = last;
            return rows;
          };
      };
      const headings = seen.columns.map(({ heading }) => heading);
      return { file: seen.file, headings, total: seen.counts.failed, slices: slices() };
    }),

    /**
     * Makes the changes of a dry run, from the same stored file, or continues a stopped import after its last batch.
     */
    run: useCase(
      "import.run",
      (principal, id: number): Promise<Outcome<Import>> =>
        resume(principal, id, (present) => importRun(present, principal)),
    ),

    /** Confirms the number of missing vehicles of a snapshot. They are counted again before they are changed. */
    confirm: useCase("import.confirm", async (principal, id: number, input: unknown): Promise<Outcome<Import>> => {
      const body = confirmation.parse(input);
      if (body instanceof Failure) return body;
      const stored = await imports.stored(id, scopeOf(principal));
      const total = stored?.state === "needs_confirmation" ? (await work.missing(stored)).length : body.missing;
      if (total !== body.missing)
        return new Failure({ kind: "confirmation-stale", counted: "missing", expected: body.missing, total });
      return resume(principal, id, (present) => importConfirmed(present, principal, body.missing));
    }),

    /** Stops an import after its current batch, unless it ends before. The changes that were made are kept. */
    cancel: useCase("import.cancel", async (principal, id: number): Promise<Outcome<Import>> => {
      const ended = await imports.end({ id, scope: scopeOf(principal), now: clock.now() }, importStopped);
      return ended === null ? notFound("import", id) : find(principal, id);
    }),

    /** Removes an import that has ended, with its file and its rows. Vehicles are not changed. */
    remove: useCase("import.delete", async (principal, id: number): Promise<Outcome<true>> => {
      const removed = await imports.end({ id, scope: scopeOf(principal), now: clock.now() }, importRemoved);
      // The file counts towards the dealer's quota until it is gone.
      if (removed === true) tidySoon();
      return removed ?? notFound("import", id);
    }),

    /** Removes import data that is too old. */
    async removeExpired(): Promise<void> {
      for (let isMore = true; isMore; )
        isMore = await imports.removeExpired({
          now: clock.now(),
          abandoned: clock.after(-ABANDONED_AFTER_SECONDS),
          unconfirmed: clock.after(-UNCONFIRMED_SECONDS),
          forgotten: clock.after(-ROW_RETENTION_SECONDS),
        });
    },
  };
};

export type Imports = ReturnType<typeof makeImports>;
