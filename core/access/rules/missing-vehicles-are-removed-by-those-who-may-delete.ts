import type { Failure } from "../../failure.ts";
import { admit } from "../decide.ts";
import type { Powers } from "../principal.ts";

/** A snapshot that removes the vehicles missing from it needs the right to delete vehicles. `null` allows. */
export const missingVehiclesAreRemovedByThoseWhoMayDelete = (
  caller: Powers,
  { mode, missing }: { readonly mode: string; readonly missing: string },
): Failure | null => (mode === "snapshot" && missing === "remove" ? admit(caller, "vehicle.delete") : null);
