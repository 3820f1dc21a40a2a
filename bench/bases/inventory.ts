import { foldedName, type SentVehicle, type Value, type VehicleRow, type vehicleOf } from "./vehicle.ts";

/** A value, or a promise of it. */
export type MaybePromise<Item> = Item | Promise<Item>;

export type Vehicle = ReturnType<typeof vehicleOf>;

/** A page of vehicles with the total, as answered. */
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
  read(id: number): MaybePromise<Vehicle | null>;
  ofDealer(dealer: number, page: Page): MaybePromise<List>;
  /** The vehicles of a make and model within a price range. */
  ofModel(search: ModelSearch, page: Page): MaybePromise<List>;
  /** The vehicles of a dealer that have both words. */
  withWords(dealer: number, words: string, page: Page): MaybePromise<List>;
  /** The vehicles of a dealer, the most expensive first. */
  byPrice(dealer: number, page: Page): MaybePromise<List>;
  statistics(dealer: number): MaybePromise<object>;
  /** The number of a dealer's vehicles for each value of each facet. */
  facets(dealer: number): MaybePromise<object>;
  /** The history of a vehicle. `null` if there is no such vehicle. */
  history(id: number, page: Page): MaybePromise<object | null>;
  create(sent: SentVehicle): MaybePromise<object>;
  /** The changed vehicle. `null` if there is no such vehicle. */
  changePrice(id: number, price: number): MaybePromise<Vehicle | null>;
}

/** The parameters of a list as a query contains them. */
export interface ListQuery extends ModelSearch {
  readonly dealer_id?: string | null;
  readonly q?: string | null;
  readonly sort?: string | null;
  readonly limit?: string | null;
  readonly offset?: string | null;
}

type Listing = "ofDealer" | "ofModel" | "withWords" | "byPrice";

/** The list that a query requests. */
export const listForQuery = <Lists extends Pick<Inventory, Listing>>(inventory: Lists, query: ListQuery) => {
  const page = pageOf(query.limit, query.offset);
  if (query.dealer_id == null) return inventory.ofModel(query, page) as ReturnType<Lists["ofModel"]>;
  const dealer = Number(query.dealer_id);
  if (query.q != null) return inventory.withWords(dealer, query.q, page) as ReturnType<Lists["ofModel"]>;
  const list = query.sort == null ? inventory.ofDealer(dealer, page) : inventory.byPrice(dealer, page);
  return list as ReturnType<Lists["ofModel"]>;
};

/** Values for `withWords` and `countWithWords`: for each of the two words, the beginning of its stored form. */
export const wordFilters = (dealer: number, words: string): Value[] => {
  const [one = "", other = ""] = words.toLowerCase().split(" ");
  return [dealer, dealer, ` ${one}`, ` ${other}`];
};

interface FacetRow {
  readonly facet: string;
  readonly value: string | null;
  readonly count: number;
}

/** The rows of `facets` in the form of the answer. */
export const presentFacets = (rows: unknown[]): object => {
  const facets: Record<string, Omit<FacetRow, "facet">[]> = {};
  for (const { facet, ...counted } of rows as FacetRow[]) {
    facets[facet] ??= [];
    facets[facet].push(counted);
  }
  for (const counts of Object.values(facets)) counts.sort((one, other) => other.count - one.count);
  return { meta: { timestamp: new Date().toISOString() }, facets };
};

/** The rows of `changes` and `changeFacts` in the form of the answer. */
export const presentHistory = (rows: unknown[], [facts]: unknown[]): object => ({
  meta: { timestamp: new Date().toISOString() },
  changes: (rows as { actor: string | null }[]).map((row) => ({
    ...row,
    actor: row.actor === null ? null : JSON.parse(row.actor),
  })),
  ...(facts as object),
});

/** The filters of a search as a query contains them. */
export interface ModelSearch {
  readonly make?: string | null;
  readonly model?: string | null;
  readonly min_price?: string | null;
  readonly max_price?: string | null;
}

/** Values for `ofModel` and `countOfModel`. */
export const modelFilters = ({ make, model, min_price, max_price }: ModelSearch): Value[] => [
  foldedName(make ?? ""),
  foldedName(model ?? ""),
  Number(min_price) * 100,
  Number(max_price) * 100,
];

/** The part of a list that a query requests, with the service's parameter names. */
export const pageOf = (limit: string | null | undefined, offset: string | null | undefined): Page => ({
  limit: Number(limit ?? 100),
  offset: Number(offset ?? 0),
});

/** The ETag of a vehicle. It changes with every update. */
export const tagOf = ({ updated_at }: { readonly updated_at: VehicleRow[string] | undefined }): string =>
  `"${updated_at}"`;
