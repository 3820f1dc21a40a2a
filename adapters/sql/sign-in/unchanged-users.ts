import type { UserVersion } from "../../../core/sign-in/account-repository.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import type { Queries } from "../query/driver.ts";

const seen = (on: Queries, { id, updatedAt }: UserVersion) =>
  on.selectFrom("users").select("id").where("id", "=", id).where("updated_at", "=", updatedAt);

/** True if a user has not changed since a decision about the user was made. */
export const isUnchanged = async (on: Queries, user: UserVersion): Promise<boolean> =>
  (await seen(on, user).executeTakeFirst()) !== undefined;

/**
 * Does the same, and locks the user until the transaction ends. A change behind it need not restrict its WHERE to visible
 * users: the restriction of the first read still applies.
 */
export const lockUnchanged = async (db: Pick<SqlDatabase, "forUpdate">, tx: Tx, user: UserVersion): Promise<boolean> =>
  (await seen(tx, user).modifyEnd(db.forUpdate).executeTakeFirst()) !== undefined;
