import { admit, type DealerScope, scopeOf } from "../decide.ts";
import type { Powers } from "../principal.ts";

const isWithin = (scope: DealerScope, dealerId: number | null): boolean => scope === null || scope === dealerId;

/**
 * What the service does later for somebody, it does only while that person may still do it. An import goes on, and the
 * file of a source is fetched, while whoever asked for it may import into its dealer.
 */
export const workNeedsItsMakersRights = (maker: Powers | null, dealerId: number | null): maker is Powers =>
  maker !== null && admit(maker, "import.create") === null && isWithin(scopeOf(maker), dealerId);

/** A feed is served while whoever made it may export the vehicles of all its dealers (`null`: of every dealer). */
export const feedNeedsItsMakersRights = (maker: Powers | null, dealerIds: readonly number[] | null): boolean => {
  if (maker === null || admit(maker, "vehicle.export") !== null) return false;
  const scope = scopeOf(maker);
  return scope === null || dealerIds?.every((id) => id === scope) === true;
};
