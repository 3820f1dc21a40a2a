import { msOf, type Timestamp } from "../clock.ts";
import type { Status } from "../vehicles/vehicle.ts";

/** The number of a dealer's vehicles with one status, and the sum of their prices in whole cents. */
export interface StatusTotals {
  readonly vehicles: number;
  readonly cents: number;
}

/** The newest or oldest vehicle of a dealer. */
export interface VehicleSummary {
  readonly id: number;
  readonly make: string;
  readonly model: string;
  readonly year: number;
  readonly created_at: Timestamp;
}

/** The values in the database that a dealer's statistics are computed from. */
export interface Inventory {
  readonly byStatus: Readonly<Record<Status, StatusTotals>>;
  /**
   * The mean of the times at which the vehicles that are not sold were listed, in ms since 1970, rounded up; `null` if
   * there are none.
   */
  readonly listedMs: number | null;
  readonly newest: VehicleSummary | null;
  readonly oldest: VehicleSummary | null;
  /** What the photos that the service holds for the dealer take. */
  readonly photoBytes: number;
}

/** The statistics of a dealer, as answered (interface 6.3). */
export interface Statistics {
  readonly dealer_id: number;
  readonly total_vehicles: number;
  readonly available_vehicles: number;
  readonly sold_vehicles: number;
  readonly pending_vehicles: number;
  readonly average_price: number;
  readonly inventory_value: number;
  readonly average_days_on_lot: number;
  readonly newest_vehicle: VehicleSummary | null;
  readonly oldest_vehicle: VehicleSummary | null;
  readonly photo_bytes: number;
  readonly timestamp: Timestamp;
}

const DAY_MS = 86_400_000;

/** The mean time since the listing, rounded down to whole days. A vehicle may be listed a day ahead. */
export const averageDays = (listedMs: number | null, now: Timestamp): number =>
  listedMs === null ? 0 : Math.max(0, Math.floor((msOf(now) - listedMs) / DAY_MS));

/**
 * The value of the inventory and the averages cover unsold vehicles only. They are computed in whole cents, so that
 * sums have no rounding errors.
 */
export const statisticsOf = (dealerId: number, inventory: Inventory, now: Timestamp): Statistics => {
  const { available, pending, sold } = inventory.byStatus;
  const unsold = available.vehicles + pending.vehicles;
  const cents = available.cents + pending.cents;
  return {
    dealer_id: dealerId,
    total_vehicles: unsold + sold.vehicles,
    available_vehicles: available.vehicles,
    sold_vehicles: sold.vehicles,
    pending_vehicles: pending.vehicles,
    average_price: unsold === 0 ? 0 : Math.round(cents / unsold) / 100,
    inventory_value: cents / 100,
    average_days_on_lot: averageDays(inventory.listedMs, now),
    newest_vehicle: inventory.newest,
    oldest_vehicle: inventory.oldest,
    photo_bytes: inventory.photoBytes,
    timestamp: now,
  };
};
