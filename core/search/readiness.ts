import { Failure, invalid } from "../failure.ts";

/** Whether vehicles can be found by words: not while their words are still being made, and not where that is off. */
type SearchState = "ready" | "filling" | "off";

/** How far the words of all vehicles are made. */
export interface SearchProgress {
  readonly state: SearchState;
  /** 0 to 100, rounded down; 100 only if all are made. */
  readonly percent: number;
}

/** Tells the progress as of a moment ago. */
export interface SearchReadiness {
  progress(): SearchProgress;
}

const NOT_READY = new Failure({ kind: "search-not-ready" });
const OFF = invalid({ path: "q", message: "cannot be used, as search is switched off on this server" });

/**
 * Why a query cannot be answered now; `null` if it can, and without words. Where search is off, `q` is a fault of the
 * request: trying again is of no use, and nothing of the server is broken.
 */
export const searchRefusal = (search: SearchReadiness, { q }: { readonly q?: unknown }): Failure | null => {
  if (q === undefined) return null;
  const { state } = search.progress();
  return state === "ready" ? null : state === "off" ? OFF : NOT_READY;
};
