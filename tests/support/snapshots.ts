import { SQL } from "bun";
import { Sqlite } from "../../adapters/sql/sqlite/addon.ts";
import { fileOf } from "../../app/database.ts";
import type { TestDatabase } from "./engines.ts";
import { eventually } from "./eventually.ts";

/** Counts the snapshots of a database that are held open. */
export const heldSnapshots = (database: Pick<TestDatabase, "engine" | "url">) => {
  const { count, close } = counted(database);
  return {
    /** Waits for this number: a running statement is not counted, a connection that just ended still is. */
    become: (wanted: number) => eventually(count, (held) => held === wanted),
    close,
  };
};

const counted = ({ engine, url }: Pick<TestDatabase, "engine" | "url">) => {
  if (engine === "sqlite") {
    const connection = new Sqlite(fileOf(url));
    // Waiting here would prevent a service in this process from releasing anything.
    connection.pragma("busy_timeout = 0");
    return {
      /** 1 if a snapshot from before the last write is held open, so that the log cannot be emptied; otherwise 0. */
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
