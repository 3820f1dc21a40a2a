import type { UserVersion } from "../../../core/sign-in/account-repository.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, type Statement, statement } from "../query/statement.ts";

/** Checks whether a user has changed since a decision about the user was made. */
export interface UnchangedUsers {
  isUnchanged(source: Sql, user: UserVersion): Promise<boolean>;
  /** Does the same, and locks the user until the transaction ends. */
  lockUnchanged(tx: Sql, user: UserVersion): Promise<boolean>;
}

/**
 * Compares users with what was read before. A change after `lockUnchanged` need not restrict its WHERE to visible
 * users: the restriction of the first read still applies.
 */
export const unchangedUsers = (db: SqlDatabase): UnchangedUsers => {
  const seen = db.build
    .selectFrom("users")
    .select("id")
    .where("id", "=", param("id"))
    .where("updated_at", "=", param("seen"));
  const found = statement(() => seen);
  const locked = statement(() => seen.modifyEnd(db.forUpdate));
  const ask = async (source: Sql, wanted: Statement<object>, { id, updatedAt }: UserVersion): Promise<boolean> =>
    (await source.all(wanted, { id, seen: updatedAt })).length > 0;
  return {
    isUnchanged: (source, user) => ask(source, found, user),
    lockUnchanged: (tx, user) => ask(tx, locked, user),
  };
};
