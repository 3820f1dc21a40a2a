import { admit, type DealerScope, scopeOf } from "../access/decide.ts";
import type { Operation } from "../access/policy.ts";
import { isSuperAdmin, type Principal } from "../access/principal.ts";
import type { Clock, Timestamp } from "../clock.ts";
import { andThen, type MaybePromise } from "../maybe-promise.ts";
import { countsDays, type FilterQuery } from "../vehicles/vehicle-filter.ts";
import { sortsByDays } from "../vehicles/vehicle-order.ts";
import { averageDays } from "./statistics.ts";

/** The state of a dealer's inventory. */
export interface InventoryState {
  /**
   * A random number, which is replaced in the transaction of each change of the dealer, its vehicles and their images.
   */
  readonly mark: number;
  /** The mean of the times at which the unsold vehicles were listed, as in `Inventory`. */
  readonly listedMs: number | null;
}

/** Looks at inventories without reading them. Each statement has the scope in its WHERE. */
export interface InventoryStates {
  /** One row, whatever the size of the inventory. */
  find(dealerId: number, scope: DealerScope): MaybePromise<InventoryState | null>;
  /**
   * The sum of the whole days that the dealer's unsold vehicles have been on the lot. While the mark stays the same, it
   * changes exactly when a vehicle completes a day.
   */
  daysOnLot(dealerId: number, scope: DealerScope, asOf: Timestamp): MaybePromise<number>;
}

type ListQuery = FilterQuery & Parameters<typeof sortsByDays>[0];

interface Ports {
  readonly states: InventoryStates;
  readonly clock: Pick<Clock, "now">;
  /** What answers contain of the configuration. */
  readonly configuration: string;
}

/** All that decides what a caller may read, besides the dealer that it is bound to. */
const rightsOf = (principal: Principal): string =>
  `${principal.permissions} ${isSuperAdmin(principal)} ${principal.isPublic === true}`;

/**
 * Versions of answers about one dealer's inventory: texts that differ whenever an answer to the same request may. Such
 * an answer depends on the dealer, its vehicles and their images, on what the caller may read, and sometimes on the
 * time. `null` if the answer covers more dealers, or if the use case has to refuse the request.
 */
export const makeInventoryVersions = ({ states, clock, configuration }: Ports) => {
  const versionOf = (
    principal: Principal,
    { operation, dealerId }: { readonly operation: Operation; readonly dealerId: number | null },
    timeOf: (state: InventoryState, dealerId: number) => MaybePromise<number>,
  ): MaybePromise<string | null> => {
    if (dealerId === null || admit(principal, operation) !== null) return null;
    const scope = scopeOf(principal);
    return andThen(states.find(dealerId, scope), (state): MaybePromise<string | null> => {
      if (state === null) return null;
      return andThen(
        timeOf(state, dealerId),
        (time) => `${dealerId} ${scope} ${rightsOf(principal)} ${state.mark} ${time} ${configuration}`,
      );
    });
  };

  const daysFor =
    (principal: Principal, depends: boolean) =>
    (_: InventoryState, dealerId: number): MaybePromise<number> =>
      depends ? states.daysOnLot(dealerId, scopeOf(principal), clock.now()) : 0;

  return {
    /** Of the list of vehicles. */
    ofList: (principal: Principal, query: ListQuery): MaybePromise<string | null> =>
      versionOf(
        principal,
        { operation: "vehicle.list", dealerId: scopeOf(principal) ?? query.dealer_id ?? null },
        daysFor(principal, countsDays(query) || sortsByDays(query)),
      ),

    /** Of facets. For callers of no dealer, the facet of dealers covers all of them. */
    ofFacets: (principal: Principal, query: FilterQuery): MaybePromise<string | null> =>
      versionOf(
        principal,
        { operation: "vehicle.facets", dealerId: scopeOf(principal) },
        daysFor(principal, countsDays(query)),
      ),

    /** Of the list of a dealer's vehicles. */
    ofInventory: (principal: Principal, dealerId: number, query: ListQuery): MaybePromise<string | null> =>
      versionOf(
        principal,
        { operation: "dealer.inventory", dealerId },
        daysFor(principal, countsDays(query) || sortsByDays(query)),
      ),

    /** Of a dealer's statistics. */
    ofStatistics: (principal: Principal, dealerId: number): MaybePromise<string | null> =>
      versionOf(principal, { operation: "dealer.statistics", dealerId }, ({ listedMs }) =>
        averageDays(listedMs, clock.now()),
      ),
  };
};

export type InventoryVersions = ReturnType<typeof makeInventoryVersions>;
