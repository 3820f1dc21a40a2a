import { sql } from "kysely";
import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import type { Sql, SqlDatabase } from "./database.ts";
import { param, statementCache } from "./statement.ts";

/** To find, skip or count more rows takes so long on SQLite that others would have to wait. */
const MOST_AT_ONCE = 1000;

/** The rows that a reader may be told of: those with this value in an indexed column. */
interface Own {
  readonly column: string;
  readonly value: number;
}

/**
 * Decides where a list of a table that only grows is read: on SQLite aside if many rows are its reader's (`null`: all),
 * else at once. It looks at no more rows than can be read at once. PostgreSQL reads in processes of its own.
 */
export const whereToList = (db: SqlDatabase, table: string): ((own: Own | null) => MaybePromise<Sql>) => {
  const statements = statementCache<{ count: number }>();
  const rowsOf = (own: Own | null) =>
    own === null ? sql.table(table) : sql`${sql.table(table)} WHERE ${sql.ref(own.column)} = ${param("own")}`;
  return (own) => {
    if (db.engine === "postgres") return db;
    const counted = statements(own?.column ?? "", () => {
      const some = sql`SELECT 1 FROM ${rowsOf(own)} LIMIT ${sql.lit(MOST_AT_ONCE + 1)}`;
      return {
        compile: () => sql<{ count: number }>`SELECT COUNT(*) AS count FROM (${some}) AS some`.compile(db.build),
      };
    });
    return andThen(db.first(counted, own === null ? {} : { own: own.value }), (row) =>
      (row?.count ?? 0) > MOST_AT_ONCE ? db.aside : db,
    );
  };
};
