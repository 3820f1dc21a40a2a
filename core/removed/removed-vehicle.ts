import Type from "typebox";
import type { AuditEntry } from "../audit/audit-entry.ts";
import { type Clock, msOf, type Timestamp, timestampAt } from "../clock.ts";
import { PageQuery } from "../page.ts";
import { type Input, id } from "../schema.ts";
import { vehicleSearch } from "../search/query.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";

/** For how long a removed vehicle can be taken back. */
const RESTORABLE_DAYS = 30;
const DAY_SECONDS = 24 * 60 * 60;

/** Vehicles that were removed at this moment or before cannot be taken back any more. */
export const oldestRestorable = (clock: Pick<Clock, "after">): Timestamp => clock.after(-RESTORABLE_DAYS * DAY_SECONDS);

/** Until when a vehicle can be taken back that was removed then. */
export const restorableUntil = (removedAt: Timestamp): Timestamp =>
  timestampAt(msOf(removedAt) + RESTORABLE_DAYS * DAY_SECONDS * 1000);

/** A removed vehicle, as answered. */
export interface RemovedVehicle extends Vehicle {
  readonly removed_at: Timestamp;
  /** Who removed it; to a dealer, somebody from outside it is only an `operator`. */
  readonly removed_by: AuditEntry["actor"];
  readonly restorable_until: Timestamp;
  /**
   * What shows its primary image: its address, or the small picture of a photo, which is not delivered while the vehicle
   * is removed; `null` if it had no image.
   */
  readonly picture: string | null;
}

/** Query of GET /api/vehicles/removed. */
export const RemovedQuery = Type.Object({
  dealer_id: Type.Optional(
    id({ description: "Only vehicles of this dealer. For a bound key, it is replaced by the key's dealer." }),
  ),
  q: Type.Optional(vehicleSearch),
  ...PageQuery,
});
export type RemovedQuery = Input<typeof RemovedQuery>;
