import type { DealerScope } from "../access/decide.ts";
import type { Actor, Principal } from "../access/principal.ts";
import type { ScopedChange } from "../access/scoped-change.ts";
import type { Visibility } from "../access/visibility.ts";
import type { Timestamp } from "../clock.ts";
import type { Failure, Outcome } from "../failure.ts";
import type { ImageRepository } from "../images/image-repository.ts";
import type { Claim } from "../jobs/job.ts";
import type { FieldOwners } from "../settings/field-owners.ts";
import type { ComparedVehicle, Duplicates } from "../vehicles/duplicates.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import type { UNKNOWN_DEALER, VehicleRepository } from "../vehicles/vehicle-repository.ts";
import type { FilePosition, ScannedFile } from "./file/file.ts";
import type { FormerKeys } from "./former-keys.ts";
import type { ImportColumns } from "./headings/columns.ts";
import type {
  FetchedImages,
  Import,
  ImportCounts,
  ImportError,
  ImportFile,
  ImportOptions,
  ImportRow,
  ImportState,
  RowOutcome,
  StoredImportState,
} from "./import.ts";
import type { RowWarnings } from "./import-issue.ts";
import type { RowKey } from "./matching.ts";
import type { Base, NewBase } from "./merge.ts";
import type { CountedValue } from "./values/unknown-values.ts";
import type { Note } from "./values/values.ts";

/** What was done with the cells of a column, with the first case as an example. */
export interface CountedNote extends Note {
  readonly count: number;
}

/** The progress of an import. It contains all that another process needs to continue after the last batch. */
export interface ImportProgress {
  /** `check` only validates the rows, `apply` writes them, `missing` handles the missing vehicles. */
  readonly pass: "check" | "apply" | "missing";
  /** The position of the next row; `null` before the first one. */
  readonly position: FilePosition | null;
  /** The number of rows that were processed. */
  readonly done: number;
  readonly counts: ImportCounts;
  /** The number of rows without a readable key. If there are any, the missing vehicles cannot be known. */
  readonly unread: number;
  /** The number of rows about existing unsold vehicles. It is absent in progress that an earlier version stored. */
  readonly there?: number;
  /** The number of missing vehicles that somebody confirmed; `null` if nobody has. */
  readonly confirmed: number | null;
  /** True once the missing vehicles are stored, so that they can be handled. */
  readonly isListed: boolean;
  /** The bytes of the stored results. This and `keptCells` are absent in progress that an earlier version stored. */
  readonly kept?: number;
  /** The characters of the cells of failed rows that are stored. */
  readonly keptCells?: number;
  /** The lines of the first rows without a readable key. This and `notes` are absent in earlier progress. */
  readonly unreadLines?: readonly number[];
  /** What was done with cells, once for each column. */
  readonly notes?: readonly CountedNote[];
  /** What rows were warned of, by column and kind. It is absent in progress that an earlier version stored. */
  readonly rowWarnings?: readonly RowWarnings[];
  /** Values that the service does not know, with their numbers of rows. It is absent in earlier progress. */
  readonly unknownValues?: readonly CountedValue[];
}

/** A received file after its analysis: what it contains, and how to read it. */
export interface AnalyzedFile {
  readonly file: ImportFile;
  readonly found: ScannedFile;
  readonly columns: ImportColumns;
}

/** An import as it is processed. */
export interface StoredImport extends AnalyzedFile {
  readonly id: number;
  /** `null` if the file names the dealers. */
  readonly dealerId: number | null;
  /** The source that the file was fetched from; `null` if it was uploaded. */
  readonly sourceId: number | null;
  readonly state: StoredImportState;
  readonly options: ImportOptions;
  readonly progress: ImportProgress;
  /** How far the photos of its rows are fetched. */
  readonly images: FetchedImages;
  /** True if somebody has asked to stop it. */
  readonly stops: boolean;
  /** The person who asked for the import, and who therefore makes its changes. */
  readonly by: Actor;
  /** When it began; when it was made, if it has not begun. */
  readonly begunAt: Timestamp;
}

/** The result of a row, as it is stored. */
export interface StoredRow extends Omit<ImportRow, "kept"> {
  readonly kept?: ImportRow["kept"];
  /** The number of the row in the file. Missing vehicles have numbers after those of all rows. */
  readonly place: number;
  readonly dealerId: number | null;
  /** The key in the form in which keys are compared. */
  readonly compared: RowKey;
  /** True if its vehicle existed before the import and was unsold. */
  readonly wasThere?: boolean;
  /** The cells of a failed row, to be corrected and sent again; empty if they are not kept. */
  readonly cells?: readonly (string | number | null)[];
}

/** A row of the file with its errors, to be corrected and sent again. */
export type FailedRow = Pick<ImportRow, "line" | "errors"> & Required<Pick<StoredRow, "cells">>;

/** What is known about a row that was processed. */
export interface ProcessedRow extends RowKey {
  readonly outcome: RowOutcome;
  /** `null` if the dealer is unknown. */
  readonly dealer_id: number | null;
  readonly vehicle_id: number | null;
}

/** An image that a vehicle already has. */
export interface ExistingImage {
  readonly id: number;
  readonly address: string;
  readonly isPrimary: boolean;
}

/** What is read of rows' vehicles within their transaction. */
export interface RowReads {
  /** True if the dealer exists. It cannot be removed before the end of the step. */
  hasDealer(id: number): Promise<boolean>;
  /** The dealers with these codes, which are in folded form, by the code. */
  dealersWithCodes(folded: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** The dealer's vehicles with one of these VINs, stock numbers or ids, locked in the order of their ids. */
  vehiclesWith(
    dealerId: number,
    wanted: { readonly keys: readonly RowKey[]; readonly ids: readonly number[] },
  ): Promise<readonly Vehicle[]>;
  /** The duplicates of a vehicle that its dealer refuses, without the vehicle `except`. None can come in this step. */
  refusedDuplicates(vehicle: ComparedVehicle, except: number | null): Promise<Duplicates>;
  /** The images of vehicles, in their order. */
  imagesOf(vehicleIds: readonly number[]): Promise<ReadonlyMap<number, readonly ExistingImage[]>>;
  /** True if the dealer has the photo that a stored address names. It cannot be removed before the end of the step. */
  hasPhoto(dealerId: number, address: string): Promise<boolean>;
  /** The photos that the dealer has of addresses elsewhere: their stored addresses, by the addresses that were fetched. */
  photosOf(dealerId: number, addresses: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** What the last file of a source said of these vehicles of a dealer. */
  basesOf(
    source: string,
    wanted: { readonly dealerId: number; readonly vehicleIds: readonly number[] },
  ): Promise<ReadonlyMap<number, Base>>;
  /** What sold vehicles were sold for, for those of which somebody entered it. */
  soldPricesOf(vehicleIds: readonly number[]): Promise<ReadonlyMap<number, number>>;
}

/** A transaction in which rows are processed. Nothing but these methods may be awaited in it. */
export interface RowStep {
  readonly reads: RowReads;
  readonly vehicles: Pick<VehicleRepository, "find" | "insert" | "insertCompared" | "update" | "remove">;
  readonly images: Pick<ImageRepository, "change">;
  /** Stores what a file of a source says of vehicles, in place of what its last file said. */
  storeBases(source: string, bases: readonly NewBase[], now: Timestamp): Promise<void>;
}

/** Transactions for vehicles that are sent as the items of a request. */
export interface RowTransactions {
  /**
   * Returns a function that runs a step in its own transaction. A request runs several of them, one after the other.
   */
  begin(): <Result>(work: (step: RowStep) => Promise<Result>) => Promise<Result>;
}

/** What becomes of an import after a step: it goes on (`running`) with this progress, or it ends, or waits. */
export type ImportNext =
  | { readonly state: "running"; readonly progress: ImportProgress }
  | {
      readonly state: Exclude<ImportState, "running" | "queued">;
      /** The present progress if it is absent. */
      readonly progress?: ImportProgress;
      readonly error?: ImportError;
    };

/** An address of a vehicle's image that is to be fetched. */
export interface WaitingPhoto {
  /** The number of the row. */
  readonly place: number;
  readonly dealerId: number;
  readonly vehicleId: number;
  readonly address: string;
}

/** One transaction of an import. */
export interface ImportStep extends RowStep {
  /** The import as it is now. */
  readonly current: StoredImport;
  /** The person who asked for the import, with their present rights; `null` if they have no rights any more. */
  importer(): Promise<Principal | null>;
  /**
   * True if the import source or mapping exists for which files are compared, as the uploads of a dealer always do. It
   * cannot be deleted before the end of the step. This must be asked before vehicles are locked.
   */
  holdsSource(source: string): Promise<boolean>;
  /** The dealer's vehicles with these ids, locked in the order of their ids. */
  vehiclesOf(dealerId: number, ids: readonly number[]): Promise<readonly Vehicle[]>;
  /** The next missing vehicles after a place. */
  missingAfter(place: number): Promise<readonly { readonly place: number; readonly vehicleId: number }[]>;
  /** Removes some of the stored missing vehicles. Returns true if there may be more. */
  deleteMissing(): Promise<boolean>;
  /** Adds vehicles to the stored missing ones, of which there are `kept` already. */
  storeMissing(ids: readonly number[], kept: number): Promise<void>;
  /** Forgets what the last file said of the status of these vehicles, as this file does not contain them. */
  forgetStatusOf(source: string, ids: readonly number[]): Promise<void>;
  /**
   * Forgets the same of some sold vehicles of the dealer that this file does not contain. Returns true if there may be
   * more.
   */
  forgetStatusOfAbsent(source: string): Promise<boolean>;
  /**
   * Returns those of these missing vehicles that were also missing in the previous file of the source. Stores `ids` for
   * the comparison with the next file.
   */
  missingInBothFiles(ids: readonly number[]): Promise<readonly number[]>;
  /** Stores the results of rows, in place of earlier results of the same rows. Returns their bytes. */
  storeRows(rows: readonly StoredRow[]): Promise<number>;
  /** Has the photos at these addresses fetched once the rows are done. It is called once in a step. */
  fetchLater(photos: readonly WaitingPhoto[]): Promise<void>;
  /** Stores what becomes of the import. If it ends or waits, its job ends, which the audit log records. */
  become(next: ImportNext): Promise<void>;
}

/** A transaction in which failed rows of an import are mended. The import is locked. */
export interface MendingStep extends RowStep {
  readonly current: StoredImport;
  /** Whoever asked for the import, with their present rights; `null` if nobody has them any more. */
  importer(): Promise<Principal | null>;
  /** Those of these rows that have failed, by their numbers in the file, each with the bytes of its stored result. */
  failedRows(rows: readonly number[]): Promise<ReadonlyMap<number, FailedRow & { readonly bytes: number }>>;
  /** Stores the results of rows, in place of earlier results of the same rows. Returns their bytes. */
  storeRows(rows: readonly StoredRow[]): Promise<number>;
  /** Has the photos at these addresses fetched, if the import's rows are done. It is called once in a step. */
  fetchLater(photos: readonly WaitingPhoto[]): Promise<void>;
  /** Stores the progress of the import. */
  progressed(progress: ImportProgress): Promise<void>;
}

/** Transactions in which failed rows are mended. */
export interface RowMending {
  /** Runs a step; `null` if there is no such import in scope. */
  within<Result>(
    one: Pick<ScopedChange, "id" | "scope">,
    work: (step: MendingStep) => Promise<Result>,
  ): Promise<Result | null>;
}

/** What running an import needs from the database. */
export interface ImportWork {
  /** The import of a job; `null` if it has ended, or if another process has the job. */
  open(claim: Claim): Promise<StoredImport | null>;
  /** The rows that were processed in this pass. */
  processedRows(id: number, done: number): AsyncIterable<readonly ProcessedRow[]>;
  /**
   * The dealer's unsold vehicles that no row of a snapshot contains. If the file came from a source and the files were
   * compared, only those that were also missing in its previous file.
   */
  missing(stored: StoredImport): Promise<readonly number[]>;
  /** The owners of fields that the import's source has of its own. */
  fieldOwners(stored: StoredImport): Promise<FieldOwners>;
  /** The keys that the last file of a source had for vehicles which have others since. */
  formerKeys(stored: Pick<StoredImport, "dealerId">, source: string): Promise<readonly FormerKeys[]>;
  /** The uncompressed bytes of the file from this offset on, in chunks. */
  bytesFrom(id: number, offset: number): AsyncIterable<Uint8Array>;
  /** Runs one step in a transaction and renews the lease. Throws LeaseLost if another process has the job. */
  step<Result>(claim: Claim, work: (step: ImportStep) => Promise<Result>): Promise<Result>;
}

/** The result if the dealer already has the maximum number of waiting imports. */
export const TOO_MANY_WAITING = Symbol("too many imports are waiting");

/** An import that somebody wants to go on, which stays locked. */
export interface ResumableImport {
  readonly stored: StoredImport;
  /** True if its file is still stored. */
  readonly hasFile: boolean;
  /** The number of imports that wait in its queue. No other is added meanwhile. */
  readonly waiting: number;
}

/** An import that is queued again. */
export type ResumedImport = Pick<StoredImport, "options" | "progress">;

/**
 * What ends an import: a request to stop after the current batch, its end at once, its removal with rows and file, or
 * the end of fetching its photos.
 */
export type ImportEnding = "stop" | "cancel" | "remove" | "leave-photos";

/** What a reader of imports may see. */
interface ImportReader {
  readonly scope: DealerScope;
  readonly visibility: Visibility;
}

/** The position at which the next page of a list begins. */
export interface ListPosition {
  readonly id: number;
  readonly at: Timestamp;
}

/** A page of a list that is read with cursors. */
export interface CursorPage<Item, Position> {
  readonly items: readonly Item[];
  readonly total: number;
  /** The position of the next page; `null` if there is none. */
  readonly next: Position | null;
}

/** Stored imports. Methods with a scope put it into the WHERE of their statements. */
export interface ImportRepository {
  /** Creates an import whose file is still being received. It is not visible yet. Returns its id. */
  begin(arriving: {
    readonly dealerId: number | null;
    /** The source that the file is fetched from. */
    readonly sourceId: number | null;
    readonly options: ImportOptions;
    readonly progress: ImportProgress;
    readonly by: Actor;
    readonly now: Timestamp;
  }): Promise<number>;
  /** Stores a piece of the uncompressed file. Every piece except the last has PIECE_BYTES bytes. */
  addPiece(id: number, place: number, bytes: Uint8Array): Promise<void>;
  /** Queues an import, unless `most` imports of its dealer are waiting already. */
  queue(arrived: {
    readonly id: number;
    readonly file: AnalyzedFile;
    readonly now: Timestamp;
    readonly most: number;
  }): Promise<true | typeof TOO_MANY_WAITING | typeof UNKNOWN_DEALER>;
  /** True if the dealer exists. */
  hasDealer(id: number): Promise<boolean>;
  /** True if a dealer has this many imports waiting; `null` stands for imports whose files name the dealers. */
  hasWaiting(dealerId: number | null, most: number): Promise<boolean>;
  /** Removes an import whose file was not received. */
  discard(id: number): Promise<void>;
  find(id: number, reader: ImportReader): Promise<Import | null>;
  list(
    query: ImportReader & {
      readonly dealerId?: number;
      readonly state?: ImportState;
      readonly limit: number;
      readonly after: ListPosition | null;
    },
  ): Promise<CursorPage<Import, ListPosition>>;
  /** The rows of an import in the order of their places, beginning after the place `after`. */
  rows(query: {
    readonly id: number;
    readonly outcome?: RowOutcome;
    /** True for rows against which values of their vehicles stayed. */
    readonly isKept?: boolean;
    /** True to read the cells of failed rows, too. */
    readonly withCells?: boolean;
    readonly limit: number;
    readonly after: number | null;
  }): Promise<CursorPage<ImportRow & Pick<StoredRow, "cells">, number>>;
  /** The next few failed rows after a place. `last` is the place of the last one; it is `null` if no more follow. */
  failedRows(id: number, after: number): Promise<{ readonly rows: readonly FailedRow[]; readonly last: number | null }>;
  /** The import as it is processed; `null` if there is none in scope. */
  stored(id: number, scope: DealerScope): Promise<StoredImport | null>;
  /**
   * Queues an import again as `decide` says of its present state; `null` if there is none in scope. From then on, the
   * person who asks for it now makes its changes.
   */
  resume(
    one: Pick<ScopedChange, "id" | "scope" | "by">,
    decide: (present: ResumableImport) => Outcome<ResumedImport>,
  ): Promise<true | Failure | null>;
  /** Ends an import as `decide` says of its present state, which stays locked; `null` if there is none in scope. */
  end(
    one: Pick<ScopedChange, "id" | "scope" | "now">,
    decide: (stored: StoredImport) => Outcome<ImportEnding | null>,
  ): Promise<true | Failure | null>;
  /** Removes some of the data that is too old. Returns false if nothing was left to remove. */
  removeExpired(times: {
    readonly now: Timestamp;
    /** Files are removed if their upload began before this moment and never ended. */
    readonly abandoned: Timestamp;
    /** Imports are removed if they have been waiting for a confirmation since before this moment. */
    readonly unconfirmed: Timestamp;
    /** Rows are removed if their import ended before this moment. */
    readonly forgotten: Timestamp;
  }): Promise<boolean>;
}

/** The size of the pieces in which files are stored. */
export const PIECE_BYTES = 256 * 1024;
