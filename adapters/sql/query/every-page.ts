import type { LongItems, Slice } from "../../../core/long-items.ts";
import { type Page, type PositionedListing, slicedPageOf } from "../../../core/page.ts";
import type { Reader, SqlDatabase } from "./database.ts";
import { holdSnapshot } from "./held-snapshot.ts";

/** The number of records that are read at once. Large records are read in slices. */
const FIRST_PAGE: Page = slicedPageOf({ limit: 200 });

/** Reads the first page, or the page after a position. */
type ReadPage<Item, Position> = (place: {
  readonly source: Reader;
  readonly page: Page;
  readonly after: Position | null;
}) => Promise<PositionedListing<Item, Position>>;

/**
 * All records of a list in its order, as they were when the first slice was read. A page is read after the previous one
 * was consumed. The iteration holds a snapshot until it ends or is abandoned.
 */
export function* everyPage<Item, Position>(db: SqlDatabase, read: ReadPage<Item, Position>): Generator<Slice<Item>> {
  const snapshot = holdSnapshot(db);
  let slices: LongItems<Item>["slices"] = [];
  let after: Position | null = null;
  try {
    do {
      yield async () => {
        const { items, long, last } = await read({ source: await snapshot.sql, page: FIRST_PAGE, after });
        slices = long?.slices ?? [];
        after = last;
        return items;
      };
      yield* slices;
    } while (after !== null);
  } finally {
    snapshot.release();
  }
}
