import type { DealerScope } from "../access/decide.ts";
import type { Actor } from "../access/principal.ts";
import type { Timestamp } from "../clock.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { Listing, ListOrder, Page } from "../page.ts";
import type { Dealer, DealerSort } from "./dealer.ts";
import type { Inventory } from "./statistics.ts";

/** The filters of a list of dealers; text is compared without regard to case. */
export interface DealerFilter {
  readonly state?: string;
  readonly city?: string;
  readonly active?: boolean;
  /** Every word begins a word of the dealer's name, city, state, email, phone or number. */
  readonly search?: string;
}

/** The stored fields of a dealer, without its id. */
export type DealerFields = Omit<Dealer, "id">;

/** The fields that an update sets; absent fields stay. */
export type DealerUpdate = Partial<Omit<DealerFields, "created_at" | "updated_at">>;

/** Dealers in the database. The scope is in the WHERE of every statement; records outside it are `null`. */
export interface DealerRepository {
  /** Newest first by default. */
  list(query: {
    readonly scope: DealerScope;
    readonly filter: DealerFilter;
    readonly page: Page;
    readonly order?: ListOrder<DealerSort>;
  }): Promise<Listing<Dealer>>;
  find(id: number, scope: DealerScope): Promise<Dealer | null>;
  /** The names of those of these dealers that are in scope. */
  names(ids: readonly number[], scope: DealerScope): Promise<ReadonlyMap<number, string>>;
  exists(id: number): Promise<boolean>;
  insert(dealer: DealerFields, by: Actor): Promise<Dealer>;
  /** Like the update of a vehicle: `updated_at` always grows, and `versions` restricts the change to these versions. */
  update(change: {
    readonly id: number;
    readonly scope: DealerScope;
    readonly changes: DealerUpdate;
    readonly now: Timestamp;
    readonly versions: readonly Timestamp[] | null;
    readonly by: Actor;
  }): Promise<Dealer | null>;
  /**
   * Counts, sums, and the newest and oldest of a dealer's vehicles at one time. The cost does not grow with their
   * number.
   */
  inventory(id: number, scope: DealerScope): MaybePromise<Inventory | null>;
}
