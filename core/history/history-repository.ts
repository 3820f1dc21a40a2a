import type { DealerScope } from "../access/decide.ts";
import type { Timestamp } from "../clock.ts";
import type { Page } from "../page.ts";
import type { HistoryField, StoredChange } from "./change.ts";

/** Changes of a vehicle, and what follows from them. */
export interface StoredHistory {
  /** The changes of the page, newest first. There is one more than the page's limit if others follow. */
  readonly changes: readonly StoredChange[];
  readonly total: number;
  /**
   * The first price in cents since the vehicle came to its present dealer, or `null` if the price has not changed
   * since. `priceDrops` says how often it has fallen since then.
   */
  readonly firstCents: number | null;
  readonly priceDrops: number;
  /** The first dealer of the vehicle that is known; `null` if the vehicle was never moved. */
  readonly firstDealer: number | null;
  /** When it first came to its present dealer; `null` if it was never moved there. */
  readonly arrivedAt: Timestamp | null;
  /** When the database began to keep histories; `null` if it kept them from the start. */
  readonly begunAt: Timestamp | null;
}

/** Histories of vehicles. The database records them by itself. */
export interface HistoryRepository {
  /**
   * The history of a vehicle whose present dealer is `dealerId`. With a scope, it leaves out the time when the vehicle
   * belonged to another dealer, and tells of a move only that the vehicle came or went.
   */
  read(query: {
    readonly vehicleId: number;
    readonly dealerId: number;
    readonly scope: DealerScope;
    readonly field: HistoryField | null;
    readonly page: Page;
    /** The page begins after this change, whatever its offset. */
    readonly after: Pick<StoredChange, "at" | "field"> | null;
  }): Promise<StoredHistory>;
}
