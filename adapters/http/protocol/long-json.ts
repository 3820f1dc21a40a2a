import type { LongItems, Slice } from "../../../core/long-items.ts";
import { mapped } from "../../../core/long-items.ts";
import type { Listing } from "../../../core/page.ts";

/** A body with a list that is too long to hold in memory. */
export class LongJson {
  constructor(
    /** The text before the list, including its opening bracket. */
    readonly start: string,
    /** The items as JSON texts. */
    readonly slices: readonly Slice<string>[],
    /** The text after the list, including its closing bracket. */
    readonly end: string,
  ) {}
}

/** A list as the body of an answer. */
export const arrayBody = <Item>({ items, long }: Listing<Item>): readonly Item[] | LongJson =>
  long === undefined ? items : longArray(mapped(long, (item) => JSON.stringify(item)));

const longArray = ({ slices }: LongItems<string>): LongJson => new LongJson("[", slices, "]");
