import { sql } from "kysely";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, sqlStatement } from "../query/statement.ts";

/** The last id of each table: an id is never reused, not even after a deletion. */
export type LastNumbers = ReadonlyMap<string, number>;

interface Words {
  /** Returns one row with `last`, for the table in parameter `name`. */
  readonly read: ReturnType<typeof sql<{ last: number }>>;
  /** Statements that continue the ids of table `name` after `last`. */
  readonly continueAt: readonly ReturnType<typeof sql<object>>[];
}

/** How each engine stores the last id. */
const WORDS: Readonly<Record<SqlDatabase["engine"], Words>> = {
  sqlite: {
    read: sql`SELECT seq AS last FROM sqlite_sequence WHERE name = ${param("name")}`,
    continueAt: [
      sql`DELETE FROM sqlite_sequence WHERE name = ${param("name")}`,
      sql`INSERT INTO sqlite_sequence (name, seq) VALUES (${param("name")}, ${param("last")})`,
    ],
  },
  postgres: {
    read: sql`SELECT COALESCE(pg_sequence_last_value(pg_get_serial_sequence(${param("name")}, 'id')), 0) AS last`,
    continueAt: [sql`SELECT setval(pg_get_serial_sequence(${param("name")}, 'id'), ${param("last")})`],
  },
};

/** Reads and continues the ids of a database's tables. */
export const sequencesOf = (db: SqlDatabase) => {
  const words = WORDS[db.engine];
  const read = sqlStatement(db, words.read);
  const continuing = words.continueAt.map((query) => sqlStatement(db, query));

  return {
    async read(source: Sql, tables: readonly string[]): Promise<LastNumbers> {
      const last = new Map<string, number>();
      for (const name of tables) {
        const [row] = await source.all(read, { name });
        if (row !== undefined && row.last > 0) last.set(name, row.last);
      }
      return last;
    },
    async continueAt(target: Sql, numbers: LastNumbers): Promise<void> {
      for (const [name, last] of numbers)
        for (const statement of continuing) await target.all(statement, { name, last });
    },
  };
};
