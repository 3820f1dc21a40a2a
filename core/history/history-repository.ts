import type { DealerScope } from "../access/decide.ts";
import type { Timestamp } from "../clock.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { Page } from "../page.ts";
import type { HistoryField, StoredChange } from "./change.ts";

/** Changes of a vehicle, and what they tell of it. */
export interface StoredHistory {
  /** Newest first; one more than the page's limit if others follow. */
  readonly changes: readonly StoredChange[];
  readonly total: number;
  /**
   * Since it came to its present dealer: the first price in cents, `null` if it never changed, and how often it fell.
   */
  readonly firstCents: number | null;
  readonly priceDrops: number;
  /** The first dealer of whom is known; `null` if the vehicle was never moved. */
  readonly firstDealer: number | null;
  /** When it first came to its present dealer; `null` if it was never moved there. */
  readonly arrivedAt: Timestamp | null;
  /** When histories began; `null` if the database has all of them. */
  readonly begunAt: Timestamp | null;
}

/** Histories of vehicles in the database, which keeps them by itself. */
export interface HistoryRepository {
  /**
   * The history of a vehicle whose present dealer is `dealerId`. With a scope, nothing of the time when the vehicle was
   * another dealer's, and of a move only that it came or went.
   */
  read(query: {
    readonly vehicleId: number;
    readonly dealerId: number;
    readonly scope: DealerScope;
    readonly field: HistoryField | null;
    readonly page: Page;
    /** The change behind which the page begins; it replaces the offset. */
    readonly after: Pick<StoredChange, "at" | "field"> | null;
  }): MaybePromise<StoredHistory>;
}
