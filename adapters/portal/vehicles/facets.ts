import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { AmountFacet, Amounts, FacetName, ValueCount, WordFacet } from "../../../core/facets/facet.ts";
import { type Query, read } from "../api/client.ts";

/** The requested facets. */
export type Facets = { readonly [Name in WordFacet]?: readonly (ValueCount & { readonly name?: string | null })[] } & {
  readonly [Name in AmountFacet]?: Amounts;
};

/** Counts of the vehicles that the other filters match; the previous counts stay until the next arrive. */
export const useFacets = (query: Query, names: readonly FacetName[], enabled: boolean) => {
  const facetQuery = { ...query, facets: names.join(",") };
  return useQuery({
    queryKey: ["/vehicles/facets", facetQuery],
    queryFn: async ({ signal }) =>
      (await read<{ readonly facets: Facets }>("/vehicles/facets", facetQuery, signal)).facets,
    placeholderData: keepPreviousData,
    enabled: enabled && names.length > 0,
  });
};
