import { SqliteDialect, SqliteQueryCompiler } from "kysely";
import { rejectConnection } from "../query/dialect.ts";

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

class StablePlanDialect extends SqliteDialect {
  override createQueryCompiler(): SqliteQueryCompiler {
    return new StablePlanCompiler();
  }
}

/** How Kysely compiles statements for SQLite. Its own driver is never used. */
export const sqliteDialect = new StablePlanDialect({ database: rejectConnection });
