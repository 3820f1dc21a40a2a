import Type from "typebox";
import { type LongItems, mapped } from "./long-items.ts";
import { integer } from "./schema.ts";

/** The part of a list that is asked for: `limit` items after skipping `offset`. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
  /** Set by who can take a long page in slices, of about so many bytes each. */
  readonly sliceBytes?: number;
}

/** One page of a list, and how many items match in all, whatever the page. */
export interface Listing<Item> {
  readonly total: number;
  readonly items: readonly Item[];
  /** In place of `items`, which are none then, where these are long; only for a page with `sliceBytes`. */
  readonly long?: LongItems<Item>;
}

/** The same listing with its items in another form. */
export const presented = <Item, Result>(
  { total, items, long }: Listing<Item>,
  form: (item: Item) => Result,
): Listing<Result> => ({
  total,
  items: items.map(form),
  ...(long !== undefined && { long: mapped(long, form) }),
});

/** Every item of a listing, however long: for who can hold them. */
export const everyItem = async <Item>({ items, long }: Listing<Item>): Promise<readonly Item[]> => {
  const found = [...items];
  for (const read of long?.slices ?? []) found.push(...(await read()));
  return found;
};

/** Items that take more than this as JSON are long: they are not held all at once. */
export const LONG_BYTES = 1024 * 1024;
/** A slice takes the event loop about a millisecond. */
const SLICE_BYTES = 256 * 1024;

/** Paging parameters of every list (interface 8.2). */
export const PageQuery = {
  limit: Type.Optional(integer(1, 1000, { description: "Maximum number of results.", default: 100 })),
  offset: Type.Optional(integer(0, Number.MAX_SAFE_INTEGER, { description: "Number of results to skip.", default: 0 })),
};

/** The page asked for, with the defaults filled in. */
export const pageOf = (query: { limit?: number; offset?: number }): Page => ({
  limit: query.limit ?? 100,
  offset: query.offset ?? 0,
});

/** The same for who can take it in slices where it is long. */
export const slicedPageOf = (query: { limit?: number; offset?: number }): Page => ({
  ...pageOf(query),
  sliceBytes: SLICE_BYTES,
});
