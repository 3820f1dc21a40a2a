import { andThen, type MaybePromise } from "./maybe-promise.ts";

/** Some consecutive items of a page, read when they are asked for. */
export type Slice<Item> = () => MaybePromise<readonly Item[]>;

/**
 * The items of a page that are too long to be held all at once. Which items they are was settled when the list was
 * read; each slice has them as they are when it is read. One that was removed meanwhile, or that the list's filters or
 * the caller's reach do not have any more, is left out: nobody gets what they could not read at that moment.
 */
export interface LongItems<Item> {
  /** In the order of the page. */
  readonly slices: readonly Slice<Item>[];
}

/** The same items in another form. */
export const mapped = <Item, Result>({ slices }: LongItems<Item>, form: (item: Item) => Result): LongItems<Result> => ({
  slices: slices.map((read) => () => andThen(read(), (items) => items.map(form))),
});
