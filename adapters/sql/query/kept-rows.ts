import type { MaybePromise } from "../../../core/maybe-promise.ts";
import type { SqlDatabase } from "./database.ts";

/** A row that may be kept: one with a text that is long beside its other columns. */
interface RowWithText {
  readonly document: string;
}

/** The number of characters that all kept rows but the last may have together. */
const MAX_CHARACTERS = 10 * 1024 * 1024;
/** So many characters are given up at once when there is no room, as looking for the oldest rows takes time. */
const ROOM_CHARACTERS = MAX_CHARACTERS / 16;
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

interface KeptRow<Row> {
  readonly row: Row;
  /** True if it was asked for again since it was kept. */
  isUsed: boolean;
}

/**
 * Keeps rows of a table in memory that were read by their ids, and gives them again while they stay the same. It is exact:
 * a change by this process takes the row out within its own transaction, and a commit by another process takes out all.
 * When there is no room, the oldest go; those that were asked for again stay until their next turn. On PostgreSQL, where
 * only a round trip could tell whether a row has changed, nothing is kept.
 */
export const keptRows = <Row extends RowWithText>(
  db: Pick<SqlDatabase, "watchRows">,
  table: "vehicle_documents",
): FindKeptRow<Row> => {
  /** The oldest first. */
  const kept = new Map<number, KeptRow<Row>>();
  let characters = 0;
  let version: number | null = null;

  const keep = (id: number, row: Row): void => {
    kept.set(id, { row, isUsed: false });
    characters += row.document.length + ROW_CHARACTERS;
  };
  const forget = (id: number): void => {
    const known = kept.get(id);
    if (known === undefined) return;
    kept.delete(id);
    characters -= known.row.document.length + ROW_CHARACTERS;
  };
  const makeRoom = (): void => {
    // What is kept again comes last, and is seen again if that is not enough.
    for (const [id, { row, isUsed }] of kept) {
      if (characters <= MAX_CHARACTERS - ROOM_CHARACTERS) return;
      forget(id);
      if (isUsed) keep(id, row);
    }
  };
  const versionOfOthers = db.watchRows(table, forget);

  return (id, isInScope, read) => {
    const present = versionOfOthers();
    if (present === null) return read();
    if (present !== version) {
      kept.clear();
      characters = 0;
      version = present;
    }
    const known = kept.get(id);
    if (known !== undefined) {
      if (!isInScope(known.row)) return read();
      known.isUsed = true;
      return known.row;
    }
    const row = read();
    if (row === null || row instanceof Promise) return row;
    // Before the new row is there, which nobody could ask for again yet.
    if (characters > MAX_CHARACTERS) makeRoom();
    keep(id, row);
    return row;
  };
};
