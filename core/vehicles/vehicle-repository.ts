import type { DealerScope } from "../access/decide.ts";
import type { Actor } from "../access/principal.ts";
import type { Timestamp } from "../clock.ts";
import type { LongItems } from "../long-items.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { Page } from "../page.ts";
import type { JsonArray, JsonRecord } from "../stored-json.ts";
import type { Duplicates, DuplicateVehicle, UniqueField } from "./duplicates.ts";
import type { Vehicle } from "./vehicle.ts";
import type { VehicleFilter } from "./vehicle-filter.ts";
import type { Position, VehicleOrder } from "./vehicle-order.ts";

/** A page of vehicles. */
export interface VehiclePage {
  /** The number of all matches. */
  readonly total: number;
  readonly vehicles: JsonArray<Vehicle>;
  /** The vehicles of a long page. `vehicles` is empty then. Only set if `sliceBytes` was given. */
  readonly long?: LongItems<string>;
  /** True if vehicles follow this page. */
  readonly more: boolean;
  /** The position at which this page ends; `null` if no vehicles follow. */
  readonly last: Position | null;
  /** The text of the SQL statement that ran, with placeholders instead of values. */
  readonly sql: string;
}

/** The stored fields of a vehicle, without its id. */
export type VehicleFields = Omit<Vehicle, "id">;

/** What a vehicle is sold for, if somebody entered it. It is stored with the vehicle's sale. */
interface EnteredSale {
  readonly sold_price?: number;
}

/** What becomes of the sale of a vehicle that comes back. If `undo_sale` is false, the sale stands. */
interface EndedSale {
  readonly undo_sale?: boolean;
}

/** A new vehicle. */
export type NewVehicleFields = VehicleFields & EnteredSale;

/** The fields that an update sets. Absent fields do not change. */
export type VehicleUpdate = Partial<
  Omit<VehicleFields, "created_at" | "updated_at" | "previous_price" | "price_changed_at">
> &
  EnteredSale &
  EndedSale;

/** The result if the dealer does not exist. */
export const UNKNOWN_DEALER = Symbol("unknown dealer");

/**
 * Stored vehicles. Methods with a scope put it into the WHERE of their statement, so that the owner cannot change
 * between the check and the change. A vehicle outside the scope is treated as if it did not exist.
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
  /** True if the vehicle is in scope and still has this version. It costs much less than reading the vehicle. */
  isVersion(id: number, scope: DealerScope, version: Timestamp): MaybePromise<boolean>;
  /**
   * The owner of a vehicle, whoever the caller is; `null` if there is no such vehicle. It is used to explain why a
   * vehicle was not found in scope.
   */
  ownerOf(id: number): Promise<number | null>;
  /** True if the dealer of the vehicle, or this other dealer, refuses duplicates. */
  refusesDuplicates(id: number, dealerId: number | null): MaybePromise<boolean>;
  /**
   * Stores a vehicle. Its fields keep the order in which they are given. A `sold_price` is stored with its sale, in the
   * same transaction, and has an audit entry of its own, as not everybody who reads vehicles may read it. With
   * `mustBeUnique`, the vehicle is not stored if the dealer refuses duplicates and it is one.
   */
  insert(
    vehicle: NewVehicleFields,
    by: Actor,
    mustBeUnique?: boolean,
  ): Promise<JsonRecord<Vehicle> | typeof UNKNOWN_DEALER | DuplicateVehicle>;
  /**
   * Stores a vehicle as `insert` does, and finds the other unsold vehicles of the dealer with its VIN or stock number.
   * It is not stored if the dealer refuses such a vehicle.
   */
  insertCompared(
    vehicle: NewVehicleFields,
    by: Actor,
  ): Promise<
    { readonly record: JsonRecord<Vehicle>; readonly others: Duplicates } | typeof UNKNOWN_DEALER | DuplicateVehicle
  >;
  /**
   * Changes one vehicle. `updated_at` becomes `now`, or one millisecond after its previous value if that is later. If
   * `versions` is given, the current `updated_at` must be one of them.
   *
   * Fields that follow from the change are set, too, unless `changes` contains them. A new price keeps the previous one
   * in `previous_price`. A new status clears the stage, and sets or clears `sold_at`. A move to another dealer clears
   * `previous_price` and sets `listed_at` to this moment, and `sold_at`, too, if the vehicle is sold. A `sold_price` is
   * stored as `insert` stores it. A vehicle that is not sold any more has no sale, unless `undo_sale` is false: then the
   * sale stands in reports, and a later sale is another one.
   */
  update(change: {
    readonly id: number;
    readonly scope: DealerScope;
    readonly changes: VehicleUpdate;
    readonly now: Timestamp;
    readonly versions: readonly Timestamp[] | null;
    /** By these fields the changed vehicle must not be a duplicate if its dealer refuses that. */
    readonly unique?: readonly UniqueField[];
    readonly by: Actor;
  }): Promise<JsonRecord<Vehicle> | null | typeof UNKNOWN_DEALER | DuplicateVehicle>;
  /**
   * Removes one vehicle with its images. It can be restored (see `core/removed`). Returns false if there is no such
   * vehicle in scope with one of the versions.
   */
  remove(removal: {
    readonly id: number;
    readonly scope: DealerScope;
    readonly versions: readonly Timestamp[] | null;
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<boolean>;
}
