import type { Sql, SqlDatabase } from "../../adapters/sql/query/database.ts";
import type { Statement, Values } from "../../adapters/sql/query/statement.ts";

/** A statement that ran, with its values in the order of the placeholders. */
export interface Ran {
  readonly text: string;
  readonly values: readonly unknown[];
  /** The database's plan for it. */
  plan(): Promise<string[]>;
}

/** A working database that records the statements it runs. */
export const recording = (db: SqlDatabase): { db: SqlDatabase; ran: () => Ran[] } => {
  let seen: Ran[] = [];

  const planOf = async <Row>(statement: Statement<Row>, values: Values): Promise<string[]> => {
    const text = `EXPLAIN QUERY PLAN ${statement.text}`;
    return (await db.all<{ detail: string }>({ text, bind: statement.bind }, values)).map(({ detail }) => detail);
  };

  const note = <Row>(statement: Statement<Row>, values: Values): void => {
    seen.push({ text: statement.text, values: statement.bind(values), plan: () => planOf(statement, values) });
  };

  const watched = (sql: Sql): Sql => ({
    all(statement, values) {
      note(statement, values);
      return sql.all(statement, values);
    },
  });

  return {
    db: {
      ...db,
      ...watched(db),
      longReads: { ...db.longReads, ...watched(db.longReads) },
      first(statement, values) {
        note(statement, values);
        return db.first(statement, values);
      },
      // Without `once`, each statement runs by itself.
      write: (work) => db.write(({ once: _, ...tx }) => work({ ...tx, ...watched(tx) })),
      writeWithoutTimeout: (work) => db.writeWithoutTimeout(({ once: _, ...tx }) => work({ ...tx, ...watched(tx) })),
      writeOne(statement, values) {
        note(statement, values);
        return db.writeOne(statement, values);
      },
    },
    /** The statements since the last call. */
    ran() {
      const ran = seen;
      seen = [];
      return ran;
    },
  };
};
