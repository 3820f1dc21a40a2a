import { andThen, type MaybePromise } from "./maybe-promise.ts";

/** Consecutive items of a page, read on demand. */
export type Slice<Item> = () => MaybePromise<readonly Item[]>;

/**
 * The items of a page that is too long for memory. The list was fixed when it was read; each slice reads its items as
 * they are now. An item is left out if it was removed, or no longer matches the filters or the caller's scope. So
 * nobody gets an item that they could not read at that time.
 */
export interface LongItems<Item> {
  /** In the order of the page. */
  readonly slices: readonly Slice<Item>[];
}

/** The same items, each converted by `form`. */
export const mapped = <Item, Result>({ slices }: LongItems<Item>, form: (item: Item) => Result): LongItems<Result> => ({
  slices: slices.map((read) => () => andThen(read(), (items) => items.map(form))),
});

/** The same slices, with each item converted by `form`. To give the iteration up is to give up that of `slices`. */
export function* mappedSlices<Item, Result>(
  slices: Iterable<Slice<Item>>,
  form: (item: Item) => Result,
): Generator<Slice<Result>> {
  for (const read of slices) yield () => andThen(read(), (items) => items.map(form));
}
