import { type RawBuilder, type SqlBool, sql } from "kysely";
import { hourOf, type Timestamp } from "../../core/clock.ts";
import type { Sql, SqlDatabase } from "./database.ts";
import { param, sqlStatement } from "./statement.ts";

/** Notes within the transaction of a change that keys came to another dealer, or to none. */
export interface Rebindings {
  /** A key that was bound to the dealer `from`. */
  ofKey(tx: Sql, keyId: number, from: number | null, now: Timestamp): Promise<void>;
  /** The keys of a user who was with the dealer `from`. */
  ofUser(tx: Sql, userId: number, from: number | null, now: Timestamp): Promise<void>;
}

const statementsOf = (db: SqlDatabase, which: RawBuilder<SqlBool>) => ({
  // Counts are kept by the hour. The one in which the key leaves has requests of both sides, and is left to neither.
  kept: sqlStatement(
    db,
    sql<never>`INSERT INTO past_bindings (key_id, dealer_id, since, until)
      SELECT id, CAST(${param("dealer")} AS BIGINT), COALESCE(bound_since, ''), ${param("hour")} FROM api_keys
      WHERE ${which} AND COALESCE(bound_since, '') < ${param("hour")} ON CONFLICT DO NOTHING`,
  ),
  // Never back in time, whatever the clock of this instance says.
  begun: sqlStatement(
    db,
    sql<never>`UPDATE api_keys SET bound_since =
      CASE WHEN bound_since > ${param("now")} THEN bound_since ELSE ${param("now")} END WHERE ${which}`,
  ),
});

/** From when on keys are bound as they are, and for how long they were bound before. */
export const rebindings = (db: SqlDatabase): Rebindings => {
  const noting = (which: RawBuilder<SqlBool>) => {
    const statements = statementsOf(db, which);
    return async (tx: Sql, id: number, from: number | null, now: Timestamp): Promise<void> => {
      if (from !== null) await tx.all(statements.kept, { id, dealer: from, hour: hourOf(now) });
      await tx.all(statements.begun, { id, now });
    };
  };
  return {
    ofKey: noting(sql<SqlBool>`id = ${param("id")}`),
    ofUser: noting(sql<SqlBool>`user_id = ${param("id")} AND association = 'user'`),
  };
};
