/** The database engines a migration is written for. */
export type Engine = "sqlite" | "postgres";

/** An index of a table that may be large. */
export interface LargeIndex {
  readonly name: string;
  /** The table, what is in the index, and which rows, as in CREATE INDEX behind ON. */
  readonly on: string;
}

/** One numbered, immutable step of the schema: SQL statements, run in one transaction. */
export interface Migration {
  readonly name: string;
  statements(engine: Engine): readonly string[];
  /**
   * Indexes of tables from before, made after the transaction: on PostgreSQL while others read and change the table.
   * They may only make statements fast, as an instance may be at work before they are there.
   */
  indexes?(engine: Engine): readonly LargeIndex[];
}
