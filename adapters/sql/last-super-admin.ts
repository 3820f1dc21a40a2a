import { sql } from "kysely";
import { isActiveSuperAdmin, type UserRecord } from "../../core/users/user.ts";
import type { UserFields } from "../../core/users/user-repository.ts";
import type { Sql, SqlDatabase } from "./database.ts";
import { statement } from "./statement.ts";

/** Nobody would be left who is a super-admin and active; undoes the transaction that says so. */
export class NoSuperAdminLeft extends Error {
  override readonly name = "NoSuperAdminLeft";
}

/**
 * Asked within the transaction of a change of a user, after the user was changed: throws when that took the last active
 * super-admin away. Changes of users take turns on the row that counts them, in all instances: of two that each take one
 * of the last two, the second looks when the first is committed.
 */
export const lastSuperAdminGuard = (db: SqlDatabase) => {
  // The change has locked this row already, through its trigger; that nothing else does is not left to the trigger.
  const turn = statement(() => db.build.selectFrom("access_version").select("version").modifyEnd(db.lockRows));
  const anyLeft = statement(() =>
    db.build
      .selectFrom("users")
      .select("id")
      .where("role", "=", sql.lit("super_admin"))
      .where("active", "=", 1)
      .limit(sql.lit(1)),
  );
  return async (tx: Sql, before: UserRecord, after: UserFields): Promise<void> => {
    if (!isActiveSuperAdmin(before) || isActiveSuperAdmin(after)) return;
    await tx.all(turn, {});
    if ((await tx.all(anyLeft, {})).length === 0) throw new NoSuperAdminLeft();
  };
};
