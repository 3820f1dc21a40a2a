import { Failure } from "../../failure.ts";
import type { DealerScope } from "../decide.ts";

/**
 * A caller bound to a dealer may send that dealer's id along with a change of a vehicle, but no other. `scope` is the
 * caller's dealer, `dealerId` the one sent. `null` allows.
 */
export const dealersKeyMayNotMoveVehicle = (scope: DealerScope, dealerId: number | undefined): Failure | null =>
  scope === null || dealerId === undefined || dealerId === scope ? null : new Failure({ kind: "reassignment" });
