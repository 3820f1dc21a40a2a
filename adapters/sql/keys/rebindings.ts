import { type RawBuilder, type SqlBool, sql } from "kysely";
import { hourOf, type Timestamp } from "../../../core/clock.ts";
import type { Tx } from "../query/database.ts";

/** A move of keys from the dealer `from`. `id` is that of the key, or of the user who has the keys. */
interface Rebinding {
  readonly id: number;
  readonly from: number | null;
  readonly now: Timestamp;
}

/** Stores the time since which keys have had their present dealer, and the periods in which they had others. */
const record = async (
  tx: Tx,
  which: RawBuilder<SqlBool>,
  { from, now }: Pick<Rebinding, "from" | "now">,
): Promise<void> => {
  // Usage is counted by the hour. The hour of the move has requests of both dealers, so it is shown to neither.
  const hour = hourOf(now);
  if (from !== null)
    await sql`INSERT INTO past_bindings (key_id, dealer_id, since, until)
      SELECT id, CAST(${from} AS BIGINT), COALESCE(bound_since, ''), ${hour} FROM api_keys
      WHERE ${which} AND COALESCE(bound_since, '') < ${hour} ON CONFLICT DO NOTHING`.execute(tx);
  // The new time is never earlier than the stored one, even if this instance's clock is wrong.
  await sql`UPDATE api_keys SET bound_since = CASE WHEN bound_since > ${now} THEN bound_since ELSE ${now} END
    WHERE ${which}`.execute(tx);
};

/** Records, within the transaction of a change, the move of a key that was bound to the dealer `from`. */
export const recordMoveOfKey = (tx: Tx, { id, ...move }: Rebinding): Promise<void> =>
  record(tx, sql<SqlBool>`id = ${id}`, move);

/** Records the move of all keys of a user who belonged to the dealer `from`. */
export const recordMoveOfUser = (tx: Tx, { id, ...move }: Rebinding): Promise<void> =>
  record(tx, sql<SqlBool>`user_id = ${id} AND association = 'user'`, move);
