import { admit, scopeOf } from "../access/decide.ts";
import type { Principal } from "../access/principal.ts";
import type { Clock } from "../clock.ts";
import type { DealerRepository } from "../dealers/dealer-repository.ts";
import type { Outcome } from "../failure.ts";
import { andThen, type MaybePromise } from "../maybe-promise.ts";
import { type SearchReadiness, searchRefusal } from "../search/readiness.ts";
import { vehicleFilterOf } from "../vehicles/vehicle-filter.ts";
import { type Amounts, type FacetName, type FacetQuery, facetsOf, mostFrequent, type ValueCount } from "./facet.ts";
import type { FacetRepository, FacetValues } from "./facet-repository.ts";

/** A dealer's vehicles, with its name; `null` where the caller may not read the dealer. */
interface DealerCount extends ValueCount {
  readonly name: string | null;
}

/** The facets asked for, in the order of their list, and the facts for the `meta`. */
export interface FacetCounts {
  readonly total: number;
  /** True only if the filter comes from the key's binding. */
  readonly filterApplied: boolean;
  /** The one dealer whose vehicles are counted, if any. */
  readonly dealerId: number | null;
  readonly facets: { readonly [Name in FacetName]?: readonly (ValueCount | DealerCount)[] | Amounts };
}

interface Ports {
  readonly facets: FacetRepository;
  readonly dealers: Pick<DealerRepository, "names">;
  readonly search: SearchReadiness;
  readonly clock: Clock;
}

/** The use case of counting vehicles by what they can be filtered by. */
export const makeFacets = ({ facets, dealers, search, clock }: Ports) => {
  const withNames = async (principal: Principal, counts: readonly ValueCount[]): Promise<readonly DealerCount[]> => {
    const ids = counts.map(({ value }) => Number(value));
    const mayRead = ids.length > 0 && admit(principal, "dealer.read") === null;
    const names = mayRead ? await dealers.names(ids, scopeOf(principal)) : null;
    return counts.map((count) => ({ ...count, name: names?.get(Number(count.value)) ?? null }));
  };

  const answeredFacet = (name: FacetName, { values, amounts }: FacetValues): readonly ValueCount[] | Amounts => {
    if (name === "price" || name === "mileage") return amounts[name] ?? { min: null, max: null, ranges: [] };
    return mostFrequent(values[name] ?? []);
  };

  return {
    /** Counts the vehicles in the caller's scope. A bound key's dealer replaces any requested dealer. */
    count(principal: Principal, query: FacetQuery): MaybePromise<Outcome<FacetCounts>> {
      const unanswerable = admit(principal, "vehicle.facets") ?? searchRefusal(search, query);
      if (unanswerable !== null) return unanswerable;
      const scope = scopeOf(principal);
      const filter = vehicleFilterOf(scope === null ? query : { ...query, dealer_id: scope }, clock);
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
    },
  };
};

export type Facets = ReturnType<typeof makeFacets>;
