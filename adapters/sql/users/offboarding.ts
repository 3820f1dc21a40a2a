import { sql } from "kysely";
import { boundDealerOf } from "../../../core/access/authority.ts";
import type { Actor } from "../../../core/access/principal.ts";
import { endedByAfter } from "../../../core/access/rules/only-higher-rank-reactivates.ts";
import type { Timestamp } from "../../../core/clock.ts";
import { type KeyRecord, presentKey } from "../../../core/keys/key.ts";
import { DEFAULT_QUOTAS, type Quotas } from "../../../core/quotas.ts";
import type { Offboarding, OffboardingRepository } from "../../../core/users/offboarding.ts";
import { LAST_SUPER_ADMIN } from "../../../core/users/user-repository.ts";
import { accessChange } from "../access/access-change.ts";
import { QuotaExceeded, quotaGuard } from "../access/quotas.ts";
import { auditTrail } from "../audit/trail.ts";
import { rebindings } from "../keys/rebindings.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, statement } from "../query/statement.ts";
import { lastSuperAdminGuard, NoSuperAdminLeft } from "./last-super-admin.ts";
import { toAuditDraft } from "./repository.ts";

/** Thrown to roll back the transaction if a record has changed since it was read. */
class RecordChanged extends Error {}

/** Offboarding of users in SQL; see the port for what it guarantees. `changed` runs after every committed change. */
export const makeOffboardingRepository = (
  db: SqlDatabase,
  changed: () => void,
  quotas: Quotas = DEFAULT_QUOTAS,
): OffboardingRepository => {
  const enforceQuota = quotaGuard(db, quotas);
  const audit = auditTrail(db);
  const recordRebinding = rebindings(db);
  const requireSuperAdmin = lastSuperAdminGuard(db);
  const changeAccess = accessChange(db);
  const later = db.nextTimestamp("updated_at", param("now"));
  const isUnchanged = sql<boolean>`id = ${param("id")} AND updated_at = ${param("seen")}`;
  const newOwnerUnchanged = statement(() =>
    db.build.selectFrom("users").select("id").where(isUnchanged).where("active", "=", 1).modifyEnd(db.forUpdate),
  );
  const deactivated = statement(() =>
    db.build
      .updateTable("users")
      .set({ active: 0, ended_by: param("ended_by"), updated_at: later })
      .where(isUnchanged)
      .returning("id"),
  );
  const keysOfUser = statement(() =>
    db.build.selectFrom("api_keys").select("id").where("user_id", "=", param("user_id")).modifyEnd(db.forUpdate),
  );
  const revoked = statement(() =>
    db.build
      .updateTable("api_keys")
      .set({ active: 0, ended_by: param("ended_by"), updated_at: later })
      .where(isUnchanged)
      .returning("id"),
  );
  const transferred = statement(() =>
    db.build
      .updateTable("api_keys")
      .set({ user_id: param("newOwner"), updated_at: later })
      .where(isUnchanged)
      .returning("id"),
  );

  const requireRows = (rows: readonly unknown[], count = 1): void => {
    if (rows.length !== count) throw new RecordChanged();
  };

  const changeKeys = async (
    tx: Sql,
    { user, keys, newOwner, rank }: Offboarding,
    { now, by }: { readonly now: Timestamp; readonly by: Actor },
  ): Promise<void> => {
    requireRows(await tx.all(keysOfUser, { user_id: user.id }), keys.length);
    for (const key of keys) {
      const endedBy = endedByAfter(rank, key, { active: false, endedAgain: true });
      // A key that is already revoked does not change, unless somebody of higher rank revokes it now.
      if (newOwner === null && !key.active && endedBy === key.endedBy) continue;
      const values = { id: key.id, seen: key.updatedAt, now };
      requireRows(
        newOwner === null
          ? await tx.all(revoked, { ...values, ended_by: endedBy })
          : await tx.all(transferred, { ...values, newOwner: newOwner.id }),
      );
      const after: KeyRecord =
        newOwner === null
          ? { ...key, active: false, endedBy, oldSecret: null }
          : { ...key, userId: newOwner.id, holder: newOwner, updatedAt: now };
      const from = boundDealerOf(key);
      if (boundDealerOf(after) !== from) await recordRebinding.ofKey(tx, { id: key.id, from, now });
      await audit(tx, {
        at: now,
        by,
        action: "key.changed",
        resourceId: key.id,
        dealerId: from,
        before: presentKey(key, now),
        after: presentKey(after, now),
      });
    }
  };

  return {
    async offboard(offboarding, now, by) {
      const { user, newOwner, rank } = offboarding;
      const endedBy = endedByAfter(rank, user, { active: false, endedAgain: true });
      try {
        await changeAccess(by, now, async (tx) => {
          if (newOwner !== null)
            requireRows(await tx.all(newOwnerUnchanged, { id: newOwner.id, seen: newOwner.updatedAt }));
          // Deactivation also ends the user's sessions and invalidates their invitation.
          requireRows(await tx.all(deactivated, { id: user.id, seen: user.updatedAt, now, ended_by: endedBy }));
          await requireSuperAdmin(tx, user, { ...user, active: false });
          await changeKeys(tx, offboarding, { now, by });
          if (newOwner !== null && offboarding.keys.length > 0) await enforceQuota(tx, "keysPerUser", newOwner.id);
          await audit(tx, { at: now, by, ...toAuditDraft(user, { ...user, active: false, endedBy }) });
        });
        return true;
      } catch (error) {
        if (error instanceof RecordChanged) return null;
        if (error instanceof QuotaExceeded) return error.failure;
        if (error instanceof NoSuperAdminLeft) return LAST_SUPER_ADMIN;
        throw error;
      } finally {
        changed();
      }
    },
  };
};
