import { type Query, readList } from "../api/client.ts";
import { useList } from "../api/queries.ts";
import type { Filter } from "../lists/filters.tsx";
import type { ListState } from "../lists/list-state.ts";
import type { Sorting } from "../lists/record-table.tsx";
import { type ListedVehicle, VEHICLE_INCLUDES } from "./vehicle-columns.tsx";
import { isSearchable } from "./vehicle-words.ts";

/** The service's `sort` for a column and direction. */
const sortOf = ({ by, order }: Sorting): string => {
  if (by === "created") return order === "desc" ? "newest" : "oldest";
  return order === "desc" ? `-${by}` : by;
};

/** The query of a list of vehicles from the page's address: its filters and order. */
export const vehicleQueryOf = (list: ListState, filters: readonly Filter[]) => {
  const sorting = list.sorting("created", "desc");
  const set = Object.fromEntries(
    filters.flatMap(({ name, dependentParams = [] }) =>
      [name, ...dependentParams].map((one) => [one, list.values(one)]),
    ),
  );
  /** The filters that are set, without order and page. */
  const filterQuery: Query = { ...set, q: isSearchable(list.filter("q")) ? list.filter("q") : "" };
  return { sorting, filterQuery, ordered: { ...filterQuery, sort: sortOf(sorting) } satisfies Query };
};

/** A list of vehicles from the page's address: its filters, order and page. */
export const useVehicleList = ({
  path,
  list,
  filters,
}: {
  readonly path: string;
  readonly list: ListState;
  readonly filters: readonly Filter[];
}) => {
  const { sorting, filterQuery, ordered } = vehicleQueryOf(list, filters);
  const include = filterQuery.q === "" ? VEHICLE_INCLUDES : `${VEHICLE_INCLUDES},understood`;
  const listed: Query = { ...ordered, include };
  return {
    filterQuery,
    sorting,
    query: useList<ListedVehicle>(path, { ...listed, ...list.range }),
    readFirst: async (count: number): Promise<readonly ListedVehicle[]> =>
      (await readList<ListedVehicle>(path, { ...listed, limit: count })).items,
  };
};
