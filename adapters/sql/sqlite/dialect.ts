import { SqliteAdapter, SqliteDialect, SqliteQueryCompiler } from "kysely";
import { queriesOf, rejectConnection } from "../query/driver.ts";

/**
 * Wraps each value in `likely()`. This has no cost in the compiled statement, but hides the parameter from the planner.
 * Otherwise SQLite with STAT4, which better-sqlite3 contains, plans the statement again whenever it binds a parameter
 * on which the plan might depend.
 */
class StablePlanCompiler extends SqliteQueryCompiler {
  protected override appendValue(value: unknown): void {
    this.append("likely(");
    super.appendValue(value);
    this.append(")");
  }
}

/** Reads wait neither for each other nor for a change: the queue of writes gives changes their order. */
class ConcurrentAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): true {
    return true;
  }
}

class StablePlanDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new ConcurrentAdapter();
  }

  override createQueryCompiler(): SqliteQueryCompiler {
    return new StablePlanCompiler();
  }
}

/** Kysely's queries of SQLite, for whatever runs statements there. */
export const sqliteQueries = queriesOf(new StablePlanDialect({ database: rejectConnection }));
