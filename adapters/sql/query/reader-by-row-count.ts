import { sql } from "kysely";
import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import type { Sql, SqlDatabase } from "./database.ts";
import { param, statementCache } from "./statement.ts";

/** Finding, skipping or counting more rows would block the event loop for too long on SQLite. */
const MAX_ROWS_ON_MAIN_THREAD = 1000;

/** The rows that a reader may see: those with this value in an indexed column. */
interface VisibleRows {
  readonly column: string;
  readonly value: number;
}

/**
 * Chooses where a list of a table that only grows is read. On SQLite it is a long read if the reader may see many rows
 * (`null`: all rows), otherwise an ordinary one. It counts no more rows than an ordinary read may visit. PostgreSQL
 * reads in its own processes, so there it is always an ordinary read.
 */
export const readerByRowCount = (
  db: SqlDatabase,
  table: string,
): ((visible: VisibleRows | null) => MaybePromise<Sql>) => {
  const statements = statementCache<{ count: number }>();
  const rowsOf = (visible: VisibleRows | null) =>
    visible === null ? sql.table(table) : sql`${sql.table(table)} WHERE ${sql.ref(visible.column)} = ${param("own")}`;
  return (visible) => {
    if (db.engine === "postgres") return db;
    const counted = statements(visible?.column ?? "", () => {
      const some = sql`SELECT 1 FROM ${rowsOf(visible)} LIMIT ${sql.lit(MAX_ROWS_ON_MAIN_THREAD + 1)}`;
      return {
        compile: () => sql<{ count: number }>`SELECT COUNT(*) AS count FROM (${some}) AS some`.compile(db.build),
      };
    });
    return andThen(db.first(counted, visible === null ? {} : { own: visible.value }), (row) =>
      (row?.count ?? 0) > MAX_ROWS_ON_MAIN_THREAD ? db.longReads : db,
    );
  };
};
