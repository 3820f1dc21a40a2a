import Type from "typebox";
import { type LongItems, mapped } from "./long-items.ts";
import { andThen } from "./maybe-promise.ts";
import { integer, oneOf } from "./schema.ts";

/** The requested part of a list: `limit` items after skipping `offset`. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
  /** If set, a long page is returned in slices of about this many bytes. */
  readonly sliceBytes?: number;
}

/** A page for callers that need only the total. */
export const COUNT_ONLY: Page = { limit: 1, offset: 0 };

/** One page of a list, and the total number of matching items. */
export interface Listing<Item> {
  readonly total: number;
  readonly items: readonly Item[];
  /** The items of a long page, whose `items` is empty. Only present if `sliceBytes` was given. */
  readonly long?: LongItems<Item>;
}

/** A page, with the position of its last item if more items follow. */
export interface PositionedListing<Item, Position> extends Listing<Item> {
  /** `null` on the last page. */
  readonly last: Position | null;
}

/** The same listing with each item converted. */
export const presented = <Item, Result>(
  { total, items, long }: Listing<Item>,
  form: (item: Item) => Result,
): Listing<Result> => ({
  total,
  items: items.map(form),
  ...(long !== undefined && { long: mapped(long, form) }),
});

/** The same listing with more fields, which are read for all items of a page or slice together. */
export const enriched = async <Item, Result>(
  { total, items, long }: Listing<Item>,
  add: (items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<Listing<Result>> => ({
  total,
  items: await add(items),
  ...(long !== undefined && { long: { slices: long.slices.map((read) => () => andThen(read(), add)) } }),
});

/** All items of a listing, for callers that can hold even a long page in memory. */
export const everyItem = async <Item>({ items, long }: Listing<Item>): Promise<readonly Item[]> => {
  const found = [...items];
  for (const read of long?.slices ?? []) found.push(...(await read()));
  return found;
};

/** A page whose items have more bytes than this as JSON is long, and is never in memory as a whole. */
export const LONG_BYTES = 1024 * 1024;
/** The size of a slice. It blocks the event loop only briefly. */
export const SLICE_BYTES = 256 * 1024;

/** The paging parameters of every list (interface 8.2). */
export const PageQuery = {
  limit: Type.Optional(integer(1, 1000, { description: "Maximum number of results.", default: 100 })),
  offset: Type.Optional(integer(0, Number.MAX_SAFE_INTEGER, { description: "Number of results to skip.", default: 0 })),
};

/**
 * The order of a list. Items with equal values are ordered by id in the same direction. Unset values come last in both
 * directions.
 */
export interface ListOrder<Sort extends string> {
  readonly by: Sort;
  readonly ascending: boolean;
}

/** The default order of every list. */
export const NEWEST_FIRST: ListOrder<"created"> = { by: "created", ascending: false };

/** The parameters of a list that can be sorted. `created` must be one of `sorts`. */
export const orderQuery = <const Sorts extends readonly string[]>(
  sorts: Sorts,
  description = "The value to sort by. Records with equal values are ordered by id.",
) => ({
  sort: Type.Optional(
    oneOf([...sorts, ...sorts.map((sort) => `-${sort}` as const)] as readonly Signed<Sorts[number]>[], {
      default: NEWEST_FIRST.by,
      description: `${description} With \`-\` before it, the order is descending.`,
    }),
  ),
  order: Type.Optional(
    oneOf(["asc", "desc"], {
      default: "desc",
      notBeside: { parameter: "sort", beginning: "-", message: "must not be given beside a sort with a sign" },
      description: "`desc` puts the newest, latest or last first. Not beside a `sort` that begins with `-`.",
    }),
  ),
});

/** A value to sort by, or the same with a sign: in descending order. */
type Signed<Sort extends string> = Sort | `-${Sort}`;

/** The requested order, with defaults filled in. A signed sort is descending. */
export const orderOf = <Sort extends string>({
  sort = NEWEST_FIRST.by,
  order,
}: {
  readonly sort?: Signed<Sort | "created">;
  readonly order?: "asc" | "desc";
}): ListOrder<Sort | "created"> => ({
  by: (sort.startsWith("-") ? sort.slice(1) : sort) as Sort | "created",
  ascending: order === "asc",
});

/** The requested page, with defaults filled in. */
export const pageOf = (query: { limit?: number; offset?: number }): Page => ({
  limit: query.limit ?? 100,
  offset: query.offset ?? 0,
});

/** The same for callers that can take a long page in slices. */
export const slicedPageOf = (query: { limit?: number; offset?: number }): Page => ({
  ...pageOf(query),
  sliceBytes: SLICE_BYTES,
});
