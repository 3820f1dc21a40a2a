import type { DealerScope } from "../access/decide.ts";
import type { Actor } from "../access/principal.ts";
import type { Timestamp } from "../clock.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { Listing, ListOrder, Page } from "../page.ts";
import type { Dealer, DealerSort } from "./dealer.ts";
import type { FigureSight } from "./figure-sight.ts";
import type { Inventory } from "./statistics.ts";

/** The filters of a list of dealers. Case does not matter. */
export interface DealerFilter {
  readonly state?: string;
  readonly city?: string;
  readonly active?: boolean;
  /** Dealers that need help, or others. It takes the reader's `sight`. */
  readonly needsHelp?: boolean;
  /** Every word must begin a word of the dealer's name, city, state, email, phone or number. */
  readonly search?: string;
}

/** The stored fields of a dealer, without its id. */
export type DealerFields = Omit<Dealer, "id">;

/** The fields to change. Fields that are left out keep their values. */
export type DealerUpdate = Partial<Omit<DealerFields, "created_at" | "updated_at">>;

/** Dealers in the database. Every statement has the scope in its WHERE. Records out of scope are `null`. */
export interface DealerRepository {
  /** Newest first by default. */
  list(query: {
    readonly scope: DealerScope;
    readonly filter: DealerFilter;
    readonly page: Page;
    readonly order?: ListOrder<DealerSort>;
    /** What the reader may see of figures. It must be given for an order or a filter by them. */
    readonly sight?: FigureSight;
  }): Promise<Listing<Dealer>>;
  find(id: number, scope: DealerScope): Promise<Dealer | null>;
  /** The names of these dealers, by id, without those out of scope. */
  names(ids: readonly number[], scope: DealerScope): Promise<ReadonlyMap<number, string>>;
  exists(id: number): Promise<boolean>;
  /** Throws TakenCode if another dealer has one of the codes. So does `update`. */
  insert(dealer: DealerFields, by: Actor): Promise<Dealer>;
  /**
   * Works like the update of a vehicle: `updated_at` always increases, and with `versions` only these versions are
   * changed.
   */
  update(change: {
    readonly id: number;
    readonly scope: DealerScope;
    readonly changes: DealerUpdate;
    readonly now: Timestamp;
    readonly versions: readonly Timestamp[] | null;
    readonly by: Actor;
  }): Promise<Dealer | null>;
  /**
   * The counts and sums of a dealer's vehicles, and the newest and oldest of them, all as of the same time. The cost
   * does not depend on the number of vehicles.
   */
  inventory(id: number, scope: DealerScope): MaybePromise<Inventory | null>;
}
