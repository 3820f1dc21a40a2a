import type { MaybePromise } from "../../../core/maybe-promise.ts";
import type { SqlDatabase } from "./database.ts";

/** A row that may be kept: one with a text that is long beside its other columns. */
interface RowWithText {
  readonly document: string;
}

/** The number of characters that one generation of kept rows may have together. There are at most two generations. */
const MAX_CHARACTERS = 6 * 1024 * 1024;
/** The number of characters that a row's other columns and its place take up. */
const ROW_CHARACTERS = 100;

/**
 * Finds a row by its id: in memory if the caller may see it (`isInScope`), or else with `read`, which is limited to the
 * caller's scope.
 */
export type FindKeptRow<Row> = (
  id: number,
  isInScope: (row: Row) => boolean,
  read: () => MaybePromise<Row | null>,
) => MaybePromise<Row | null>;

/**
 * Keeps rows of a table in memory that were read by their ids, and gives them again while they stay the same. It is exact:
 * a change by this process takes the row out within its own transaction, and a commit by another process takes out all.
 * When there is no room, the rows go that were not
 * asked for lately. On PostgreSQL, where only a round trip could tell whether a row has changed, nothing is kept.
 */
export const keptRows = <Row extends RowWithText>(
  db: Pick<SqlDatabase, "watchRows">,
  table: "vehicle_documents",
): FindKeptRow<Row> => {
  let lately = new Map<number, Row>();
  let before = new Map<number, Row>();
  let characters = 0;
  let version: number | null = null;

  const keep = (id: number, row: Row): void => {
    if (characters > MAX_CHARACTERS) {
      before = lately;
      lately = new Map();
      characters = 0;
    }
    lately.set(id, row);
    characters += row.document.length + ROW_CHARACTERS;
  };
  const versionOfOthers = db.watchRows(table, (id) => {
    lately.delete(id);
    before.delete(id);
  });

  return (id, isInScope, read) => {
    const present = versionOfOthers();
    if (present === null) return read();
    if (present !== version) {
      lately.clear();
      before.clear();
      characters = 0;
      version = present;
    }
    const known = lately.get(id);
    if (known !== undefined) return isInScope(known) ? known : read();
    const older = before.get(id);
    const row = older !== undefined && isInScope(older) ? older : read();
    if (row === null || row instanceof Promise) return row;
    before.delete(id);
    keep(id, row);
    return row;
  };
};
