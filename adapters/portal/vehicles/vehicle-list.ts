import { type Query, readList } from "../api/client.ts";
import { useListed } from "../api/queries.ts";
import type { Filter } from "../lists/filters.tsx";
import type { ListState } from "../lists/list-state.ts";
import type { Sorting } from "../lists/record-table.tsx";
import { BESIDE_VEHICLES, type ListedVehicle } from "./vehicle-columns.tsx";
import { isSearchable } from "./vehicle-words.ts";

/** The orders of the service, by what is sorted and whether the last comes first. */
const sortOf = ({ by, order }: Sorting): string => {
  if (by === "created") return order === "desc" ? "newest" : "oldest";
  return order === "desc" ? `-${by}` : by;
};

/** A list of vehicles as its address says: what it is narrowed to, its order, and the page that is shown. */
export const useVehicleList = ({
  path,
  list,
  filters,
}: {
  readonly path: string;
  readonly list: ListState;
  readonly filters: readonly Filter[];
}) => {
  const sorting = list.sorting("created", "desc");
  const set = Object.fromEntries(
    filters.flatMap(({ name, withIt = [] }) => [name, ...withIt].map((one) => [one, list.values(one)])),
  );
  /** The filters that are set, without order and page. */
  const narrowed: Query = { ...set, q: isSearchable(list.filter("q")) ? list.filter("q") : "" };
  const ordered: Query = { ...narrowed, sort: sortOf(sorting), include: BESIDE_VEHICLES };
  return {
    narrowed,
    sorting,
    query: useListed<ListedVehicle>(path, { ...ordered, ...list.window }),
    readFirst: async (count: number): Promise<readonly ListedVehicle[]> =>
      (await readList<ListedVehicle>(path, { ...ordered, limit: count })).items,
  };
};
