import { msOf, type Timestamp } from "../clock.ts";
import type { Vehicle } from "./fields.ts";

/** The last day of each age that vehicles on the lot are counted in. A further age has those that have been there longer. */
export const AGE_LIMITS = [30, 60, 90] as const;

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The whole days of 24 hours from a vehicle's listing to its sale, or to `now` if it is not sold; never below 0. If the
 * date of the sale is unknown, the vehicle's last change counts as the sale.
 */
export const daysOnLotOf = (
  vehicle: Pick<Vehicle, "status" | "listed_at" | "sold_at" | "created_at" | "updated_at">,
  now: Timestamp,
): number => {
  const end = vehicle.status === "sold" ? (vehicle.sold_at ?? vehicle.updated_at) : now;
  return Math.max(0, Math.floor((msOf(end) - msOf(vehicle.listed_at ?? vehicle.created_at)) / DAY_MS));
};
