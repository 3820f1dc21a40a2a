import { holds } from "../../permissions.ts";
import type { Powers } from "../principal.ts";

/** Callers who may only read the inventory do not see selling prices, neither in the audit log nor elsewhere. */
export const salesAreForThoseWhoWriteVehicles = (caller: Pick<Powers, "permissions">): boolean =>
  holds(caller.permissions, "vehicles:write");
