import { sql } from "kysely";
import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import type { Reader, SqlDatabase } from "./database.ts";
import { param, statementCache } from "./statement.ts";

/**
 * The maximum number of rows to find, skip or count in an ordinary read. More would block the event loop for too long
 * on SQLite.
 */
const MAX_ROWS_ON_MAIN_THREAD = 1000;

/** The rows that a reader may see: those that have this value in an indexed column. */
interface VisibleRows {
  readonly column: string;
  readonly value: number;
}

/**
 * Chooses where a list is read if its table only grows. On SQLite it is a long read if the reader may see many rows
 * (`null` for all rows), and otherwise an ordinary read. No more rows are counted than an ordinary read may visit. On
 * PostgreSQL it is always an ordinary read, as the server does the work in its own processes.
 */
export const readerByRowCount = (
  db: SqlDatabase,
  table: string,
): ((visible: VisibleRows | null) => MaybePromise<Reader>) => {
  const statements = statementCache<{ count: number }>();
  const rowsOf = (visible: VisibleRows | null) =>
    visible === null ? sql.table(table) : sql`${sql.table(table)} WHERE ${sql.ref(visible.column)} = ${param("own")}`;
  return (visible) => {
    if (db.engine === "postgres") return db;
    const counted = statements(visible?.column ?? "", () => {
      const some = sql`SELECT 1 FROM ${rowsOf(visible)} LIMIT ${sql.lit(MAX_ROWS_ON_MAIN_THREAD + 1)}`;
      return {
        compile: () => sql<{ count: number }>`SELECT COUNT(*) AS count FROM (${some}) AS some`.compile(db),
      };
    });
    return andThen(db.first(counted, visible === null ? {} : { own: visible.value }), (row) =>
      (row?.count ?? 0) > MAX_ROWS_ON_MAIN_THREAD ? db.longReads : db,
    );
  };
};
