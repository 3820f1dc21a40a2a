import type { DealerScope } from "../access/decide.ts";
import type { Actor } from "../access/principal.ts";
import type { Timestamp } from "../clock.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import type { Sale } from "./sale.ts";

/** A vehicle, and its present sale if it is sold. */
export interface StoredSale extends Sale, Pick<Vehicle, "status" | "listed_at" | "updated_at"> {}

/** Sales of vehicles in the database, which begins and ends them by itself with the status. */
export interface SaleRepository {
  /** `null` if there is no such vehicle in scope. A sale that nobody told of has `null` for what is not known. */
  find(vehicleId: number, scope: DealerScope): MaybePromise<StoredSale | null>;
  /**
   * Changes the fields that are named of the sale of a sold vehicle; `sold_at` is the vehicle's. `null` if there is no
   * such vehicle in scope with this version.
   */
  change(change: {
    readonly vehicleId: number;
    readonly scope: DealerScope;
    readonly version: Timestamp;
    readonly changes: Partial<Sale>;
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<Sale | null>;
}
