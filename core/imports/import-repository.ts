import type { DealerScope } from "../access/decide.ts";
import type { Actor, Principal } from "../access/principal.ts";
import type { Visibility } from "../access/visibility.ts";
import type { Timestamp } from "../clock.ts";
import type { ImageRepository } from "../images/image-repository.ts";
import type { Claim } from "../jobs/job.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import type { UNKNOWN_DEALER, VehicleRepository } from "../vehicles/vehicle-repository.ts";
import type { FilePosition, ScannedFile } from "./file/file.ts";
import type { ImportColumns } from "./headings/columns.ts";
import type {
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
import type { RowKey } from "./matching.ts";

/** How far an import has come: all that another process needs to continue it after the last batch. */
export interface ImportProgress {
  /** `check` only validates the rows, `apply` writes them, `missing` handles the missing vehicles. */
  readonly pass: "check" | "apply" | "missing";
  /** Where the next row begins; `null` before the first one. */
  readonly position: FilePosition | null;
  /** How many rows were processed. */
  readonly done: number;
  readonly counts: ImportCounts;
  /** How many rows have no readable key: if any has none, nobody knows which vehicles are missing. */
  readonly unread: number;
  /** How many rows are about existing unsold vehicles; absent in progress that an earlier version stored. */
  readonly there?: number;
  /** How many missing vehicles somebody confirmed; `null` if nobody did. */
  readonly confirmed: number | null;
  /** True once the missing vehicles are stored, so that they can be handled. */
  readonly isListed: boolean;
}

/** A received file after its analysis: what it is, and how it is read. */
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
  /** True if somebody asked to stop it. */
  readonly stops: boolean;
  /** Who asked for it, and so makes its changes. */
  readonly by: Actor;
}

/** The result of a row, as it is stored. */
export interface StoredRow extends ImportRow {
  /** Its number in the file; missing vehicles get numbers after those of all rows. */
  readonly place: number;
  readonly dealerId: number | null;
  /** Its key in the form in which keys are compared. */
  readonly compared: RowKey;
  /** True if its vehicle existed before and was unsold. */
  readonly wasThere?: boolean;
  /** The cells of a failed row, to be corrected and sent again. */
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
}

/** One transaction in which rows are processed. It may await nothing but these methods. */
export interface RowStep {
  /** True if the dealer exists; it cannot be removed before the end of the step. */
  hasDealer(id: number): Promise<boolean>;
  /** The dealer's vehicles with one of these VINs, stock numbers or ids, locked in the order of their ids. */
  vehiclesWith(
    dealerId: number,
    wanted: { readonly keys: readonly RowKey[]; readonly ids: readonly number[] },
  ): Promise<readonly Vehicle[]>;
  readonly vehicles: Pick<VehicleRepository, "insert" | "update" | "remove">;
  /** The images of vehicles, in their order. */
  imagesOf(vehicleIds: readonly number[]): Promise<ReadonlyMap<number, readonly ExistingImage[]>>;
  readonly images: Pick<ImageRepository, "add" | "remove" | "reorder" | "update">;
}

/** Transactions for vehicles that are sent as the items of a request. */
export interface RowTransactions {
  /** Returns a function that runs a step in a transaction of its own; a request runs a few, one after the other. */
  begin(): <Result>(work: (step: RowStep) => Promise<Result>) => Promise<Result>;
}

/** One transaction of an import. */
export interface ImportStep extends RowStep {
  /** The import as it is now. */
  readonly current: StoredImport;
  /** Who asked for the import, with their present rights; `null` if they have none any more. */
  importer(): Promise<Principal | null>;
  /** The dealer's vehicles with these ids, locked in the order of their ids. */
  vehiclesOf(dealerId: number, ids: readonly number[]): Promise<readonly Vehicle[]>;
  /** The next missing vehicles behind a place. */
  missingAfter(place: number): Promise<readonly { readonly place: number; readonly vehicleId: number }[]>;
  /** Forgets some of the missing vehicles that are kept; true if there may be more. */
  deleteMissing(): Promise<boolean>;
  /** Keeps that these vehicles are missing, too, behind the `kept` ones before them. */
  storeMissing(ids: readonly number[], kept: number): Promise<void>;
  /**
   * Of the vehicles that the file of a source leaves out, those that its previous file left out, too. Stores `ids` for
   * the comparison with its next file.
   */
  missingInBothFiles(ids: readonly number[]): Promise<readonly number[]>;
  /** Stores the results of rows, in place of earlier results of the same rows. */
  storeRows(rows: readonly StoredRow[]): Promise<void>;
  save(progress: ImportProgress): Promise<void>;
  /** Ends the import, or lets it wait in this state: ends the job, and records it in the audit log. */
  end(state: ImportState, change?: { readonly progress?: ImportProgress; readonly error?: ImportError }): Promise<void>;
}

/** What running an import needs of the database. */
export interface ImportWork {
  /** The import of a job; `null` if it has ended, or if another process has the job. */
  open(claim: Claim): Promise<StoredImport | null>;
  /** The rows that were processed in this pass. */
  processedRows(id: number, done: number): AsyncIterable<readonly ProcessedRow[]>;
  /**
   * The dealer's unsold vehicles that no row of a snapshot names. If the file came from a source, only those that its
   * previous file left out, too, once the files were compared.
   */
  missing(stored: StoredImport): Promise<readonly number[]>;
  /** The uncompressed bytes of the file from this offset on, in chunks. */
  bytesFrom(id: number, offset: number): AsyncIterable<Uint8Array>;
  /** Runs one step, all or nothing, and renews the lease. Throws LeaseLost if another process has the job. */
  step<Result>(claim: Claim, work: (step: ImportStep) => Promise<Result>): Promise<Result>;
}

/** The dealer has the maximum number of waiting imports. */
export const TOO_MANY_WAITING = Symbol("too many imports are waiting");

/** The file is no longer stored. */
export const FILE_GONE = Symbol("the file is gone");

/** The state of the import does not allow this. */
export const NOT_IN_STATE = Symbol("not in a state for this");

/** What a reader of imports may see. */
interface ImportReader {
  readonly scope: DealerScope;
  readonly visibility: Visibility;
}

/** Where the next page of a list begins. */
export interface ListPosition {
  readonly id: number;
  readonly at: Timestamp;
}

/** A page of a list that is read by cursor. */
export interface CursorPage<Item, Position> {
  readonly items: readonly Item[];
  readonly total: number;
  /** Where the next page begins; `null` after the last item. */
  readonly next: Position | null;
}

/** Imports in the database. Methods with a scope put it into the WHERE of their statements. */
export interface ImportRepository {
  /** Creates an import whose file is being received, and which nobody sees yet; returns its id. */
  begin(arriving: {
    readonly dealerId: number | null;
    /** The source that the file is fetched from. */
    readonly sourceId: number | null;
    readonly options: ImportOptions;
    readonly progress: ImportProgress;
    readonly by: Actor;
    readonly now: Timestamp;
  }): Promise<number>;
  /** Adds a piece of the uncompressed file. All pieces but the last have PIECE_BYTES. */
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
  /** The rows of an import in the order of their places; `after` is a place. */
  rows(query: {
    readonly id: number;
    readonly outcome?: RowOutcome;
    readonly limit: number;
    readonly after: number | null;
  }): Promise<CursorPage<ImportRow, number>>;
  /** The next few failed rows after a place, and the last place; `last` is `null` if none follow. */
  failedRows(id: number, after: number): Promise<{ readonly rows: readonly FailedRow[]; readonly last: number | null }>;
  /** The import as it is processed; `null` if there is none in scope. */
  stored(id: number, scope: DealerScope): Promise<StoredImport | null>;
  /** Queues an import again that is in one of these states, in the name of whoever asks for it now. */
  resume(one: {
    readonly id: number;
    readonly scope: DealerScope;
    readonly from: readonly ImportState[];
    readonly by: Actor;
    readonly most: number;
    /** True if its file is needed. */
    readonly needsFile: boolean;
    readonly change: (stored: StoredImport) => Pick<StoredImport, "options" | "progress">;
  }): Promise<true | null | typeof NOT_IN_STATE | typeof TOO_MANY_WAITING | typeof FILE_GONE>;
  /**
   * Stops an import: a waiting one at once, a running one after its current batch; an ended one stays as it is. False
   * if there is none in scope.
   */
  cancel(one: { readonly id: number; readonly scope: DealerScope; readonly now: Timestamp }): Promise<boolean>;
  /** Removes an import that does not run, with its rows and its file. */
  remove(one: {
    readonly id: number;
    readonly scope: DealerScope;
    readonly now: Timestamp;
  }): Promise<true | null | typeof NOT_IN_STATE>;
  /** Removes some of the data that is too old; false if nothing was left. */
  removeExpired(times: {
    readonly now: Timestamp;
    /** Files whose upload began before this. */
    readonly abandoned: Timestamp;
    /** Imports that have waited for a confirmation since before this. */
    readonly unconfirmed: Timestamp;
    /** Rows of imports that ended before this. */
    readonly forgotten: Timestamp;
  }): Promise<boolean>;
}

/** The size of the pieces in which files are stored. */
export const PIECE_BYTES = 256 * 1024;
