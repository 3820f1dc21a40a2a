import { SqliteDialect, SqliteQueryCompiler } from "kysely";
import { rejectConnection } from "../query/dialect.ts";

/**
 * Wraps each value in `likely()`, which has no cost in the compiled statement but hides the parameter from the planner.
 * SQLite with STAT4, which better-sqlite3 bundles, otherwise plans the statement again whenever a parameter is bound
 * that the plan might depend on.
 */
class StablePlanCompiler extends SqliteQueryCompiler {
  protected override appendValue(value: unknown): void {
    this.append("likely(");
    super.appendValue(value);
    this.append(")");
  }
}

class StablePlanDialect extends SqliteDialect {
  override createQueryCompiler(): SqliteQueryCompiler {
    return new StablePlanCompiler();
  }
}

/** How Kysely compiles statements for SQLite. Its own driver is never used. */
export const sqliteDialect = new StablePlanDialect({ database: rejectConnection });
