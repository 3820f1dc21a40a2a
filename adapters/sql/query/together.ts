import { type Compilable, type OperationNodeSource, sql } from "kysely";
import type { Sql, SqlDatabase, Values } from "./database.ts";
import { sqlStatement, statement } from "./statement.ts";

type Change = Compilable<unknown> & OperationNodeSource;

/**
 * Runs changes within a transaction: as one statement where the engine can, otherwise one after the other. So none of
 * them may need what another one changes, and an earlier one does not see what a later one removes.
 */
export const together = (
  db: SqlDatabase,
  ...changes: readonly [Change, ...Change[]]
): ((tx: Sql, values: Values) => Promise<void>) => {
  const steps = db.chains
    ? [
        sqlStatement(
          db,
          sql<object>`WITH ${sql.join(changes.map((change, place) => sql`${sql.ref(`step${place}`)} AS (${change})`))} SELECT 1`,
        ),
      ]
    : changes.map((change) => statement(() => change));
  return async (tx, values) => {
    for (const step of steps) await tx.all(step, values);
  };
};
