import { Failure } from "../../failure.ts";
import type { DealerScope } from "../decide.ts";

/**
 * A caller that is bound to a dealer may send that dealer's id with a change of a vehicle, but no other dealer's.
 * `scope` is the caller's dealer, and `dealerId` is the id that was sent. `null` allows.
 */
export const dealersKeyMayNotMoveVehicle = (scope: DealerScope, dealerId: number | undefined): Failure | null =>
  scope === null || dealerId === undefined || dealerId === scope ? null : new Failure({ kind: "reassignment" });
