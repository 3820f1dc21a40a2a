import type { DealerScope } from "../access/decide.ts";
import type { Actor } from "../access/principal.ts";
import type { Visibility } from "../access/visibility.ts";
import type { Timestamp } from "../clock.ts";
import type { UniqueField } from "../vehicles/duplicates.ts";
import type { StoredChange } from "./recent-change.ts";
import type { Reversal, VehicleTrail } from "./reversal.ts";

/** The position just after this change in the list. */
export type ChangePosition = Pick<StoredChange, "at" | "id">;

/** Who reads changes: `visibility` decides whether the reader is told who made them. */
interface ChangeReader {
  readonly scope: DealerScope;
  readonly visibility: Visibility;
  /** Older changes do not exist any more. */
  readonly since: Timestamp;
}

/** One part of a reversal, in a transaction of its own. Nothing but these methods may be awaited in it. */
export interface ReversalStep {
  /**
   * What is known of these vehicles, in the order of their ids: of as many of them as `vehiclesAtOnce` says. Those in
   * scope are locked until the end of the part.
   */
  trails(ids: readonly number[]): Promise<readonly VehicleTrail[]>;
  /**
   * Gives a vehicle its old values, as the change of `by`. The change and its reversal become a pair, which no figure
   * counts: prices and sales are as if neither had been. Returns false if the vehicle would be a duplicate that its
   * dealer refuses.
   */
  revert(trail: VehicleTrail, reversal: Reversal, unique: readonly UniqueField[]): Promise<boolean>;
}

/** Recent changes, which are stored in the transactions of the changes. Every statement has the scope in its WHERE. */
export interface RecentChangeRepository {
  /** Newest first. There is one more than `limit` if others follow. */
  list(
    query: ChangeReader & {
      readonly dealerId: number | null;
      readonly limit: number;
      readonly after: ChangePosition | null;
    },
  ): Promise<readonly StoredChange[]>;
  /** How many changes there are on all pages of the list. */
  count(query: Pick<ChangeReader, "scope" | "since"> & { readonly dealerId: number | null }): Promise<number>;
  /** A change of vehicles in scope; `null` if there is none. */
  find(id: string, reader: ChangeReader): Promise<StoredChange | null>;
  /** The next of the vehicles that it changed in scope, in the order of their ids. */
  vehiclesOf(
    id: string,
    scope: DealerScope,
    range: { readonly after: number; readonly limit: number },
  ): Promise<readonly number[]>;
  /** Reverts a part of a change. `by` names the reversal. */
  revertPart<Result>(
    part: { readonly change: StoredChange; readonly scope: DealerScope; readonly now: Timestamp; readonly by: Actor },
    work: (step: ReversalStep) => Promise<Result>,
  ): Promise<Result>;
  /** Forgets some changes that began at this moment or before. Returns how many; 0 if none is left. */
  purgeSome(before: Timestamp): Promise<number>;
}
