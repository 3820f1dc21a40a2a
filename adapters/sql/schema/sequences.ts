import { sql } from "kysely";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, sqlStatement } from "../query/statement.ts";

/** The last id of each table; `null` if this role may not read it. An id is never reused, not even after a deletion. */
export type LastIds = ReadonlyMap<string, number | null>;

interface SequenceQueries {
  /**
   * Returns a row with `last` for the table in parameter `name`. There is no row, or it is 0, if no id was used yet.
   */
  readonly read: ReturnType<typeof sql<{ last: number | null }>>;
  /** Statements after which the ids of table `name` continue after `last`. */
  readonly continueAt: readonly ReturnType<typeof sql<object>>[];
}

/** PostgreSQL parses the name of the table like an identifier in SQL, so it must be quoted. */
const SEQUENCE = sql`pg_get_serial_sequence(quote_ident(${param("name")}), 'id')`;

/** How each engine stores the last id. */
const QUERIES: Readonly<Record<SqlDatabase["engine"], SequenceQueries>> = {
  sqlite: {
    read: sql`SELECT seq AS last FROM sqlite_sequence WHERE name = ${param("name")}`,
    continueAt: [
      sql`DELETE FROM sqlite_sequence WHERE name = ${param("name")}`,
      sql`INSERT INTO sqlite_sequence (name, seq) VALUES (${param("name")}, ${param("last")})`,
    ],
  },
  postgres: {
    // The value is NULL before the first id, and also for a role without the right to read it.
    read: sql`SELECT COALESCE(
        pg_sequence_last_value(${SEQUENCE}),
        CASE WHEN COALESCE(has_sequence_privilege(${SEQUENCE}, 'SELECT'), true) THEN 0 END
      ) AS last`,
    continueAt: [sql`SELECT setval(${SEQUENCE}, ${param("last")})`],
  },
};

/** Reads and continues the ids of a database's tables. */
export const sequencesOf = (db: SqlDatabase) => {
  const words = QUERIES[db.engine];
  const read = sqlStatement(db, words.read);
  const continuing = words.continueAt.map((query) => sqlStatement(db, query));

  return {
    async read(source: Sql, tables: readonly string[]): Promise<LastIds> {
      const last = new Map<string, number | null>();
      for (const name of tables) {
        const [row] = await source.all(read, { name });
        if (row !== undefined && row.last !== 0) last.set(name, row.last);
      }
      return last;
    },
    async continueAt(target: Sql, numbers: LastIds): Promise<void> {
      for (const [name, last] of numbers)
        for (const statement of continuing) await target.all(statement, { name, last });
    },
  };
};
