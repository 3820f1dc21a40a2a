import { type RawBuilder, type SqlBool, sql } from "kysely";
import { hourOf, type Timestamp } from "../../../core/clock.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, sqlStatement } from "../query/statement.ts";

/** A move of keys from the dealer `from`. `id` is that of the key, or of the user who has the keys. */
interface Rebinding {
  readonly id: number;
  readonly from: number | null;
  readonly now: Timestamp;
}

/** Records, within the transaction of a change, that keys were moved to another dealer or to none. */
export interface Rebindings {
  /** Records the move of a key that was bound to the dealer `from`. */
  ofKey(tx: Sql, rebinding: Rebinding): Promise<void>;
  /** Records the move of all keys of a user who belonged to the dealer `from`. */
  ofUser(tx: Sql, rebinding: Rebinding): Promise<void>;
}

const statementsOf = (db: SqlDatabase, which: RawBuilder<SqlBool>) => ({
  // Usage is counted by the hour. The hour of the move has requests of both dealers, so it is shown to neither.
  kept: sqlStatement(
    db,
    sql<never>`INSERT INTO past_bindings (key_id, dealer_id, since, until)
      SELECT id, CAST(${param("dealer")} AS BIGINT), COALESCE(bound_since, ''), ${param("hour")} FROM api_keys
      WHERE ${which} AND COALESCE(bound_since, '') < ${param("hour")} ON CONFLICT DO NOTHING`,
  ),
  // The new time is never earlier than the stored one, even if this instance's clock is wrong.
  begun: sqlStatement(
    db,
    sql<never>`UPDATE api_keys SET bound_since =
      CASE WHEN bound_since > ${param("now")} THEN bound_since ELSE ${param("now")} END WHERE ${which}`,
  ),
});

/** Stores the time since which keys have had their present dealer, and the periods in which they had others. */
export const rebindings = (db: SqlDatabase): Rebindings => {
  const recorder = (which: RawBuilder<SqlBool>) => {
    const statements = statementsOf(db, which);
    return async (tx: Sql, { id, from, now }: Rebinding): Promise<void> => {
      if (from !== null) await tx.all(statements.kept, { id, dealer: from, hour: hourOf(now) });
      await tx.all(statements.begun, { id, now });
    };
  };
  return {
    ofKey: recorder(sql<SqlBool>`id = ${param("id")}`),
    ofUser: recorder(sql<SqlBool>`user_id = ${param("id")} AND association = 'user'`),
  };
};
