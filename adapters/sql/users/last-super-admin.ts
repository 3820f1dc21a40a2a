import { sql } from "kysely";
import { oneSuperAdminStaysActive } from "../../../core/access/rules/one-super-admin-stays-active.ts";
import type { UserRecord } from "../../../core/users/user.ts";
import type { UserFields } from "../../../core/users/user-repository.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { statement } from "../query/statement.ts";

/** No active super-admin would be left; thrown to roll back the transaction. */
export class NoSuperAdminLeft extends Error {
  override readonly name = "NoSuperAdminLeft";
}

/**
 * Call the result within the transaction of a change of a user, after the change: it throws if no active super-admin is
 * left. Changes of users are serialized over all instances by a row lock, so if two changes each remove one of the last
 * two, the second sees the first.
 */
export const lastSuperAdminGuard = (db: SqlDatabase) => {
  // The change's trigger has already locked this row; lock it here anyway, so that the guard does not depend on the
  // trigger.
  const lockUsers = statement(() => db.build.selectFrom("access_version").select("version").modifyEnd(db.forUpdate));
  const anyLeft = statement(() =>
    db.build
      .selectFrom("users")
      .select("id")
      .where("role", "=", sql.lit("super_admin"))
      .where("active", "=", 1)
      .limit(sql.lit(1)),
  );
  return async (tx: Sql, before: UserRecord, after: UserFields): Promise<void> => {
    // Most changes are allowed however many super-admins are left, and need not count them.
    if (oneSuperAdminStaysActive(before, after, 0) === null) return;
    await tx.all(lockUsers, {});
    const left = (await tx.all(anyLeft, {})).length;
    if (oneSuperAdminStaysActive(before, after, left) !== null) throw new NoSuperAdminLeft();
  };
};
