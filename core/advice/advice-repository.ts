import type { DealerScope } from "../access/decide.ts";
import type { Timestamp } from "../clock.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";

/** A vehicle that was sold. */
export interface SoldVehicle {
  readonly id: number;
  readonly year: number;
  /** Its price; what it was sold for, if somebody entered that. */
  readonly cents: number;
  readonly listed_at: Timestamp;
  readonly sold_at: Timestamp;
}

/** Sales of a dealer. Every statement has the scope in its WHERE, and reads as many rows as it answers. */
export interface AdviceRepository {
  /** The last sold vehicles of the same dealer, make and model as this one, the last sold first. */
  soldOfModel(vehicle: Vehicle, scope: DealerScope, most: number): Promise<readonly SoldVehicle[]>;
  /** The same of the same dealer, make and body style. */
  soldOfStyle(vehicle: Vehicle, scope: DealerScope, most: number): Promise<readonly SoldVehicle[]>;
}
