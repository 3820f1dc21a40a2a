import { sql } from "kysely";
import { oneSuperAdminStaysActive } from "../../../core/access/rules/one-super-admin-stays-active.ts";
import type { UserRecord } from "../../../core/users/user.ts";
import type { UserFields } from "../../../core/users/user-repository.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";

/** Thrown to roll back the transaction if no active super-admin would be left. */
export class NoSuperAdminLeft extends Error {
  override readonly name = "NoSuperAdminLeft";
}

/**
 * Returns a function to call within the transaction of a change of a user, after the change. It throws if no active
 * super-admin is left. A row lock serializes changes of users over all instances: if two changes each remove one of the
 * last two super-admins, the second sees the first.
 */
export const lastSuperAdminGuard =
  (db: SqlDatabase) =>
  async (tx: Tx, before: UserRecord, after: UserFields): Promise<void> => {
    // Most changes are allowed however many super-admins are left, so that these need not be counted.
    if (oneSuperAdminStaysActive(before, after, 0) === null) return;
    // The change's trigger has already locked this row. It is locked here as well, so that the guard does not depend on
    // the trigger.
    await tx.selectFrom("access_version").select("version").modifyEnd(db.forUpdate).execute();
    const left = await tx
      .selectFrom("users")
      .select("id")
      .where("role", "=", sql.lit("super_admin"))
      .where("active", "=", 1)
      .limit(sql.lit(1))
      .execute();
    if (oneSuperAdminStaysActive(before, after, left.length) !== null) throw new NoSuperAdminLeft();
  };
