import { Failure } from "../../failure.ts";
import type { DealerScope } from "../decide.ts";

/**
 * A caller bound to a dealer may send that dealer's id when it changes a vehicle, but no other id. `scope` is the
 * caller's dealer, `dealerId` the id sent. `null` allows.
 */
export const dealersKeyMayNotMoveVehicle = (scope: DealerScope, dealerId: number | undefined): Failure | null =>
  scope === null || dealerId === undefined || dealerId === scope ? null : new Failure({ kind: "reassignment" });
