import type { DealerScope } from "../access/decide.ts";
import type { Actor } from "../access/principal.ts";
import type { Visibility } from "../access/visibility.ts";
import type { Timestamp } from "../clock.ts";
import type { Listing, Page } from "../page.ts";
import type { JsonRecord } from "../stored-json.ts";
import type { DuplicateVehicle } from "../vehicles/duplicates.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import type { RemovedVehicle } from "./removed-vehicle.ts";

/** The vehicle's dealer is not active. */
export const DEALER_INACTIVE = Symbol("dealer inactive");
/** The vehicle's dealer is not there any more. */
export const DEALER_GONE = Symbol("dealer gone");
/** Why a removed vehicle cannot be taken back. */
export type Unrestorable = typeof DEALER_INACTIVE | typeof DEALER_GONE;

/** One removed vehicle, of the scope and removed after `since`; others do not exist for the caller. */
interface RemovedVehicleAction {
  readonly id: number;
  readonly scope: DealerScope;
  readonly since: Timestamp;
  readonly now: Timestamp;
  readonly by: Actor;
}

/** Removed vehicles in the database. Every statement has the scope in its WHERE. */
export interface RemovedRepository {
  /** Last removed first. `visibility` decides whether the reader is told who removed a vehicle. */
  list(query: {
    readonly scope: DealerScope;
    readonly visibility: Visibility;
    readonly since: Timestamp;
    readonly filter: { readonly dealerId?: number; readonly search?: string };
    readonly page: Page;
  }): Promise<Listing<RemovedVehicle>>;
  /**
   * Makes it a vehicle again, with its id, fields and images; of two callers one succeeds. `updated_at` becomes `now`,
   * or one millisecond after its previous value if that is later. An unsold vehicle is not restored as a duplicate if its
   * dealer refuses that.
   */
  restore(removed: RemovedVehicleAction): Promise<JsonRecord<Vehicle> | Unrestorable | DuplicateVehicle | null>;
  /** Removes it for good; false if there is none. */
  purge(removed: RemovedVehicleAction): Promise<boolean>;
  /** Removes for good some of those that were removed at this moment or before. Returns how many; 0 if none is left. */
  purgeSome(before: Timestamp): Promise<number>;
}
