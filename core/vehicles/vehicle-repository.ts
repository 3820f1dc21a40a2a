import type { DealerScope } from "../access/decide.ts";
import type { Actor } from "../access/principal.ts";
import type { Timestamp } from "../clock.ts";
import type { LongItems } from "../long-items.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { Page } from "../page.ts";
import type { JsonArray, JsonRecord } from "../stored-json.ts";
import type { Status, Vehicle } from "./vehicle.ts";

/** What a list of vehicles is narrowed to; amounts in whole units of the currency. */
export interface VehicleFilter {
  readonly dealerId?: number;
  readonly status?: Status;
  readonly featured?: boolean;
  readonly make?: string;
  readonly model?: string;
  readonly year?: number;
  readonly minPrice?: number;
  readonly maxPrice?: number;
}

/** A place in the order of a list: right behind this vehicle. */
export interface Position {
  readonly created_at: Timestamp;
  readonly id: number;
}

/** A long page's vehicles, as JSON texts, and where the page ends. */
export interface LongVehicles extends LongItems<string> {
  readonly last: Position;
}

/** A page of vehicles: newest first, then by id descending. */
export interface VehiclePage {
  /** Every match, whatever the page. */
  readonly total: number;
  readonly vehicles: JsonArray<Vehicle>;
  /** In place of `vehicles`, which are none then, where these are long; only for a page with `sliceBytes`. */
  readonly long?: LongVehicles;
  /** True when vehicles follow this page. */
  readonly more: boolean;
  /** Text of the statement that ran, with placeholders, never with values. */
  readonly sql: string;
}

/** What is stored of a vehicle besides its id. */
export type VehicleFields = Omit<Vehicle, "id">;

/** Fields an update sets; fields that are absent stay. */
export type VehicleUpdate = Partial<Omit<VehicleFields, "created_at" | "updated_at">>;

/** The dealer does not exist. */
export const UNKNOWN_DEALER = Symbol("unknown dealer");

/**
 * Vehicles in the database. Every method that takes a scope puts it into the WHERE of its statement, so that no
 * change of owner can slip between a check and a change; what the scope hides is `null`.
 */
export interface VehicleRepository {
  list(query: {
    readonly scope: DealerScope;
    readonly filter: VehicleFilter;
    readonly page: Page;
    readonly from: Position | null;
  }): MaybePromise<VehiclePage>;
  find(id: number, scope: DealerScope): MaybePromise<JsonRecord<Vehicle> | null>;
  /** True when the vehicle in scope is still this version: a fraction of what reading it costs. */
  isVersion(id: number, scope: DealerScope, version: Timestamp): MaybePromise<boolean>;
  /** The owner of a vehicle, whoever asks: tells "not yours" from "not there" after a miss. */
  ownerOf(id: number): Promise<number | null>;
  /** The fields are stored, and answered, in the order they have here. */
  insert(vehicle: VehicleFields, by: Actor): Promise<JsonRecord<Vehicle> | typeof UNKNOWN_DEALER>;
  /**
   * Changes one vehicle; `updated_at` becomes `now`, or a millisecond past the one before where that is later.
   * `versions`, when given, are the only values of `updated_at` on which the change happens.
   */
  update(change: {
    readonly id: number;
    readonly scope: DealerScope;
    readonly changes: VehicleUpdate;
    readonly now: Timestamp;
    readonly versions: readonly Timestamp[] | null;
    readonly by: Actor;
  }): Promise<JsonRecord<Vehicle> | null | typeof UNKNOWN_DEALER>;
  /** Removes one vehicle with its images; false when there is none in scope and version. */
  remove(removal: {
    readonly id: number;
    readonly scope: DealerScope;
    readonly versions: readonly Timestamp[] | null;
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<boolean>;
}
