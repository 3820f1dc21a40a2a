import { useSearchParams } from "wouter";

export const PAGE_SIZES = ["25", "50", "100"] as const;

/** Filters, order and page of a list. They live in the URL, so that links and the back button work. */
export interface ListState {
  readonly filter: (name: string) => string;
  /** Sets filters and goes to the first page. */
  readonly setFilters: (filters: Readonly<Record<string, string>>) => void;
  readonly page: number;
  readonly size: number;
  readonly setPage: (page: number) => void;
  readonly setSize: (size: string) => void;
  /** `limit` and `offset` for the server. */
  readonly window: { readonly limit: number; readonly offset: number };
  /** True when a filter is set. */
  readonly isFiltered: boolean;
  readonly clear: () => void;
}

const NOT_FILTERS = new Set(["page", "size", "sort", "order"]);

/** The state of the list on this page. */
export const useListState = (): ListState => {
  const [params, setParams] = useSearchParams();
  const size = Number(PAGE_SIZES.find((known) => known === params.get("size")) ?? PAGE_SIZES[0]);
  const page = Math.max(1, Math.trunc(Number(params.get("page")) || 1));

  const write = (changes: Readonly<Record<string, string>>): void =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changes))
          if (value === "") after.delete(name);
          else after.set(name, value);
        return after;
      },
      { replace: true },
    );

  return {
    filter: (name) => params.get(name) ?? "",
    setFilters: (filters) => write({ ...filters, page: "" }),
    page,
    size,
    setPage: (to) => write({ page: to === 1 ? "" : String(to) }),
    setSize: (to) => write({ size: to, page: "" }),
    window: { limit: size, offset: (page - 1) * size },
    isFiltered: [...params.keys()].some((name) => !NOT_FILTERS.has(name)),
    clear: () => setParams(new URLSearchParams(), { replace: true }),
  };
};
