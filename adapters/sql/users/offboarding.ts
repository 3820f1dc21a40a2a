import { boundDealerOf } from "../../../core/access/authority.ts";
import type { Actor } from "../../../core/access/principal.ts";
import type { Timestamp } from "../../../core/clock.ts";
import { Failure } from "../../../core/failure.ts";
import { presentKey } from "../../../core/keys/key.ts";
import { DEFAULT_QUOTAS, type Quotas } from "../../../core/quotas.ts";
import type { Offboarding, OffboardingRepository } from "../../../core/users/offboarding.ts";
import { LAST_SUPER_ADMIN } from "../../../core/users/user-repository.ts";
import { accessChange } from "../access/access-change.ts";
import { QuotaExceeded, quotaGuard } from "../access/quotas.ts";
import { auditTrail } from "../audit/trail.ts";
import { recordMoveOfKey } from "../keys/rebindings.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import { lastSuperAdminGuard, NoSuperAdminLeft } from "./last-super-admin.ts";
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
  const laterThan = (now: Timestamp) => db.nextTimestamp("updated_at", now);

  const changeKey = async (
    tx: Tx,
    { before, after }: Offboarding["changes"][number],
    { now, by }: { readonly now: Timestamp; readonly by: Actor },
  ): Promise<void> => {
    const { id, active, endedBy, userId } = after;
    await tx
      .updateTable("api_keys")
      .set({ active: active ? 1 : 0, ended_by: endedBy, user_id: userId, updated_at: laterThan(now) })
      .where("id", "=", id)
      .execute();
    const from = boundDealerOf(before);
    if (boundDealerOf(after) !== from) await recordMoveOfKey(tx, { id, from, now });
    await audit(tx, {
      at: now,
      by,
      action: "key.changed",
      resourceId: id,
      dealerId: from,
      before: presentKey(before, now),
      after: presentKey(after, now),
    });
  };

  return {
    async offboard({ id, visibility, newOwnerId, now, by }, decide) {
      try {
        return await changeAccess(by, now, async (tx) => {
          const user = await locked.find(tx, id, visibility);
          const newOwner = newOwnerId === null ? null : await locked.find(tx, newOwnerId, visibility);
          const decided = user && decide({ user, keys: await locked.keysOf(tx, id), newOwner });
          if (user === null || decided === null || decided instanceof Failure) return decided;
          const { endedBy, changes } = decided;
          // Deactivation also ends the user's sessions and invalidates their invitation.
          await tx
            .updateTable("users")
            .set({ active: 0, ended_by: endedBy, updated_at: laterThan(now) })
            .where("id", "=", id)
            .execute();
          await requireSuperAdmin(tx, user, { ...user, active: false });
          for (const change of changes) await changeKey(tx, change, { now, by });
          if (newOwner !== null && changes.length > 0) await enforceQuota(tx, "keysPerUser", newOwner.id);
          await audit(tx, { at: now, by, ...toAuditDraft(user, { ...user, active: false, endedBy }) });
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
