import type { Change } from "../../history/change.ts";
import type { DealerScope } from "../decide.ts";
import { OPERATOR } from "./audit-entries-hide-other-dealers.ts";

/**
 * A change of a vehicle as its reader may see it. A bound caller sees no other dealer: not to whom the vehicle went, not
 * from whom it came, and not who acted from outside. `actorDealerId` is the actor's dealer.
 */
export const historyHidesOtherDealers = (scope: DealerScope, change: Change, actorDealerId: number | null): Change => {
  if (scope === null) return change;
  const shown = (value: Change["old"]) => (change.field === "dealer_id" && value !== scope ? null : value);
  const by = change.by !== null && actorDealerId !== scope ? OPERATOR : change.by;
  return { ...change, old: shown(change.old), new: shown(change.new), by };
};
