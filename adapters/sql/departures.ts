import { sql } from "kysely";
import type { Actor } from "../../core/access/principal.ts";
import { endedByAfter } from "../../core/access/rules/only-higher-rank-reactivates.ts";
import type { Timestamp } from "../../core/clock.ts";
import { boundDealerOf, type KeyRecord, presentKey } from "../../core/keys/key.ts";
import { DEFAULT_QUOTAS, type Quotas } from "../../core/quotas.ts";
import type { Departure, DepartureRepository } from "../../core/users/leaving.ts";
import { LAST_SUPER_ADMIN } from "../../core/users/user-repository.ts";
import { accessChange } from "./access-change.ts";
import { auditTrail } from "./audit-trail.ts";
import type { Sql, SqlDatabase } from "./database.ts";
import { lastSuperAdminGuard, NoSuperAdminLeft } from "./last-super-admin.ts";
import { QuotaReached, quotaGuard } from "./quotas.ts";
import { rebindings } from "./rebindings.ts";
import { param, statement } from "./statement.ts";
import { noted } from "./users.ts";

/** Something is not as it was seen; undoes the transaction. */
class Stale extends Error {}

/** Users who leave, in SQL; see the port for what it guarantees. `changed` runs after every committed change. */
export const makeDepartureRepository = (
  db: SqlDatabase,
  changed: () => void,
  quotas: Quotas = DEFAULT_QUOTAS,
): DepartureRepository => {
  const keepQuota = quotaGuard(db, quotas);
  const audit = auditTrail(db);
  const rebound = rebindings(db);
  const keepLastSuperAdmin = lastSuperAdminGuard(db);
  const changeAccess = accessChange(db);
  const later = db.nextMoment("updated_at", param("now"));
  const asSeen = sql<boolean>`id = ${param("id")} AND updated_at = ${param("seen")}`;
  const heirThere = statement(() =>
    db.build.selectFrom("users").select("id").where(asSeen).where("active", "=", 1).modifyEnd(db.lockRows),
  );
  const deactivated = statement(() =>
    db.build
      .updateTable("users")
      .set({ active: 0, ended_by: param("ended_by"), updated_at: later })
      .where(asSeen)
      .returning("id"),
  );
  const held = statement(() =>
    db.build.selectFrom("api_keys").select("id").where("user_id", "=", param("user_id")).modifyEnd(db.lockRows),
  );
  const revoked = statement(() =>
    db.build
      .updateTable("api_keys")
      .set({ active: 0, ended_by: param("ended_by"), updated_at: later })
      .where(asSeen)
      .returning("id"),
  );
  const transferred = statement(() =>
    db.build
      .updateTable("api_keys")
      .set({ user_id: param("heir"), updated_at: later })
      .where(asSeen)
      .returning("id"),
  );

  const require = (rows: readonly unknown[], count = 1): void => {
    if (rows.length !== count) throw new Stale();
  };

  const changeKeys = async (
    tx: Sql,
    { user, keys, heir, rank }: Departure,
    now: Timestamp,
    by: Actor,
  ): Promise<void> => {
    require(await tx.all(held, { user_id: user.id }), keys.length);
    for (const key of keys) {
      const endedBy = endedByAfter(rank, key, false, true);
      // A key that is revoked already stays as it is, unless somebody of higher rank revokes it as well.
      if (heir === null && !key.active && endedBy === key.endedBy) continue;
      const values = { id: key.id, seen: key.updatedAt, now };
      require(
        heir === null
          ? await tx.all(revoked, { ...values, ended_by: endedBy })
          : await tx.all(transferred, { ...values, heir: heir.id }),
      );
      const after: KeyRecord =
        heir === null ? { ...key, active: false, endedBy } : { ...key, userId: heir.id, holder: heir, updatedAt: now };
      const from = boundDealerOf(key);
      if (boundDealerOf(after) !== from) await rebound.ofKey(tx, key.id, from, now);
      await audit(tx, now, by, {
        action: "key.changed",
        resourceId: key.id,
        dealerId: from,
        before: presentKey(key),
        after: presentKey(after),
      });
    }
  };

  return {
    async depart(departure, now, by) {
      const { user, heir, rank } = departure;
      const endedBy = endedByAfter(rank, user, false, true);
      try {
        await changeAccess(by, now, async (tx) => {
          if (heir !== null) require(await tx.all(heirThere, { id: heir.id, seen: heir.updatedAt }));
          // Deactivating ends the sessions and voids the invitation, too.
          require(await tx.all(deactivated, { id: user.id, seen: user.updatedAt, now, ended_by: endedBy }));
          await keepLastSuperAdmin(tx, user, { ...user, active: false });
          await changeKeys(tx, departure, now, by);
          if (heir !== null && departure.keys.length > 0) await keepQuota(tx, "keysPerUser", heir.id);
          await audit(tx, now, by, noted(user, { ...user, active: false, endedBy }));
        });
        return true;
      } catch (error) {
        if (error instanceof Stale) return null;
        if (error instanceof QuotaReached) return error.failure;
        if (error instanceof NoSuperAdminLeft) return LAST_SUPER_ADMIN;
        throw error;
      } finally {
        changed();
      }
    },
  };
};
