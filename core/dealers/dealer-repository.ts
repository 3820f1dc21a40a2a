import type { DealerScope } from "../access/decide.ts";
import type { Actor } from "../access/principal.ts";
import type { Timestamp } from "../clock.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { Listing, Page } from "../page.ts";
import type { Dealer } from "./dealer.ts";
import type { Inventory } from "./statistics.ts";

/** What a list of dealers is narrowed to; text is compared without regard to case. */
export interface DealerFilter {
  readonly state?: string;
  readonly city?: string;
  readonly active?: boolean;
}

/** What is stored of a dealer besides its id. */
export type DealerFields = Omit<Dealer, "id">;

/** Fields an update sets; fields that are absent stay. */
export type DealerUpdate = Partial<Omit<DealerFields, "created_at" | "updated_at">>;

/** Dealers in the database. What the scope hides is `null`, and the scope is in the WHERE of every statement. */
export interface DealerRepository {
  /** Newest first, then by id descending. */
  list(scope: DealerScope, filter: DealerFilter, page: Page): Promise<Listing<Dealer>>;
  find(id: number, scope: DealerScope): Promise<Dealer | null>;
  exists(id: number): Promise<boolean>;
  insert(dealer: DealerFields, by: Actor): Promise<Dealer>;
  /** As an update of a vehicle: `updated_at` strictly grows, `versions` are the only ones on which it happens. */
  update(change: {
    readonly id: number;
    readonly scope: DealerScope;
    readonly changes: DealerUpdate;
    readonly now: Timestamp;
    readonly versions: readonly Timestamp[] | null;
    readonly by: Actor;
  }): Promise<Dealer | null>;
  /** Counts, sums and landmarks of a dealer's vehicles at one moment, at a cost that does not grow with their number. */
  inventory(id: number, scope: DealerScope): MaybePromise<Inventory | null>;
}
