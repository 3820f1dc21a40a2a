import { scopeOf } from "../access/decide.ts";
import type { Principal } from "../access/principal.ts";
import { missingVehiclesAreRemovedByThoseWhoMayDelete } from "../access/rules/missing-vehicles-are-removed-by-those-who-may-delete.ts";
import { useCase } from "../access/use-case.ts";
import type { Alarm, Clock } from "../clock.ts";
import { Failure, invalid, type Outcome } from "../failure.ts";
import type { SettingsRepository } from "../settings/settings-repository.ts";
import type { Storage } from "../storage.ts";
import { unknownDealer } from "../vehicles/vehicles.ts";
import { firstProgress } from "./after-step.ts";
import { type AnnouncedFile, type ArrivingTable, failureOfWorkbook, tableOpener } from "./arriving-table.ts";
import { decideReading } from "./decide-reading.ts";
import { plainHeadings } from "./errors-file.ts";
import { charsetNamed } from "./file/charset-decoder.ts";
import type { FileFault } from "./file/file.ts";
import { type FileScan, isFault, scanFile } from "./file/scan.ts";
import { columnsOf, type ImportColumns, type OwnColumns } from "./headings/columns.ts";
import { delimiterOf, type ImportOptions, type ImportQuery, optionsOf, ownColumnsIn } from "./import.ts";
import { type AnalyzedFile, type ImportRepository, PIECE_BYTES } from "./import-repository.ts";
import type { MappingRepository } from "./mapping-repository.ts";
import { TURN_MS } from "./rows.ts";
import { UploadSlots } from "./upload-slots.ts";
import { ownValuesIn, withOwnValues } from "./values/own-values.ts";
import { WorkbookRefused } from "./workbook/refused.ts";
import type { WorkbookReader } from "./workbook/workbook-reader.ts";

/** The maximum number of waiting imports of a dealer. */
export const MAX_WAITING = 10;
const RETRY_SECONDS = 30;
/** The number of bytes of a file that are read before other work may run. */
const BYTES_PER_TURN = 16 * 1024;
/** After so many pieces, the storage is looked at again: other files may arrive for the same dealer. */
const PIECES_PER_LOOK = 32;

/**
 * A file that is being received: its uncompressed bytes in chunks of any size, and the charset that the sender names, or
 * `null` to detect it.
 */
export interface Upload extends AnnouncedFile {
  readonly name: string | null;
  /** The source that the file was fetched from. */
  readonly sourceId?: number;
  /** The size and hash of the file as it was sent. Call it only after all of the file was read. */
  sent(): { readonly bytes: number; readonly sha256: string };
}

/** A file that a request is about to send. Nothing of it is read before `open`. */
export interface ArrivingUpload {
  /** Begins to read the file; `null` if it is refused, whose reason the opener knows. */
  open(): Promise<Upload | null>;
  /** Resolves if the sender goes away. */
  readonly gone?: Promise<unknown>;
}

/** An import whose file was received. It is not visible yet. */
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

interface Parts {
  readonly imports: Pick<ImportRepository, "hasDealer" | "hasWaiting" | "begin" | "addPiece" | "discard">;
  readonly storage: Pick<Storage, "refusal">;
  /** Why no photos are taken; `null` if they are. */
  readonly photosOff?: string | null;
  readonly mappings: Pick<MappingRepository, "find">;
  readonly clock: Clock;
  /** Ends the wait for a place. Without it, no file waits. */
  readonly alarm: Alarm | null;
  /** Reads workbooks; `null` if none is taken. */
  readonly workbooks: WorkbookReader | null;
  /** The installation's settings, which say what a file leaves open. */
  readonly settings: Pick<SettingsRepository, "read">;
  /** Lets other work run while a file is read. */
  readonly pause: () => Promise<void>;
}

const failureOf = (fault: FileFault): Failure =>
  new Failure(
    fault.code === "too_large"
      ? { kind: "file-too-large", reason: fault.message }
      : { kind: "file-unreadable", reason: fault.message },
  );

/** The failure if a dealer already has MAX_WAITING waiting imports. */
export const TOO_MANY = new Failure({
  kind: "too-many-jobs",
  reason: `${MAX_WAITING} imports of this dealer are waiting already; try again when one of them has begun`,
  retrySeconds: RETRY_SECONDS,
});

const TOO_MANY_ARRIVING = new Failure({
  kind: "too-many-jobs",
  reason: "As many files as may be sent at once are on their way; try again when one of them has arrived",
  retrySeconds: RETRY_SECONDS,
});

const DEALER_UNKNOWN = invalid({
  path: "dealer_id",
  message: "is required: the caller is not bound to a dealer, and the file has no column for it",
});

const DEALER_OF_SNAPSHOT = invalid({
  path: "dealer_id",
  message: "is required for a snapshot, which is the whole inventory of one dealer",
});

/** The failure if photos are to be fetched, but none are taken. */
export const photosOffFailure = (
  { fetch_images }: Pick<ImportQuery, "fetch_images">,
  photosOff: string | null,
): Failure | null =>
  fetch_images === true && photosOff !== null ? new Failure({ kind: "photos-off", reason: photosOff }) : null;

const withWarnings = (columns: ImportColumns, warnings: ImportColumns["warnings"]): ImportColumns => ({
  ...columns,
  warnings: [...warnings, ...columns.warnings],
});

const isColumns = (columns: ImportColumns | FileFault): columns is ImportColumns => "columns" in columns;

/** Refuses a file whose dealers are unknown: the import has no dealer, and the file has no column for it. */
const requireDealer = (dealerId: number | null, file: Outcome<AnalyzedFile>): Outcome<AnalyzedFile> => {
  if (file instanceof Failure) return file;
  const { columns } = file.columns;
  if (dealerId === null) return columns.some(({ field }) => field === "dealer_id") ? file : DEALER_UNKNOWN;
  // If the dealer is given, the column is not read. It may contain the codes of another system.
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

/** Receives the files of imports: stores them, and finds out how to read them. */
export const makeReception = (parts: Parts) => {
  const { imports, mappings, clock, storage, photosOff = null, alarm, workbooks, settings, pause } = parts;
  const arriving = new UploadSlots(alarm);
  const openTable = tableOpener(workbooks, TOO_MANY_ARRIVING);

  /** Scans a piece of a file in turns. */
  const scanInTurns = async (scan: FileScan, piece: Uint8Array): Promise<FileFault | null> => {
    let since = clock.steadyMs();
    for (let from = 0; from < piece.length; from += BYTES_PER_TURN) {
      const fault = scan.push(piece.subarray(from, from + BYTES_PER_TURN));
      if (fault !== null) return fault;
      if (clock.steadyMs() - since < TURN_MS) continue;
      await pause();
      since = clock.steadyMs();
    }
    return null;
  };

  /** What the columns contain and words mean according to the caller: a mapping of the dealer, overridden by `columns` and `values`. */
  const taughtIn = async (
    principal: Principal,
    { mapping: id, columns, values: sent }: ImportQuery,
    dealerId: number | null,
  ): Promise<Outcome<Required<Pick<ImportOptions, "columns" | "values">>>> => {
    const own = ownColumnsIn(columns);
    if (own instanceof Failure) return own;
    const values = ownValuesIn(sent);
    if (values instanceof Failure) return values;
    if (id === undefined) return { columns: own, values };
    const mapping = await mappings.find({ id, scope: scopeOf(principal) ?? dealerId });
    return mapping === null
      ? invalid({ path: "mapping", message: `must be a mapping of the dealer, and ${id} is none` })
      : { columns: { ...mapping.columns, ...own }, values: withOwnValues(mapping.values, values) };
  };

  /** Stores and scans a table while it is received. */
  const storeAndScan = async (
    { id, dealerId }: Pick<ReceivedImport, "id" | "dealerId">,
    { query, own }: ReadOptions,
    { table, upload }: { readonly table: ArrivingTable; readonly upload: Upload },
  ): Promise<Outcome<AnalyzedFile>> => {
    const { charset: named, delimiter } = query;
    const charset = named === undefined || table.format !== upload.format ? table.charset : charsetNamed(named);
    const scan = scanFile({
      format: table.format,
      ...(charset !== null && { charset }),
      ...(delimiter !== undefined && { delimiter: delimiterOf(delimiter) }),
      ...(query.heading_row !== undefined && { headingRow: query.heading_row }),
      own,
    });
    let index = 0;
    for await (const piece of inFixedPieces(table.pieces)) {
      const fault = await scanInTurns(scan, piece);
      if (fault !== null) return failureOf(fault);
      await imports.addPiece(id, index++, piece);
      const noRoom = index % PIECES_PER_LOOK === 0 ? await storage.refusal(dealerId) : null;
      if (noRoom !== null) return noRoom;
    }
    const scanned = scan.end();
    if (isFault(scanned)) return failureOf(scanned);
    const sheet = table.facts();
    const layout = sheet === null ? scanned : { ...scanned, above: sheet.above };
    const found = columnsOf(plainHeadings(layout), own, layout.contents);
    if (!isColumns(found)) return failureOf(found);
    const columns = decideReading(layout, withWarnings(found, sheet?.warnings ?? []), {
      mayCreate: query.mode !== "update",
      dateOrder: query.date_order ?? "auto",
      units: query.units ?? "convert",
      currency: query.currency ?? "check",
      settings: await settings.read(),
    });
    const { rows, charset: letters, delimiter: separator } = layout;
    const written = { rows, charset: letters, delimiter: separator, sheet: sheet?.sheet ?? null };
    return { file: { name: upload.name, ...upload.sent(), ...written }, found: layout, columns };
  };

  /** Receives the table of a file. */
  const receiveTable = async (
    begun: Pick<ReceivedImport, "id" | "dealerId">,
    options: ReadOptions,
    upload: Upload,
  ): Promise<Outcome<AnalyzedFile>> => {
    const table = await openTable(upload, options);
    if (table instanceof Failure) return table;
    try {
      return await storeAndScan(begun, options, { table, upload });
    } catch (error) {
      if (error instanceof WorkbookRefused) return failureOfWorkbook(error.fault);
      throw error;
    } finally {
      table.end();
    }
  };

  const uses = {
    /**
     * Receives a file. Nothing is imported before `start`. Where no photos are taken any more, a source's file is imported
     * without them.
     */
    async receive(principal: Principal, query: ImportQuery, upload: Upload): Promise<Outcome<ReceivedImport>> {
      const { fetch_images: _, ...plain } = query;
      const isOff = photosOff !== null && upload.sourceId !== undefined;
      const received = await uses.receiveArriving(principal, isOff ? plain : query, { open: async () => upload });
      if (received === null) throw new Error("an open file was refused");
      return received;
    },

    /** The same for a file that is opened once there is a place for it; `null` if its opener refuses it. */
    receiveArriving: useCase(
      "import.create",
      async (
        principal,
        query: ImportQuery,
        { open, gone }: ArrivingUpload,
      ): Promise<Outcome<ReceivedImport> | null> => {
        const dealerId = scopeOf(principal) ?? query.dealer_id ?? null;
        const taught = await taughtIn(principal, query, dealerId);
        if (taught instanceof Failure) return taught;
        const own = taught.columns;
        const options = optionsOf(query, own, taught.values);
        const lacking = missingVehiclesAreRemovedByThoseWhoMayDelete(principal, options);
        if (lacking !== null) return lacking;
        const off = photosOffFailure(options, photosOff);
        if (off !== null) return off;
        if (options.mode === "snapshot" && dealerId === null) return DEALER_OF_SNAPSHOT;
        if (dealerId !== null && !(await imports.hasDealer(dealerId))) return unknownDealer(dealerId);
        if (await imports.hasWaiting(dealerId, MAX_WAITING)) return TOO_MANY;
        const noRoom = await storage.refusal(dealerId);
        if (noRoom !== null) return noRoom;
        const reception = async (): Promise<Outcome<ReceivedImport> | null> => {
          const upload = await open();
          if (upload === null) return null;
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
            file = requireDealer(dealerId, await receiveTable({ id, dealerId }, { query, own }, upload));
            return file instanceof Failure ? file : { id, dealerId, options, file };
          } finally {
            if (file === null || file instanceof Failure) await imports.discard(id);
          }
        };
        return arriving.receive(principal, { full: TOO_MANY_ARRIVING, reception, gone });
      },
    ),
  };
  return uses;
};
