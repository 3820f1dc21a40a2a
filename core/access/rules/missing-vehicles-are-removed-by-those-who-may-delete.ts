import type { Failure } from "../../failure.ts";
import { admit } from "../decide.ts";
import type { Powers } from "../principal.ts";

/** A snapshot removes the vehicles that it does not name only for those who could delete them one by one. */
export const missingVehiclesAreRemovedByThoseWhoMayDelete = (
  caller: Powers,
  { mode, missing }: { readonly mode: string; readonly missing: string },
): Failure | null => (mode === "snapshot" && missing === "remove" ? admit(caller, "vehicle.delete") : null);
