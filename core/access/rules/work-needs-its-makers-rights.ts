import { admit, type DealerScope, scopeOf } from "../decide.ts";
import type { Powers } from "../principal.ts";
import { feedsAreMadeByThoseWhoMayReadThem } from "./feeds-are-made-by-those-who-may-read-them.ts";

const isWithin = (scope: DealerScope, dealerId: number | null): boolean => scope === null || scope === dealerId;

/**
 * Background work runs only while its maker still has the right to do it. An import continues, and the file of a source
 * is fetched, only while the maker may import vehicles for the dealer.
 */
export const workNeedsItsMakersRights = (maker: Powers | null, dealerId: number | null): maker is Powers =>
  maker !== null && admit(maker, "import.create") === null && isWithin(scopeOf(maker), dealerId);

/** A scheduled change is made only while its maker may change the vehicles of its dealer. */
export const scheduleNeedsItsMakersRights = (maker: Powers | null, dealerId: number): maker is Powers =>
  maker !== null && admit(maker, "vehicle.update") === null && isWithin(scopeOf(maker), dealerId);

/** A feed is served only while its maker may make it. `null` instead of dealers means every dealer. */
export const feedNeedsItsMakersRights = (maker: Powers | null, dealerIds: readonly number[] | null): boolean =>
  maker !== null && feedsAreMadeByThoseWhoMayReadThem(maker, dealerIds) === null;

/** A webhook is told of changes only while its maker may read the vehicles. `null` instead of a dealer means every dealer. */
export const webhookNeedsItsMakersRights = (maker: Powers | null, dealerId: number | null): maker is Powers =>
  maker !== null && admit(maker, "vehicle.read") === null && isWithin(scopeOf(maker), dealerId);
