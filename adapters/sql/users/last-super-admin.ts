import { sql } from "kysely";
import { oneSuperAdminStaysActive } from "../../../core/access/rules/one-super-admin-stays-active.ts";
import type { UserRecord } from "../../../core/users/user.ts";
import type { UserFields } from "../../../core/users/user-repository.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { statement } from "../query/statement.ts";

/** Thrown to roll back the transaction if no active super-admin would be left. */
export class NoSuperAdminLeft extends Error {
  override readonly name = "NoSuperAdminLeft";
}

/**
 * Returns a function to call within the transaction of a change of a user, after the change. It throws if no active
 * super-admin is left. A row lock serializes changes of users over all instances: if two changes each remove one of the
 * last two super-admins, the second sees the first.
 */
export const lastSuperAdminGuard = (db: SqlDatabase) => {
  // The change's trigger has already locked this row. It is locked here as well, so that the guard does not depend on
  // the trigger.
  const lockUsers = statement(() => db.selectFrom("access_version").select("version").modifyEnd(db.forUpdate));
  const anyLeft = statement(() =>
    db
      .selectFrom("users")
      .select("id")
      .where("role", "=", sql.lit("super_admin"))
      .where("active", "=", 1)
      .limit(sql.lit(1)),
  );
  return async (tx: Sql, before: UserRecord, after: UserFields): Promise<void> => {
    // Most changes are allowed however many super-admins are left, so that these need not be counted.
    if (oneSuperAdminStaysActive(before, after, 0) === null) return;
    await tx.all(lockUsers, {});
    const left = (await tx.all(anyLeft, {})).length;
    if (oneSuperAdminStaysActive(before, after, left) !== null) throw new NoSuperAdminLeft();
  };
};
