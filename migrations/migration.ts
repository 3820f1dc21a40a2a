/** The database engines that migrations are written for. */
export type Engine = "sqlite" | "postgres";

/** An index of a table that may be large. */
export interface LargeIndex {
  readonly name: string;
  /** The table, the columns and which rows, in the form of CREATE INDEX after ON. */
  readonly on: string;
}

/** One numbered, immutable step of the schema. Its SQL statements run in one transaction. */
export interface Migration {
  readonly name: string;
  statements(engine: Engine): readonly string[];
  /**
   * Indexes of existing tables, which are created after the transaction. On PostgreSQL, the table can be read and
   * changed meanwhile. These indexes may only make statements faster, because instances may run before they exist.
   */
  indexes?(engine: Engine): readonly LargeIndex[];
}
