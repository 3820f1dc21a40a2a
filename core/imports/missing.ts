import type { Principal } from "../access/principal.ts";
import type { Clock } from "../clock.ts";
import { sourceOf } from "./bases.ts";
import type { ImportOptions } from "./import.ts";
import type { ImportStep, StoredRow } from "./import-repository.ts";

/** The number of vehicles that may be missing without a confirmation, whatever percentage this is. */
const MAX_WITHOUT_CONFIRMATION = 3;
const PERCENT = 100;

/**
 * True if so many vehicles are missing that somebody must confirm it. `there` is the number of vehicles that are not.
 */
export const needsConfirmation = (
  missing: number,
  there: number,
  { max_missing_percent: most }: Pick<ImportOptions, "max_missing_percent">,
): boolean => missing > MAX_WITHOUT_CONFIRMATION && missing * PERCENT > most * (missing + there);

/**
 * Handles the next missing vehicles of a snapshot as requested. Returns their results, or `null` if there are no more.
 */
export const handleMissing = async (
  step: ImportStep,
  { by, clock, done }: { readonly by: Principal; readonly clock: Clock; readonly done: number },
): Promise<readonly StoredRow[] | null> => {
  const { dealerId, options } = step.current;
  const rows = await step.missingAfter(done);
  if (rows.length === 0 || dealerId === null) return null;
  const vehicles = await step.vehiclesOf(
    dealerId,
    rows.map(({ vehicleId }) => vehicleId),
  );
  await step.forgetStatusOf(
    sourceOf(step.current),
    vehicles.map(({ id }) => id),
  );
  const results: StoredRow[] = [];
  for (const { place, vehicleId: id } of rows) {
    const vehicle = vehicles.find((one) => one.id === id);
    // False if somebody has sold or removed the vehicle meanwhile.
    const isThere = vehicle !== undefined && vehicle.status !== "sold";
    const now = clock.now();
    if (isThere && options.missing === "remove")
      await step.vehicles.remove({ id, scope: dealerId, versions: null, now, by });
    if (isThere && options.missing === "sold")
      await step.vehicles.update({ id, scope: dealerId, changes: { status: "sold" }, now, versions: null, by });
    results.push({
      place,
      line: null,
      row: null,
      key: vehicle?.vin ?? vehicle?.stock_number ?? null,
      dealerId,
      compared: { vin: null, stock_number: null },
      outcome: "missing",
      vehicle_id: id,
      changes: isThere && options.missing === "sold" ? { status: [vehicle.status, "sold"] } : {},
      errors: [],
      warnings: [],
    });
  }
  return results;
};
