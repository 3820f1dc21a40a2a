import type { SentVehicle, Value, VehicleRow, vehicleOf } from "./vehicle.ts";

/** A value, or a promise of it. */
export type Soon<Item> = Item | Promise<Item>;

export type Vehicle = ReturnType<typeof vehicleOf>;

/** A page of vehicles and the total, as answered. */
export interface List {
  readonly meta: { readonly total: number | undefined; readonly timestamp: string };
  readonly vehicles: readonly Vehicle[];
}

/** The requested part of a list. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** The storage of the hand-written contenders, for any server. */
export interface Inventory {
  /** `null` if there is no such vehicle. */
  read(id: number): Soon<Vehicle | null>;
  ofDealer(dealer: number, page: Page): Soon<List>;
  /** Vehicles of a make and model in a price range. */
  ofModel(search: ModelSearch, page: Page): Soon<List>;
  statistics(dealer: number): Soon<object>;
  create(sent: SentVehicle): Soon<object>;
  /** The changed vehicle; `null` if there is none. */
  changePrice(id: number, price: number): Soon<Vehicle | null>;
}

/** The filters of a search, as a query gives them. */
export interface ModelSearch {
  readonly make?: string | null;
  readonly model?: string | null;
  readonly min_price?: string | null;
  readonly max_price?: string | null;
}

/** Values for `ofModel` and `countOfModel`. */
export const modelFilters = ({ make, model, min_price, max_price }: ModelSearch): Value[] => [
  make?.toLowerCase() ?? "",
  model?.toLowerCase() ?? "",
  Number(min_price) * 100,
  Number(max_price) * 100,
];

/** The part of a list that a query requests, with the service's parameter names. */
export const pageOf = (limit: string | null | undefined, offset: string | null | undefined): Page => ({
  limit: Number(limit ?? 100),
  offset: Number(offset ?? 0),
});

/** The ETag of a vehicle; it changes with every update. */
export const tagOf = ({ updated_at }: { readonly updated_at: VehicleRow[string] | undefined }): string =>
  `"${updated_at}"`;
