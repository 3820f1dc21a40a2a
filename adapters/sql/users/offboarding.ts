import type { Timestamp } from "../../../core/clock.ts";
import { Failure } from "../../../core/failure.ts";
import { DEFAULT_QUOTAS, type Quotas } from "../../../core/quotas.ts";
import type { OffboardingRepository } from "../../../core/users/offboarding.ts";
import { LAST_SUPER_ADMIN } from "../../../core/users/user-repository.ts";
import { accessChange } from "../access/access-change.ts";
import { QuotaExceeded, quotaGuard } from "../access/quotas.ts";
import { isUserVisible } from "../access/user-rows.ts";
import { auditTrail } from "../audit/trail.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import { lastSuperAdminGuard, NoSuperAdminLeft } from "./last-super-admin.ts";
import { leftKeys, type StoredKey } from "./left-keys.ts";
import { lockedUsers } from "./locked.ts";
import { toAuditDraft } from "./repository.ts";

/** Offboarding of users in SQL; see the port for what it guarantees. `changed` runs after every committed change. */
export const makeOffboardingRepository = (
  db: SqlDatabase,
  changed: () => void,
  quotas: Quotas = DEFAULT_QUOTAS,
): OffboardingRepository => {
  const enforceQuota = quotaGuard(quotas);
  const audit = auditTrail(db);
  const requireSuperAdmin = lastSuperAdminGuard(db);
  const changeAccess = accessChange(db, changed);
  const locked = lockedUsers(db);
  const changeKeys = leftKeys(db);

  /** Keeps how the user left, in place of the last time. */
  const remember = async (
    tx: Tx,
    {
      id,
      now,
      newOwnerId,
      wasActive,
      keys,
    }: {
      readonly id: number;
      readonly now: Timestamp;
      readonly newOwnerId: number | null;
      readonly wasActive: boolean;
      readonly keys: readonly StoredKey[];
    },
  ): Promise<void> => {
    const row = {
      at: now,
      was_active: wasActive ? 1 : 0,
      new_owner_id: newOwnerId,
      key_ids: JSON.stringify(keys),
    } as const;
    await tx
      .insertInto("offboardings")
      .values({ user_id: id, ...row })
      .onConflict((taken) => taken.column("user_id").doUpdateSet(row))
      .execute();
  };

  return {
    async offboard({ id, visibility, newOwnerId, now, by }, decide) {
      try {
        return await changeAccess(by, now, async (tx) => {
          const user = await locked.find(tx, id, visibility);
          const newOwner = newOwnerId === null ? null : await locked.find(tx, newOwnerId, visibility);
          const decided = user && decide({ user, keys: await locked.keysOf(tx, id), newOwner });
          if (user === null || decided === null || decided instanceof Failure) return decided;
          const { endedBy, changes, keyIds } = decided;
          // Deactivation also ends the user's sessions and invalidates their invitation.
          await tx
            .updateTable("users")
            .set({ active: 0, ended_by: endedBy, updated_at: db.nextTimestamp("updated_at", now) })
            .where("id", "=", id)
            .where(isUserVisible(visibility))
            .execute();
          await requireSuperAdmin(tx, user, { ...user, active: false });
          const stored = await changeKeys(tx, changes, { now, by });
          if (newOwner !== null && changes.length > 0) await enforceQuota(tx, "keysPerUser", newOwner.id);
          await audit(tx, { at: now, by, ...toAuditDraft(user, { ...user, active: false, endedBy }) });
          const kept = stored.filter(([key]) => keyIds.includes(key));
          await remember(tx, { id, now, newOwnerId, wasActive: user.active, keys: kept });
          return decided;
        });
      } catch (error) {
        if (error instanceof QuotaExceeded) return error.failure;
        if (error instanceof NoSuperAdminLeft) return LAST_SUPER_ADMIN;
        throw error;
      }
    },
  };
};
