import { type Compilable, type OperationNodeSource, sql } from "kysely";
import type { Sql, SqlDatabase } from "./database.ts";
import { sqlStatement, statement, type Values } from "./statement.ts";

type Change = Compilable<unknown> & OperationNodeSource;

/**
 * Combines changes within a transaction. If the engine can, they become one statement; otherwise they run one after
 * another. So no change may depend on the effects of another.
 */
export const combinedChanges = (
  db: SqlDatabase,
  ...changes: readonly [Change, ...Change[]]
): ((tx: Sql, values: Values) => Promise<void>) => {
  const steps = db.hasWritableCtes
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
