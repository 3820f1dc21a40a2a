import { Failure } from "../../failure.ts";
import { admit, scopeOf } from "../decide.ts";
import type { Powers } from "../principal.ts";

/**
 * A feed shows vehicles to everyone who knows its address. So only a caller who may export the vehicles of all its
 * dealers makes it, changes it, gives it a new address, or reads its vehicles. `null` instead of dealers means every
 * dealer. `null` allows.
 */
export const feedsAreMadeByThoseWhoMayReadThem = (
  caller: Powers,
  dealerIds: readonly number[] | null,
): Failure | null => {
  const refused = admit(caller, "vehicle.export");
  if (refused !== null) return refused;
  const scope = scopeOf(caller);
  const isInReach = scope === null || dealerIds?.every((id) => id === scope) === true;
  return isInReach ? null : new Failure({ kind: "foreign", subject: "dealer" });
};
