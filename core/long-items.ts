import { andThen, type MaybePromise } from "./maybe-promise.ts";

/** Reads consecutive items of a page when it is called. */
export type Slice<Item> = () => MaybePromise<readonly Item[]>;

/**
 * The items of a page that is too long for memory. The list of items is fixed when the page is read, but each slice
 * reads the items as they are at that time. Items that were removed meanwhile, or that no longer match the filters or
 * the caller's scope, are left out. So nobody gets an item that they may no longer read.
 */
export interface LongItems<Item> {
  /** The slices in the order of the page. */
  readonly slices: readonly Slice<Item>[];
}

/** The same items, each converted by `form`. */
export const mapped = <Item, Result>({ slices }: LongItems<Item>, form: (item: Item) => Result): LongItems<Result> => ({
  slices: slices.map((read) => () => andThen(read(), (items) => items.map(form))),
});

/**
 * The same slices, with each item converted by `form`. Ending the iteration early also ends the iteration of `slices`.
 */
export function* mappedSlices<Item, Result>(
  slices: Iterable<Slice<Item>>,
  form: (item: Item) => Result,
): Generator<Slice<Result>> {
  for (const read of slices) yield () => andThen(read(), (items) => items.map(form));
}
