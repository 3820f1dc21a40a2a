/** The database engines a migration is written for. */
export type Engine = "sqlite" | "postgres";

/** One numbered, immutable step of the schema: SQL statements, run in one transaction. */
export interface Migration {
  readonly name: string;
  statements(engine: Engine): readonly string[];
}
