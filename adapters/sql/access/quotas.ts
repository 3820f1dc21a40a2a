import { sql } from "kysely";
import type { Failure } from "../../../core/failure.ts";
import { type CountQuota, type Quotas, quotaExceeded } from "../../../core/quotas.ts";
import type { Tx } from "../query/database.ts";

/** Thrown to roll back a transaction if a quota would be exceeded. */
export class QuotaExceeded extends Error {
  override readonly name = "QuotaReached";

  constructor(readonly failure: Failure) {
    super("a quota is reached");
  }
}

/** Where the records of an owner are counted. */
const COUNTED: Readonly<Record<CountQuota, readonly [table: string, owner: string]>> = {
  keysPerDealer: ["dealer_keys", "dealer_id"],
  keysPerUser: ["api_keys", "user_id"],
  usersPerDealer: ["users", "dealer_id"],
};

/**
 * Returns a function to call within the transaction of a change, after the change. It throws if a quota is exceeded
 * now. As changes of access are serialized over all instances, two concurrent changes cannot both add the last allowed
 * record. Only the owner's records are counted, and counting stops at the quota. `owner` is the dealer or user who has one
 * record more than before; `null` if there is none.
 */
export const quotaGuard =
  (quotas: Quotas) =>
  async (tx: Tx, quota: CountQuota, owner: number | null): Promise<void> => {
    if (owner === null) return;
    const limit = quotas[quota];
    const [table, column] = COUNTED[quota];
    const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM (
      SELECT 1 AS one FROM ${sql.table(table)} WHERE ${sql.ref(column)} = ${owner} LIMIT ${limit + 1}) AS counted`.execute(
      tx,
    );
    if ((rows[0]?.count ?? 0) > limit) throw new QuotaExceeded(quotaExceeded(quota, limit));
  };
