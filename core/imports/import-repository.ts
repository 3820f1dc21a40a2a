import type { DealerScope } from "../access/decide.ts";
import type { Actor, Principal } from "../access/principal.ts";
import type { Visibility } from "../access/visibility.ts";
import type { Timestamp } from "../clock.ts";
import type { ImageRepository } from "../images/image-repository.ts";
import type { Claim } from "../jobs/job.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import type { UNKNOWN_DEALER, VehicleRepository } from "../vehicles/vehicle-repository.ts";
import type { FilePosition, FoundFile } from "./file/file.ts";
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

/** How far an import is: everything that another process needs to go on behind the last batch. */
export interface ImportProgress {
  /** Whether rows are only looked at, or are done; then what becomes of missing vehicles. */
  readonly pass: "check" | "apply" | "missing";
  /** Where the next row is read; `null` before the first one. */
  readonly position: FilePosition | null;
  /** How many rows are done. */
  readonly done: number;
  readonly counts: ImportCounts;
  /** How many rows have no key that can be read: then nobody knows what is missing. */
  readonly unread: number;
  /** How many rows are of vehicles that were there, unsold; absent where an earlier version of the service counted. */
  readonly there?: number;
  /** How many missing vehicles somebody confirmed; `null` if nobody did. */
  readonly confirmed: number | null;
  /** True if it is kept which vehicles are missing, and they are done. */
  readonly isListed: boolean;
}

/** What a file is, and how it is read. */
export interface ArrivedFile {
  readonly file: ImportFile;
  readonly found: FoundFile;
  readonly columns: ImportColumns;
}

/** An import as it is worked on. */
export interface StoredImport extends ArrivedFile {
  readonly id: number;
  /** `null` where the file names the dealers. */
  readonly dealerId: number | null;
  /** The source that the file was fetched from; `null` if somebody sent it. */
  readonly sourceId: number | null;
  readonly state: StoredImportState;
  readonly options: ImportOptions;
  readonly progress: ImportProgress;
  /** True if somebody asked that it stop. */
  readonly stops: boolean;
  /** Who asked for it: its changes are theirs. */
  readonly by: Actor;
}

/** What became of a row, as it is kept. */
export interface KeptRow extends ImportRow {
  /** Its number in the file, or a place behind all of them. */
  readonly place: number;
  readonly dealerId: number | null;
  /** In the form in which keys are compared. */
  readonly compared: RowKey;
  /** True if its vehicle was there before, unsold. */
  readonly wasThere?: boolean;
  /** The cells of a failed row, to be mended and sent again. */
  readonly cells?: readonly (string | number | null)[];
}

/** A row of the file with its errors, to be mended and sent again. */
export type FailedRow = Pick<ImportRow, "line" | "errors"> & Required<Pick<KeptRow, "cells">>;

/** What was there of a row that is done. */
export interface DoneRow extends RowKey {
  readonly outcome: RowOutcome;
  /** `null` if nobody knows whose vehicle it is. */
  readonly dealer_id: number | null;
  readonly vehicle_id: number | null;
}

/** An image that a vehicle has. */
export interface PresentImage {
  readonly id: number;
  readonly address: string;
}

/** One transaction in which rows are done. It awaits nothing but these. */
export interface RowStep {
  /** True if there is such a dealer, which stays until the end of the step. */
  hasDealer(id: number): Promise<boolean>;
  /** The dealer's vehicles with one of these VINs, stock numbers or numbers, locked in the order of their ids. */
  vehiclesWith(
    dealerId: number,
    wanted: { readonly keys: readonly RowKey[]; readonly ids: readonly number[] },
  ): Promise<readonly Vehicle[]>;
  readonly vehicles: Pick<VehicleRepository, "insert" | "update" | "remove">;
  /** The images of vehicles, in their order. */
  imagesOf(vehicleIds: readonly number[]): Promise<ReadonlyMap<number, readonly PresentImage[]>>;
  readonly images: Pick<ImageRepository, "add" | "remove" | "reorder" | "update">;
}

/** Vehicles that are sent as the rows of a request. */
export interface RowWork {
  /** A few transactions, one after the other: each runs its step, all or nothing. */
  begin(): <Result>(work: (step: RowStep) => Promise<Result>) => Promise<Result>;
}

/** One transaction of an import. */
export interface ImportStep extends RowStep {
  /** As it is now. */
  readonly present: StoredImport;
  /** Who asked for the import, as they are now; `null` if they may do nothing any more. */
  importer(): Promise<Principal | null>;
  /** The dealer's vehicles with these numbers, locked in the order of their ids. */
  vehiclesOf(dealerId: number, ids: readonly number[]): Promise<readonly Vehicle[]>;
  /** The next missing vehicles behind a place. */
  missingBehind(place: number): Promise<readonly { readonly place: number; readonly vehicleId: number }[]>;
  /** Forgets some of the missing vehicles that are kept; true if there may be more. */
  forgetMissing(): Promise<boolean>;
  /** Keeps that these vehicles are missing, too, behind the `kept` ones before them. */
  keepMissing(ids: readonly number[], kept: number): Promise<void>;
  /**
   * Of the vehicles that the file of a source leaves out, those that its file before left out, too; keeps them for the
   * file behind it.
   */
  missingAgain(ids: readonly number[]): Promise<readonly number[]>;
  /** Keeps what became of rows, in place of what was kept of these. */
  keep(rows: readonly KeptRow[]): Promise<void>;
  save(progress: ImportProgress): Promise<void>;
  /** Ends the import in this state, or lets it rest there: the job is done, and the audit log has it. */
  end(state: ImportState, change?: { readonly progress?: ImportProgress; readonly error?: ImportError }): Promise<void>;
}

/** What runs an import needs of the database. */
export interface ImportWork {
  /** The import of a job; `null` if it has ended, or another process has the job. */
  open(claim: Claim): Promise<StoredImport | null>;
  /** What was there of the rows that are done, in this pass. */
  doneRows(id: number, done: number): AsyncIterable<readonly DoneRow[]>;
  /**
   * The unsold vehicles of the dealer that no row of a snapshot names; of a source's, once they were compared with the
   * file before, those of them that are missing in both.
   */
  missing(stored: StoredImport): Promise<readonly number[]>;
  /** The unpacked bytes of the file from this offset on, in pieces. */
  bytesFrom(id: number, offset: number): AsyncIterable<Uint8Array>;
  /** Runs one step, all or nothing; with it the lease is renewed. Throws LeaseLost if another process has the job. */
  step<Result>(claim: Claim, work: (step: ImportStep) => Promise<Result>): Promise<Result>;
}

/** There are as many imports waiting as a dealer may have. */
export const TOO_MANY_WAITING = Symbol("too many imports are waiting");

/** The file is not kept any more. */
export const FILE_GONE = Symbol("the file is gone");

/** The import is in a state in which this cannot be done. */
export const NOT_IN_STATE = Symbol("not in a state for this");

/** An import as its reader may see it. */
interface Reader {
  readonly scope: DealerScope;
  readonly visibility: Visibility;
}

/** Where a page of a list goes on. */
export interface ListPosition {
  readonly id: number;
  readonly at: Timestamp;
}

/** A page of a list that is read by cursor. */
export interface CursorPage<Item, Position> {
  readonly items: readonly Item[];
  readonly total: number;
  /** Where the next page begins; `null` behind the last item. */
  readonly next: Position | null;
}

/** Imports in the database. Methods with a scope put it into the WHERE of their statements. */
export interface ImportRepository {
  /** Makes an import whose file arrives, which nobody sees; its number. */
  begin(arriving: {
    readonly dealerId: number | null;
    /** The source that the file is fetched from. */
    readonly sourceId: number | null;
    readonly options: ImportOptions;
    readonly progress: ImportProgress;
    readonly by: Actor;
    readonly now: Timestamp;
  }): Promise<number>;
  /** Adds a piece of the unpacked file. All pieces but the last have PIECE_BYTES. */
  addPiece(id: number, place: number, bytes: Uint8Array): Promise<void>;
  /** Lets an import wait for its turn, unless `most` of its dealer do already. */
  queue(arrived: {
    readonly id: number;
    readonly file: ArrivedFile;
    readonly now: Timestamp;
    readonly most: number;
  }): Promise<true | typeof TOO_MANY_WAITING | typeof UNKNOWN_DEALER>;
  /** True if there is such a dealer. */
  hasDealer(id: number): Promise<boolean>;
  /** True if a dealer (`null`: of imports whose files name the dealers) has this many imports waiting. */
  hasWaiting(dealerId: number | null, most: number): Promise<boolean>;
  /** Takes an import away whose file did not arrive. */
  discard(id: number): Promise<void>;
  find(id: number, reader: Reader): Promise<Import | null>;
  list(
    query: Reader & {
      readonly dealerId?: number;
      readonly state?: ImportState;
      readonly limit: number;
      readonly after: ListPosition | null;
    },
  ): Promise<CursorPage<Import, ListPosition>>;
  /** The rows of an import by their places; `after` is a place. */
  rows(query: {
    readonly id: number;
    readonly outcome?: RowOutcome;
    readonly limit: number;
    readonly after: number | null;
  }): Promise<CursorPage<ImportRow, number>>;
  /** Failed rows behind a place, a few of them, and the last place; `null` behind the last one. */
  failedRows(id: number, after: number): Promise<{ readonly rows: readonly FailedRow[]; readonly last: number | null }>;
  /** As it is worked on; `null` if there is none in scope. */
  stored(id: number, scope: DealerScope): Promise<StoredImport | null>;
  /** Lets an import that rests in one of these states go on, for somebody who asks for it now. */
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
   * Stops an import: one that waits at once, one that runs after its present batch; one that ended stays as it is.
   * False if there is none in scope.
   */
  cancel(one: { readonly id: number; readonly scope: DealerScope; readonly now: Timestamp }): Promise<boolean>;
  /** Takes an import that rests away, with its rows and its file. */
  remove(one: {
    readonly id: number;
    readonly scope: DealerScope;
    readonly now: Timestamp;
  }): Promise<true | null | typeof NOT_IN_STATE>;
  /** Takes away what is left of imports whose time is over, a little at once; false if nothing was left. */
  tidy(times: {
    readonly now: Timestamp;
    /** Files that began to arrive before. */
    readonly abandoned: Timestamp;
    /** Missing vehicles that wait for a confirmation since before. */
    readonly unconfirmed: Timestamp;
    /** Rows of imports that ended before. */
    readonly forgotten: Timestamp;
  }): Promise<boolean>;
}

/** The size of the pieces in which files are kept. */
export const PIECE_BYTES = 256 * 1024;
