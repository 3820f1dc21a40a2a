import type { LongItems, Slice } from "../../../core/long-items.ts";
import { mapped } from "../../../core/long-items.ts";
import type { Listing } from "../../../core/page.ts";

/** A body with a list that is too long to be held as a whole. */
export class LongJson {
  constructor(
    /** What stands before the list, its opening bracket included. */
    readonly start: string,
    /** JSON texts of the items. */
    readonly slices: readonly Slice<string>[],
    /** What stands behind the list, its closing bracket included. */
    readonly end: string,
  ) {}
}

/** A list as the body of an answer. */
export const arrayBody = <Item>({ items, long }: Listing<Item>): readonly Item[] | LongJson =>
  long === undefined ? items : longArray(mapped(long, (item) => JSON.stringify(item)));

const longArray = ({ slices }: LongItems<string>): LongJson => new LongJson("[", slices, "]");
