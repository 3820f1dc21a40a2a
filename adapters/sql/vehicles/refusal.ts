import { DuplicateVehicle } from "../../../core/vehicles/duplicates.ts";
import { UNKNOWN_DEALER } from "../../../core/vehicles/vehicle-repository.ts";
import type { SqlDatabase } from "../query/database.ts";
import { DuplicateFound } from "./duplicates.ts";

/** Why a change of a vehicle was not made, if its dealer is the reason. */
export type Refusal = typeof UNKNOWN_DEALER | DuplicateVehicle;

/** True if a change was not made. */
export const isRefusal = (result: unknown): result is Refusal =>
  result === UNKNOWN_DEALER || result instanceof DuplicateVehicle;

/** Makes a change of a vehicle. Returns why it was not made, instead of throwing, if its dealer is the reason. */
export const catchingRefusal = async <Result>(
  db: Pick<SqlDatabase, "violation">,
  change: () => Promise<Result>,
): Promise<Result | Refusal> => {
  try {
    return await change();
  } catch (error) {
    if (error instanceof DuplicateFound) return error.found;
    if (db.violation(error) === "foreign-key") return UNKNOWN_DEALER;
    throw error;
  }
};
