import { type DealerScope, scopeOf } from "../access/decide.ts";
import type { Operation } from "../access/policy.ts";
import { isSuperAdmin, type Principal } from "../access/principal.ts";
import { type Caller, isAdmitted } from "../access/use-case.ts";
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
  readonly configuration: () => string;
}

/** An answer about one dealer's inventory. */
interface VersionedAnswer {
  /** The dealer that it is about; `null` if it covers more dealers. */
  readonly dealerOf: (scope: DealerScope) => number | null;
  /** What it contains of the time. */
  readonly timeOf: (state: InventoryState, dealerId: number, scope: DealerScope) => MaybePromise<number>;
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
    caller: Caller,
    operation: Operation,
    { dealerOf, timeOf }: VersionedAnswer,
  ): MaybePromise<string | null> => {
    if (!isAdmitted(caller, operation)) return null;
    const scope = scopeOf(caller);
    const dealerId = dealerOf(scope);
    if (dealerId === null) return null;
    return andThen(states.find(dealerId, scope), (state): MaybePromise<string | null> => {
      if (state === null) return null;
      return andThen(
        timeOf(state, dealerId, scope),
        (time) => `${dealerId} ${scope} ${rightsOf(caller)} ${state.mark} ${time} ${configuration()}`,
      );
    });
  };

  const daysIf =
    (depends: boolean): VersionedAnswer["timeOf"] =>
    (_, dealerId, scope) =>
      depends ? states.daysOnLot(dealerId, scope, clock.now()) : 0;

  return {
    /** Of the list of vehicles. */
    ofList: (caller: Caller, query: ListQuery): MaybePromise<string | null> =>
      versionOf(caller, "vehicle.list", {
        dealerOf: (scope) => scope ?? query.dealer_id ?? null,
        timeOf: daysIf(countsDays(query) || sortsByDays(query)),
      }),

    /** Of facets. For callers of no dealer, the facet of dealers covers all of them. */
    ofFacets: (
      caller: Caller,
      query: FilterQuery & { readonly facets?: readonly string[] },
    ): MaybePromise<string | null> =>
      versionOf(caller, "vehicle.facets", {
        dealerOf: (scope) => scope,
        timeOf: daysIf(countsDays(query)),
      }),

    /** Of the list of a dealer's vehicles. */
    ofInventory: (caller: Caller, dealerId: number, query: ListQuery): MaybePromise<string | null> =>
      versionOf(caller, "dealer.inventory", {
        dealerOf: () => dealerId,
        timeOf: daysIf(countsDays(query) || sortsByDays(query)),
      }),

    /** Of a dealer's statistics. */
    ofStatistics: (caller: Caller, dealerId: number): MaybePromise<string | null> =>
      versionOf(caller, "dealer.statistics", {
        dealerOf: () => dealerId,
        timeOf: ({ listedMs }) => averageDays(listedMs, clock.now()),
      }),
  };
};

export type InventoryVersions = ReturnType<typeof makeInventoryVersions>;
