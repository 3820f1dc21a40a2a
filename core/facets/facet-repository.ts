import type { DealerScope } from "../access/decide.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { VehicleFilter } from "../vehicles/vehicle-filter.ts";
import type { AmountFacet, Amounts, FacetName, ValueCount, WordFacet } from "./facet.ts";

/**
 * The values of facets, in no order. Spellings that differ only in case and accents are one value, in the most frequent
 * spelling. If there are more than 100, at least the most frequent are there, and the vehicles without a value.
 */
export interface FacetValues {
  /** The number of all matches. */
  readonly total: number;
  readonly values: { readonly [Name in WordFacet]?: readonly ValueCount[] };
  readonly amounts: { readonly [Name in AmountFacet]?: Amounts };
}

/** Counts of vehicles. The scope stands in the WHERE of each statement. */
export interface FacetRepository {
  /**
   * Counts the matches by each facet, and in all. A facet is counted as if its own filters were not set. Amounts are in
   * up to 10 ranges between round numbers, one next to the other.
   */
  count(query: {
    readonly scope: DealerScope;
    readonly filter: VehicleFilter;
    readonly facets: readonly FacetName[];
  }): MaybePromise<FacetValues>;
}
