import type { DealerScope } from "../access/decide.ts";
import type { Actor } from "../access/principal.ts";
import type { Timestamp } from "../clock.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import type { Sale } from "./sale.ts";

/** A vehicle, and its present sale if it is sold. */
export interface StoredSale extends Sale, Pick<Vehicle, "status" | "listed_at" | "updated_at"> {}

/** Sales of vehicles. The database begins and ends them when the status of a vehicle changes. */
export interface SaleRepository {
  /** The sale; `null` if there is no such vehicle in scope. Fields of the sale that nobody stated are `null`. */
  find(vehicleId: number, scope: DealerScope): MaybePromise<StoredSale | null>;
  /**
   * Changes the given fields of a sold vehicle's sale. `sold_at` is a field of the vehicle, and is changed there.
   * Returns `null` if there is no such vehicle in scope with this version.
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
