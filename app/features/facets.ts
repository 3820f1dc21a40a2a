import { facetRoutes } from "../../adapters/http/api/facets.ts";
import { makeFacetRepository } from "../../adapters/sql/facets/repository.ts";
import type { InventoryVersions } from "../../core/dealers/inventory-versions.ts";
import { makeFacets } from "../../core/facets/facets.ts";
import type { Feature } from "./feature.ts";
import type { Shared } from "./shared.ts";

/** The counts of vehicles by make, price and the like. */
export const wireFacets = ({ db, dealers, words, clock }: Shared, versions: InventoryVersions) => {
  const facets = makeFacets({ facets: makeFacetRepository(db), dealers, search: words, clock });
  return { uses: { facets }, routes: () => facetRoutes({ facets, versions, clock }) } satisfies Feature;
};
