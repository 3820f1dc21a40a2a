import { Failure, invalid } from "../failure.ts";

/** Whether vehicles can be searched. They cannot while the index is being built, nor if search is switched off. */
type SearchState = "ready" | "filling" | "off";

/** How much of the search index has been built. */
export interface SearchProgress {
  readonly state: SearchState;
  /** 0 to 100, rounded down. It is 100 only if the index is complete. */
  readonly percent: number;
}

/** The search index. What it says of its progress may be slightly out of date. */
export interface SearchIndex {
  progress(): SearchProgress;
}

const NOT_READY = new Failure({ kind: "search-not-ready" });
const OFF = invalid({ path: "q", message: "cannot be used, as search is switched off on this server" });

/**
 * The reason why a query cannot be answered now; `null` if it can, or if it has no words. If search is switched off,
 * `q` is a mistake of the client: a retry would not help, and the server works as configured.
 */
export const searchRefusal = (search: SearchIndex, { q }: { readonly q?: unknown }): Failure | null => {
  if (q === undefined) return null;
  const { state } = search.progress();
  return state === "ready" ? null : state === "off" ? OFF : NOT_READY;
};
