import Type from "typebox";
import type { Timestamp } from "../clock.ts";
import { oneOf } from "../schema.ts";
import { daysOnLotOf } from "./days-on-lot.ts";
import type { Vehicle } from "./fields.ts";

/** What some sort values depend on besides the vehicle. */
interface SortContext {
  /** The moment up to which days on the lot are counted. */
  readonly asOf: Timestamp;
  /** The distance of each dealer in metres, by the dealer's id. */
  readonly metres?: ReadonlyMap<number, number>;
}

/** What vehicles can be sorted by, with the value for a vehicle. */
const VALUES = {
  created_at: (vehicle) => vehicle.created_at,
  updated_at: (vehicle) => vehicle.updated_at,
  price: (vehicle) => vehicle.price,
  mileage: (vehicle) => vehicle.mileage,
  year: (vehicle) => vehicle.year,
  days_on_lot: (vehicle, { asOf }) => daysOnLotOf(vehicle, asOf),
  distance: (vehicle, { metres }) => metres?.get(vehicle.dealer_id) ?? null,
} as const satisfies Readonly<Record<string, (vehicle: Vehicle, from: SortContext) => string | number | null>>;
export type SortValue = keyof typeof VALUES;

/** The order of a list of vehicles. Ties are in descending order of ids. Vehicles without a value come last. */
export interface VehicleOrder {
  readonly by: SortValue;
  readonly ascending: boolean;
  /** The moment up to which days on the lot are counted. Always set if vehicles are sorted by these days. */
  readonly asOf?: Timestamp;
  /**
   * The distance of each dealer in metres, by the dealer's id. Set once they are known, if vehicles are sorted by
   * distance.
   */
  readonly metres?: ReadonlyMap<number, number>;
}

/** THE list of the values of `sort`, with the order that each stands for. */
export const ORDERS = {
  newest: { by: "created_at", ascending: false },
  "-created": { by: "created_at", ascending: false },
  oldest: { by: "created_at", ascending: true },
  updated: { by: "updated_at", ascending: false },
  "-updated": { by: "updated_at", ascending: false },
  price: { by: "price", ascending: true },
  "-price": { by: "price", ascending: false },
  mileage: { by: "mileage", ascending: true },
  "-mileage": { by: "mileage", ascending: false },
  year: { by: "year", ascending: true },
  "-year": { by: "year", ascending: false },
  days_on_lot: { by: "days_on_lot", ascending: true },
  "-days_on_lot": { by: "days_on_lot", ascending: false },
  near: { by: "distance", ascending: true },
} as const satisfies Readonly<Record<string, VehicleOrder>>;
type Sort = keyof typeof ORDERS;
const SORTS = Object.keys(ORDERS) as Sort[];

/** The parameter that orders a list of vehicles. */
export const SortQuery = {
  sort: Type.Optional(
    oneOf(SORTS, {
      default: "newest",
      needs: { parameter: "near", beside: "near" },
      description:
        "The order of the list. Vehicles with equal values are ordered by descending id, and those without a mileage come last. `near` puts the nearest first, and needs the parameter `near`.",
    }),
  ),
};

/** A position in an order: just after a vehicle with this value and id. */
export interface Position {
  readonly value: string | number | null;
  readonly id: number;
  /** The moment up to which days on the lot were counted, if vehicles are sorted by these days. */
  readonly asOf?: Timestamp;
}

/** The order that a query asks for. Days on the lot are counted up to `asOf`. */
export const vehicleOrderOf = ({ sort = "newest" }: { readonly sort?: Sort }, asOf: () => Timestamp): VehicleOrder => {
  const order = ORDERS[sort];
  return order.by === "days_on_lot" ? { ...order, asOf: asOf() } : order;
};

/** True if a query asks for an order that depends on the time. */
export const sortsByDays = ({ sort = "newest" }: { readonly sort?: Sort }): boolean =>
  ORDERS[sort].by === "days_on_lot";

/** The position just after a vehicle. */
export const positionAfter = ({ by, asOf, metres }: VehicleOrder, vehicle: Vehicle): Position => ({
  value: VALUES[by](vehicle, { asOf: asOf ?? vehicle.created_at, ...(metres !== undefined && { metres }) }),
  id: vehicle.id,
  ...(asOf !== undefined && { asOf }),
});
