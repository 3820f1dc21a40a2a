import { holds } from "../permissions.ts";
import type { Powers } from "../principal.ts";

/** What a vehicle was sold for is nobody's business who only reads inventory, in the audit log as anywhere. */
export const salesAreForThoseWhoWriteVehicles = (caller: Pick<Powers, "permissions">): boolean =>
  holds(caller.permissions, "vehicles:write");
