import type { DealerScope } from "../access/decide.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { LotVehicle, SharedValues } from "./dealer-quality.ts";

/** What a vehicle is compared with: unsold vehicles of the same dealer. */
interface VehiclePeers {
  readonly shared: SharedValues;
  /**
   * The prices of other vehicles of the same make and model whose year differs by at most one. They are in cents and in
   * ascending order; prices of 0 are left out.
   */
  readonly peerPrices: readonly number[];
}

/** Reads what vehicles are judged by. Each vehicle has the addresses of its first 30 images. */
export interface LotRepository {
  /** The vehicle; `null` if there is no such vehicle in scope. */
  find(id: number, scope: DealerScope): MaybePromise<(LotVehicle & { readonly dealer_id: number }) | null>;
  /** The values that a vehicle is compared with. */
  peersOf(vehicle: LotVehicle & { readonly id: number; readonly dealer_id: number }): Promise<VehiclePeers>;
  /** Every dealer that has a vehicle on its lot. Only callers who are bound to no dealer may ask for it. */
  dealers(): MaybePromise<readonly number[]>;
  /** The values that several vehicles on a dealer's lot have in common. */
  shared(dealerId: number): MaybePromise<SharedValues>;
  /** The vehicles on a dealer's lot in small slices. Each slice takes about the same time, however large the lot is. */
  lot(dealerId: number): AsyncIterable<readonly LotVehicle[]>;
}
