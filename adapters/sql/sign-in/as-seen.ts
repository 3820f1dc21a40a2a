import type { AsSeen } from "../../../core/sign-in/account-repository.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, type Statement, statement } from "../query/statement.ts";

/** Checks whether a user is still as it was when somebody decided about it. */
export interface SeenUsers {
  is(source: Sql, user: AsSeen): Promise<boolean>;
  /** The same, and locks the user until the transaction ends. */
  stays(tx: Sql, user: AsSeen): Promise<boolean>;
}

/**
 * Compares users with what was read before. A change made while the user `stays` unchanged needs no visibility in its
 * own WHERE: that of the first read still holds.
 */
export const seenUsers = (db: SqlDatabase): SeenUsers => {
  const seen = db.build
    .selectFrom("users")
    .select("id")
    .where("id", "=", param("id"))
    .where("updated_at", "=", param("seen"));
  const found = statement(() => seen);
  const locked = statement(() => seen.modifyEnd(db.forUpdate));
  const ask = async (source: Sql, wanted: Statement<object>, { id, updatedAt }: AsSeen): Promise<boolean> =>
    (await source.all(wanted, { id, seen: updatedAt })).length > 0;
  return { is: (source, user) => ask(source, found, user), stays: (tx, user) => ask(tx, locked, user) };
};
