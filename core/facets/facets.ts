import { scopeOf } from "../access/decide.ts";
import type { Principal } from "../access/principal.ts";
import { isAdmitted, useCase } from "../access/use-case.ts";
import type { Clock } from "../clock.ts";
import type { DealerRepository } from "../dealers/dealer-repository.ts";
import type { Outcome } from "../failure.ts";
import { andThen, type MaybePromise } from "../maybe-promise.ts";
import { type SearchIndex, searchRefusal } from "../search/progress.ts";
import { countsDays, vehicleFilterOf } from "../vehicles/vehicle-filter.ts";
import { type Amounts, type FacetName, type FacetQuery, facetsOf, mostFrequent, type ValueCount } from "./facet.ts";
import type { FacetRepository, FacetValues } from "./facet-repository.ts";

/** The number of a dealer's vehicles, with its name; `null` if the caller may not read the dealer. */
interface DealerCount extends ValueCount {
  readonly name: string | null;
}

/** The requested facets in the order of the list of facets, and the values of the `meta`. */
export interface FacetCounts {
  readonly total: number;
  /** True only if vehicles are filtered because the key is bound to a dealer. */
  readonly filterApplied: boolean;
  /** The dealer whose vehicles are counted, if it is only one. */
  readonly dealerId: number | null;
  readonly facets: { readonly [Name in FacetName]?: readonly (ValueCount | DealerCount)[] | Amounts };
}

interface Ports {
  readonly facets: FacetRepository;
  readonly dealers: Pick<DealerRepository, "names">;
  readonly search: SearchIndex;
  readonly clock: Clock;
}

/** The use case of counting vehicles by the values of facets. */
export const makeFacets = ({ facets, dealers, search, clock }: Ports) => {
  const withNames = async (caller: Principal, counts: readonly ValueCount[]): Promise<readonly DealerCount[]> => {
    const ids = counts.map(({ value }) => Number(value));
    const mayRead = ids.length > 0 && isAdmitted(caller, "dealer.read");
    const names = mayRead ? await dealers.names(ids, scopeOf(caller)) : null;
    return counts.map((count) => ({ ...count, name: names?.get(Number(count.value)) ?? null }));
  };

  const answeredFacet = (name: FacetName, { values, amounts }: FacetValues): readonly ValueCount[] | Amounts => {
    if (name === "price" || name === "mileage" || name === "days_on_lot")
      return amounts[name] ?? { min: null, max: null, ranges: [] };
    return mostFrequent(values[name] ?? []);
  };

  return {
    /** Counts the vehicles in the caller's scope. If the key is bound, its dealer replaces the requested dealer. */
    count: useCase("vehicle.facets", (principal, query: FacetQuery): MaybePromise<Outcome<FacetCounts>> => {
      const unanswerable = searchRefusal(search, query);
      if (unanswerable !== null) return unanswerable;
      const scope = scopeOf(principal);
      const asked = vehicleFilterOf(scope === null ? query : { ...query, dealer_id: scope }, clock);
      const filter = countsDays(query) ? { as_of: clock.now(), ...asked } : asked;
      const names = facetsOf(query);
      return andThen(facets.count({ scope, filter, facets: names }), (counted): MaybePromise<FacetCounts> => {
        const answer = (all: FacetCounts["facets"]): FacetCounts => ({
          total: counted.total,
          filterApplied: scope !== null,
          dealerId: filter.dealer_id ?? null,
          facets: all,
        });
        const all = Object.fromEntries(names.map((name) => [name, answeredFacet(name, counted)]));
        const { dealer } = all;
        if (!Array.isArray(dealer)) return answer(all);
        return withNames(principal, dealer).then((named) => answer({ ...all, dealer: named }));
      });
    }),
  };
};

export type Facets = ReturnType<typeof makeFacets>;
