import { Failure } from "../../../core/failure.ts";
import { DEFAULT_QUOTAS, type Quotas } from "../../../core/quotas.ts";
import type { Leave, LeaveRepository } from "../../../core/users/undo-offboarding.ts";
import { accessChange } from "../access/access-change.ts";
import { QuotaExceeded, quotaGuard } from "../access/quotas.ts";
import { isUserVisible } from "../access/user-rows.ts";
import { auditTrail } from "../audit/trail.ts";
import type { SqlDatabase } from "../query/database.ts";
import type { Queries } from "../query/driver.ts";
import type { Row } from "../query/tables.ts";
import { leftKeys, type StoredKey } from "./left-keys.ts";
import { lockedUsers } from "./locked.ts";
import { toAuditDraft } from "./repository.ts";

const leaveOf = (row: Row<"offboardings">): Leave => ({
  at: row.at,
  wasActive: row.was_active === 1,
  newOwnerId: row.new_owner_id,
  keys: (JSON.parse(row.key_ids) as readonly StoredKey[]).map(([id, updatedAt]) => ({ id, updatedAt })),
});

/** Offboardings that are taken back, in SQL; see the port for what it guarantees. `changed` runs after each. */
export const makeLeaveRepository = (
  db: SqlDatabase,
  changed: () => void,
  quotas: Quotas = DEFAULT_QUOTAS,
): LeaveRepository => {
  const enforceQuota = quotaGuard(quotas);
  const audit = auditTrail(db);
  const changeAccess = accessChange(db, changed);
  const changeKeys = leftKeys(db);
  const locked = lockedUsers(db);

  const lastOf = async (on: Queries, ...[id, visibility]: Parameters<LeaveRepository["lastOf"]>) => {
    const row = await on
      .selectFrom("offboardings")
      .selectAll()
      .where("user_id", "=", id)
      .where("user_id", "in", (users) => users.selectFrom("users").select("id").where(isUserVisible(visibility)))
      .executeTakeFirst();
    return row === undefined ? null : leaveOf(row);
  };

  return {
    lastOf: (id, visibility) => lastOf(db, id, visibility),

    async undo({ id, visibility, now, by }, decide) {
      try {
        return await changeAccess(by, now, async (tx) => {
          const user = await locked.find(tx, id, visibility);
          if (user === null) return null;
          const left = await lastOf(tx, id, visibility);
          const decided = decide({
            user,
            left,
            keys:
              left === null
                ? []
                : await locked.keys(
                    tx,
                    left.keys.map((key) => key.id),
                  ),
          });
          if (decided instanceof Failure) return decided;
          const { fields, keys } = decided;
          const after = { ...user, ...fields };
          await tx
            .updateTable("users")
            .set({
              active: after.active ? 1 : 0,
              ended_by: after.endedBy,
              updated_at: db.nextTimestamp("updated_at", now),
            })
            .where("id", "=", id)
            .where(isUserVisible(visibility))
            .execute();
          await changeKeys(tx, keys, { now, by });
          if (keys.length > 0) await enforceQuota(tx, "keysPerUser", id);
          await audit(tx, { at: now, by, ...toAuditDraft(user, after) });
          await tx.deleteFrom("offboardings").where("user_id", "=", id).execute();
          return decided;
        });
      } catch (error) {
        if (error instanceof QuotaExceeded) return error.failure;
        throw error;
      }
    },
  };
};
