import { useSearchParams } from "wouter";
import type { Sorting } from "./record-table.tsx";

const ORDERS = ["asc", "desc"] as const;
export const PAGE_SIZES = ["25", "50", "100"] as const;

/**
 * Filters, order and page of a list. They live in the address, and each change is an entry of the history: Back leads
 * to the page and the filters before.
 */
export interface ListState {
  readonly filter: (name: string) => string;
  /** Every value of a filter that may have several. */
  readonly values: (name: string) => readonly string[];
  /** Sets filters and goes to the first page; `replace` adds no history entry, for further letters of a word. */
  readonly setFilters: (
    filters: Readonly<Record<string, string | readonly string[]>>,
    how?: { readonly replace: boolean },
  ) => void;
  /** The order of the list: what the address says, or else the given one. */
  readonly sorting: (by: string, order: "asc" | "desc") => Sorting;
  readonly page: number;
  readonly size: number;
  readonly setPage: (page: number) => void;
  readonly setSize: (size: string) => void;
  /** `limit` and `offset` for the server. */
  readonly range: { readonly limit: number; readonly offset: number };
  /** True when a filter is set. */
  readonly isFiltered: boolean;
  /** True when rows are shown as cards, however wide the window. */
  readonly asCards: boolean;
  readonly setAsCards: (asCards: boolean) => void;
  readonly clearFilters: () => void;
}

/** The query of a list with these filters, a search and an order. */
export const toListQuery = (
  list: ListState,
  filters: readonly { readonly name: string }[],
  { by, order }: Sorting,
) => ({
  ...Object.fromEntries(filters.map(({ name }) => [name, list.filter(name)])),
  q: list.filter("q"),
  sort: by,
  order,
  ...list.range,
});

/** URL parameters that are no filters: paging, order, layout and the open tab. */
const NOT_FILTERS = new Set(["page", "size", "sort", "order", "look", "tab"]);

/** The state of the list on this page. */
export const useListState = (): ListState => {
  const [params, setParams] = useSearchParams();
  const size = Number(PAGE_SIZES.find((known) => known === params.get("size")) ?? PAGE_SIZES[0]);
  const page = Math.max(1, Math.trunc(Number(params.get("page")) || 1));

  const updateParams = (changes: Readonly<Record<string, string | readonly string[]>>, replace = false): void =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changes)) {
          const values = [value].flat().filter((one) => one !== "");
          // One value keeps its place in the address.
          if (values.length === 1) after.set(name, values[0] ?? "");
          else {
            after.delete(name);
            for (const one of values) after.append(name, one);
          }
        }
        return after;
      },
      { replace },
    );

  return {
    filter: (name) => params.get(name) ?? "",
    values: (name) => params.getAll(name).filter((value) => value !== ""),
    setFilters: (filters, how) => updateParams({ ...filters, page: "" }, how?.replace),
    sorting: (by, order) => ({
      by: params.get("sort") ?? by,
      order: ORDERS.find((known) => known === params.get("order")) ?? order,
      onChange: (sort, to) => updateParams({ sort, order: to, page: "" }),
    }),
    page,
    size,
    setPage: (to) => {
      updateParams({ page: to === 1 ? "" : String(to) });
      scrollTo({ top: 0 });
    },
    setSize: (to) => updateParams({ size: to, page: "" }),
    range: { limit: size, offset: (page - 1) * size },
    isFiltered: [...params.keys()].some((name) => !NOT_FILTERS.has(name)),
    asCards: params.get("look") === "cards",
    setAsCards: (asCards) => updateParams({ look: asCards ? "cards" : "" }),
    clearFilters: () =>
      setParams(
        (before) => new URLSearchParams([...before].filter(([name]) => NOT_FILTERS.has(name) && name !== "page")),
      ),
  };
};
