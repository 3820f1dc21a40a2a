import { type Compilable, sql } from "kysely";
import type { Failure } from "../../../core/failure.ts";
import { type CountQuota, type Quotas, quotaExceeded } from "../../../core/quotas.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, statement } from "../query/statement.ts";

/** Thrown to roll back a transaction if a quota would be exceeded. */
export class QuotaExceeded extends Error {
  override readonly name = "QuotaReached";

  constructor(readonly failure: Failure) {
    super("a quota is reached");
  }
}

/**
 * Returns a function to call within the transaction of a change, after the change. It throws if a quota is exceeded
 * now. As changes of access are serialized over all instances, two concurrent changes cannot both add the last allowed
 * record. Only the owner's records are counted, and counting stops at the quota.
 */
export const quotaGuard = (db: SqlDatabase, quotas: Quotas) => {
  const owner = param<number>("owner");
  const one = sql.lit(1).as("one");
  const counted = (rows: Compilable) =>
    statement(() => db.selectFrom(sql`(${rows})`.as("some")).select(sql<number>`count(*)`.as("count")));
  const maxRows = param<number>("most");
  const counts: Readonly<Record<CountQuota, ReturnType<typeof counted>>> = {
    keysPerDealer: counted(db.selectFrom("dealer_keys").select(one).where("dealer_id", "=", owner).limit(maxRows)),
    keysPerUser: counted(db.selectFrom("api_keys").select(one).where("user_id", "=", owner).limit(maxRows)),
    usersPerDealer: counted(db.selectFrom("users").select(one).where("dealer_id", "=", owner).limit(maxRows)),
  };

  /** `owner` is the dealer or user who has one record more than before; `null` if there is none. */
  return async (tx: Sql, quota: CountQuota, owner: number | null): Promise<void> => {
    if (owner === null) return;
    const limit = quotas[quota];
    const [row] = await tx.all(counts[quota], { owner, most: limit + 1 });
    if ((row?.count ?? 0) > limit) throw new QuotaExceeded(quotaExceeded(quota, limit));
  };
};
