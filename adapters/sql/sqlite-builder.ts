import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import type { Tables } from "./tables.ts";

/**
 * Wraps each value in `likely()`, which leaves no trace in the compiled statement but hides from the planner that a
 * parameter stands there. A SQLite with STAT4, as better-sqlite3 brings it, otherwise plans a statement anew whenever a
 * parameter that the plan might depend on is bound: 8 to 12 µs at every run.
 */
class SteadyCompiler extends SqliteQueryCompiler {
  protected override appendValue(value: unknown): void {
    this.append("likely(");
    super.appendValue(value);
    this.append(")");
  }
}

/** Builds and compiles statements for SQLite; never runs any. */
export const sqliteBuilder = (): Kysely<Tables> =>
  new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SteadyCompiler(),
    },
  });
