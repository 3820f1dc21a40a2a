import type { DealerScope } from "../access/decide.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { LotVehicle, SharedValues } from "./dealer-quality.ts";

/** The unsold vehicles of the same dealer that a vehicle is compared with. */
interface VehiclePeers {
  readonly shared: SharedValues;
  /** The prices of others of its make and model, of about its year: in cents, in order, and without those of 0. */
  readonly peerPrices: readonly number[];
}

/** What vehicles are judged by, in the database. A vehicle has the addresses of its first 30 images. */
export interface LotRepository {
  /** `null` if there is no such vehicle in scope. */
  find(id: number, scope: DealerScope): MaybePromise<(LotVehicle & { readonly dealer_id: number }) | null>;
  /** What a vehicle is compared with. */
  peersOf(vehicle: LotVehicle & { readonly id: number; readonly dealer_id: number }): Promise<VehiclePeers>;
  /** Every dealer with a vehicle on its lot, for callers of all dealers. */
  dealers(): MaybePromise<readonly number[]>;
  /** What several vehicles on a dealer's lot have. */
  shared(dealerId: number): MaybePromise<SharedValues>;
  /** The vehicles on a dealer's lot, a few at a time: however many there are, each slice takes about the same. */
  lot(dealerId: number): AsyncIterable<readonly LotVehicle[]>;
}
