import type { Sql } from "../query/database.ts";
import type { Statement, Values } from "../query/statement.ts";

interface Counted {
  readonly statement: Statement<unknown>;
  readonly values: Values;
  count: number;
}

/**
 * The statements that are run once at the end of a group of writes, however many of its writes asked for them. What a
 * write asked for that failed does not count.
 */
export class CountedStatements {
  private readonly kept = new Map<string, Counted>();
  private asked: (readonly [key: string, statement: Statement<unknown>, values: Values])[] = [];

  constructor(private readonly sql: Sql) {}

  /** Asks for a statement. Those with the same key are one, with the values of the first and their number as `count`. */
  readonly add = (key: string, statement: Statement<unknown>, values: Values): void => {
    this.asked.push([key, statement, values]);
  };

  /** The write that asked has succeeded. */
  keep(): void {
    for (const [key, statement, values] of this.asked) {
      const known = this.kept.get(key);
      if (known === undefined) this.kept.set(key, { statement, values, count: 1 });
      else known.count++;
    }
    this.asked = [];
  }

  /** The write that asked has failed. */
  drop(): void {
    this.asked = [];
  }

  /** Runs what was kept, right before the commit. */
  run(): void {
    for (const { statement, values, count } of this.kept.values()) this.sql.all(statement, { ...values, count });
    this.kept.clear();
  }

  /** The group was rolled back. */
  clear(): void {
    this.asked = [];
    this.kept.clear();
  }
}
