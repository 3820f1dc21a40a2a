import { Failure, invalid } from "../failure.ts";

/** Whether vehicles can be searched: not while the index is being built, and not if search is off. */
type SearchState = "ready" | "filling" | "off";

/** How far the search index is built. */
export interface SearchProgress {
  readonly state: SearchState;
  /** 0 to 100, rounded down; 100 only if it is complete. */
  readonly percent: number;
}

/** Tells the progress, which may be slightly out of date. */
export interface SearchReadiness {
  progress(): SearchProgress;
}

const NOT_READY = new Failure({ kind: "search-not-ready" });
const OFF = invalid({ path: "q", message: "cannot be used, as search is switched off on this server" });

/**
 * Why a query cannot be answered now; `null` if it can, or if it has no words. If search is off, `q` is a fault of the
 * request: a retry would not help, and the server works as configured.
 */
export const searchRefusal = (search: SearchReadiness, { q }: { readonly q?: unknown }): Failure | null => {
  if (q === undefined) return null;
  const { state } = search.progress();
  return state === "ready" ? null : state === "off" ? OFF : NOT_READY;
};
