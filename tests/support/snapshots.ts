import { SQL } from "bun";
import { Sqlite } from "../../adapters/sql/sqlite/addon.ts";
import { fileOf } from "../../app/database.ts";
import type { TestDatabase } from "./engines.ts";

/** Looks from outside at who keeps a former state of a database. */
export const heldSnapshots = ({ engine, url }: Pick<TestDatabase, "engine" | "url">) => {
  if (engine === "sqlite") {
    const connection = new Sqlite(fileOf(url));
    return {
      /** 1 if somebody reads a state before the last write, else 0: the log cannot be emptied then. */
      count: () => {
        const [row] = connection.pragma("wal_checkpoint(TRUNCATE)") as readonly { readonly busy: number }[];
        return row?.busy ?? 1;
      },
      close: async () => connection.close(),
    };
  }
  const sql = new SQL(url, { max: 1 });
  return {
    /** How many connections have a transaction open without running a statement. */
    count: async (): Promise<number> => {
      const [row] = await sql`SELECT count(*)::int AS held FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'idle in transaction'`;
      return row.held;
    },
    close: () => sql.close(),
  };
};
