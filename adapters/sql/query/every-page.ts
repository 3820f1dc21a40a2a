import type { LongItems, Slice } from "../../../core/long-items.ts";
import { type Page, type PositionedListing, slicedPageOf } from "../../../core/page.ts";
import type { Sql, SqlDatabase } from "./database.ts";
import { holdSnapshot } from "./held-snapshot.ts";

/** How many records are read at once; those that take much memory are read in slices. */
const PAGE: Page = slicedPageOf({ limit: 200 });

/** Reads a page behind a position, or the first one. */
type ReadPage<Item, Position> = (place: {
  readonly on: Sql;
  readonly page: Page;
  readonly after: Position | null;
}) => Promise<PositionedListing<Item, Position>>;

/**
 * All records of a list in its order, as they were at one moment: when the first slice was read. Each page is read when
 * the one before was taken. Until the iteration ends or is given up, it holds a snapshot.
 */
export function* everyPage<Item, Position>(db: SqlDatabase, read: ReadPage<Item, Position>): Generator<Slice<Item>> {
  const held = holdSnapshot(db);
  let slices: LongItems<Item>["slices"] = [];
  let after: Position | null = null;
  try {
    do {
      yield async () => {
        const { items, long, last } = await read({ on: await held.sql, page: PAGE, after });
        slices = long?.slices ?? [];
        after = last;
        return items;
      };
      yield* slices;
    } while (after !== null);
  } finally {
    held.release();
  }
}
