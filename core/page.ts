import Type from "typebox";
import { integer } from "./schema.ts";

/** The part of a list that is asked for: `limit` items after skipping `offset`. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** One page of a list, and how many items match in all, whatever the page. */
export interface Listing<Item> {
  readonly total: number;
  readonly items: readonly Item[];
}

/** Paging parameters of every list (specification 8). */
export const PageQuery = {
  limit: Type.Optional(integer(1, 1000, { description: "Maximum number of results.", default: 100 })),
  offset: Type.Optional(integer(0, Number.MAX_SAFE_INTEGER, { description: "Number of results to skip.", default: 0 })),
};

/** The page asked for, with the defaults filled in. */
export const pageOf = (query: { limit?: number; offset?: number }): Page => ({
  limit: query.limit ?? 100,
  offset: query.offset ?? 0,
});
