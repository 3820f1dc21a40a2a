import type { DealerScope } from "../access/decide.ts";
import type { Actor } from "../access/principal.ts";
import type { Timestamp } from "../clock.ts";
import type { LongItems } from "../long-items.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { Page } from "../page.ts";
import type { JsonArray, JsonRecord } from "../stored-json.ts";
import type { Vehicle } from "./vehicle.ts";
import type { VehicleFilter } from "./vehicle-filter.ts";
import type { Position, VehicleOrder } from "./vehicle-order.ts";

/** A page of vehicles in the order asked for. */
export interface VehiclePage {
  /** The number of all matches. */
  readonly total: number;
  readonly vehicles: JsonArray<Vehicle>;
  /** The vehicles of a long page, for which `vehicles` is empty. Only if `sliceBytes` was given. */
  readonly long?: LongItems<string>;
  /** True if vehicles follow this page. */
  readonly more: boolean;
  /** Where this page ends, if vehicles follow it. */
  readonly last: Position | null;
  /** The SQL text that ran, with placeholders, never with values. */
  readonly sql: string;
}

/** The stored fields of a vehicle, without its id. */
export type VehicleFields = Omit<Vehicle, "id">;

/** The fields that an update sets; absent fields stay. */
export type VehicleUpdate = Partial<
  Omit<VehicleFields, "created_at" | "updated_at" | "previous_price" | "price_changed_at">
>;

/** The dealer does not exist. */
export const UNKNOWN_DEALER = Symbol("unknown dealer");

/**
 * Vehicles in the database. Methods with a scope put it into the WHERE of their statement, so a change of owner cannot
 * slip between check and change. Records outside the scope are `null`.
 */
export interface VehicleRepository {
  list(query: {
    readonly scope: DealerScope;
    readonly filter: VehicleFilter;
    /** Newest first unless another order is asked for. */
    readonly order?: VehicleOrder;
    readonly page: Page;
    readonly from: Position | null;
  }): MaybePromise<VehiclePage>;
  find(id: number, scope: DealerScope): MaybePromise<JsonRecord<Vehicle> | null>;
  /** True if the vehicle is in scope and still has this version. Costs a fraction of reading it. */
  isVersion(id: number, scope: DealerScope, version: Timestamp): MaybePromise<boolean>;
  /** The owner of a vehicle, for any caller. Explains a miss: another dealer's, or not there. */
  ownerOf(id: number): Promise<number | null>;
  /** How many vehicles a dealer has that are not sold, and the sum of their whole days on the lot. */
  unsoldDays(query: {
    readonly dealerId: number;
    readonly scope: DealerScope;
    readonly nowMs: number;
  }): MaybePromise<{ readonly vehicles: number; readonly days: number }>;
  /** The fields are stored and answered in the order given. */
  insert(vehicle: VehicleFields, by: Actor): Promise<JsonRecord<Vehicle> | typeof UNKNOWN_DEALER>;
  /**
   * Changes one vehicle. `updated_at` becomes `now`, or one millisecond after its previous value if that is later. If
   * `versions` is given, `updated_at` must be one of them.
   *
   * What follows from the change is set with it, unless `changes` names it: a new price keeps the one before; a new
   * status clears the stage, and sets or clears `sold_at`; a move to another dealer clears `previous_price`, and the
   * vehicle is listed, and if it is sold, was sold, at that moment.
   */
  update(change: {
    readonly id: number;
    readonly scope: DealerScope;
    readonly changes: VehicleUpdate;
    readonly now: Timestamp;
    readonly versions: readonly Timestamp[] | null;
    readonly by: Actor;
  }): Promise<JsonRecord<Vehicle> | null | typeof UNKNOWN_DEALER>;
  /**
   * Removes one vehicle with its images, so that it can be taken back (see `core/removed`); false if there is none in
   * scope with one of the versions.
   */
  remove(removal: {
    readonly id: number;
    readonly scope: DealerScope;
    readonly versions: readonly Timestamp[] | null;
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<boolean>;
}
