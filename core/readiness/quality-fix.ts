import type { VehicleUpdate } from "../vehicles/vehicle-repository.ts";
import { isPlaceholderVin } from "../vin/placeholder.ts";
import type { JudgedVehicle } from "./quality.ts";
import { swappedDateOf } from "./swapped-date.ts";

/** The rules whose violations the service can mend by itself. */
export const FIXABLE_RULES = ["vin_placeholder", "dates_swapped"] as const;
export type FixableRule = (typeof FIXABLE_RULES)[number];

/** What mends a vehicle; nothing if it does not break the rule, or if it is not known what is right. */
export const fixOf = (rule: FixableRule, vehicle: JudgedVehicle): VehicleUpdate => {
  if (vehicle.status === "sold") return {};
  if (rule === "vin_placeholder") return vehicle.vin !== null && isPlaceholderVin(vehicle.vin) ? { vin: null } : {};
  const right = vehicle.isOfImport === true ? swappedDateOf(vehicle)?.right : null;
  return right == null ? {} : { listed_at: right };
};
