import type { DealerScope } from "../access/decide.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { VehicleFilter } from "../vehicles/vehicle-filter.ts";
import type { AmountFacet, Amounts, FacetName, ValueCount, WordFacet } from "./facet.ts";

/**
 * The values of facets, in no particular order. Spellings that differ only in case and accents are one value, in the
 * most frequent spelling. Of more than 100 values, some may be missing, but never the most frequent ones, nor the
 * number of vehicles without a value.
 */
export interface FacetValues {
  /** The number of all matches. */
  readonly total: number;
  readonly values: { readonly [Name in WordFacet]?: readonly ValueCount[] };
  readonly amounts: { readonly [Name in AmountFacet]?: Amounts };
}

/** Counts vehicles. The scope is in the WHERE of every statement. */
export interface FacetRepository {
  /**
   * Counts the matching vehicles, in all and for each facet. The filters of a facet itself are ignored when it is
   * counted. Amounts are counted in up to 10 adjoining ranges between round numbers, days on the lot in the ranges of
   * `FIRST_DAYS`, up to the filter's `as_of`, which must be set for them.
   */
  count(query: {
    readonly scope: DealerScope;
    readonly filter: VehicleFilter;
    readonly facets: readonly FacetName[];
  }): MaybePromise<FacetValues>;
}
