import { type RawBuilder, type SqlBool, sql } from "kysely";
import { boundDealerOf } from "../../../core/access/authority.ts";
import { SERVICE } from "../../../core/access/principal.ts";
import { RANK_OF_SERVICE } from "../../../core/access/rules/only-higher-rank-reactivates.ts";
import { msOf, type Timestamp } from "../../../core/clock.ts";
import { presentKey } from "../../../core/keys/key.ts";
import type { KeyLives, KeyNotice, KeyNotices } from "../../../core/keys/life.ts";
import { type KeyRow, keyOf, LAST_SEEN, selectKeys } from "../access/key-rows.ts";
import { receiverIn } from "../access/notice-receivers.ts";
import { auditTrail } from "../audit/trail.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import type { Queries } from "../query/driver.ts";

/** The number of keys in a transaction. */
const AT_ONCE = 100;
const DAY_MS = 86_400_000;

type DueRow = KeyRow & {
  readonly user_name: string | null;
  readonly user_email: string | null;
};

const noticeOf = (row: DueRow, kind: KeyNotice["kind"], endsAt: Timestamp): KeyNotice => ({
  keyId: row.id,
  name: row.name,
  dealerId: boundDealerOf(keyOf(row)),
  kind,
  endsAt,
  receiver: receiverIn({
    owner_email: row.owner_email,
    user_id: row.user_active === 1 ? row.user_id : null,
    name: row.user_name,
    email: row.user_email,
  }),
});

/** Keys that end by themselves, in SQL; see the port for what it guarantees. `changed` runs after keys were ended. */
export const makeKeyLives = (db: SqlDatabase, changed: () => void): KeyLives => {
  const audit = auditTrail(db);
  const due = (on: Queries, isDue: RawBuilder<SqlBool>) =>
    selectKeys(on, "everything")
      .select(["users.name as user_name", "users.email as user_email"])
      .where("api_keys.active", "=", 1)
      .where(isDue)
      .orderBy("api_keys.id")
      .limit(sql.lit(AT_ONCE))
      .execute();
  const isIdle = ({ since, now }: { readonly since: Timestamp; readonly now: Timestamp }) =>
    sql`api_keys.bootstrap = 0 AND (api_keys.expires_at IS NULL OR api_keys.expires_at > ${now})
      AND ${LAST_SEEN} <= ${since}`;

  /** Does `work` on each due key in one transaction, while no other change of access runs. Mostly there is none. */
  const forEachDue = async (
    isDue: RawBuilder<SqlBool>,
    work: (tx: Tx, row: DueRow) => Promise<KeyNotice | null>,
  ): Promise<KeyNotices> => {
    if ((await due(db, isDue)).length === 0) return { notices: [], isMore: false };
    const made = await db.write(async (tx) => {
      await db.accessLock.execute(tx);
      const notices: (KeyNotice | null)[] = [];
      for (const row of await due(tx, isDue)) notices.push(await work(tx, row));
      return notices;
    });
    return { notices: made.filter((notice) => notice !== null), isMore: made.length === AT_ONCE };
  };

  return {
    noteExpiring: ({ days, since, until, now }) => {
      const isExpiring = sql<SqlBool>`api_keys.expires_at > ${since} AND api_keys.expires_at <= ${until}
        AND (api_keys.notified_expiry IS NULL OR api_keys.notified_expiry <> api_keys.expires_at
          OR api_keys.notified_days > ${days})`;
      return forEachDue(isExpiring, async (tx, row) => {
        const endsAt = row.expires_at ?? now;
        await tx
          .updateTable("api_keys")
          .set((eb) => ({ notified_days: days, notified_expiry: eb.ref("expires_at") }))
          .where("id", "=", row.id)
          .execute();
        if (msOf(row.created_at) > msOf(endsAt) - days * DAY_MS) return null;
        const notice = noticeOf(row, "expiring", endsAt);
        await sql`INSERT INTO webhook_events (kind, subject_id) SELECT 'expiring', id FROM api_keys
          WHERE id = ${row.id} AND EXISTS (SELECT 1 FROM webhooks WHERE active = 1)`.execute(tx);
        await audit(tx, {
          at: now,
          by: SERVICE,
          action: "key.expiring",
          resourceId: row.id,
          dealerId: notice.dealerId,
          before: null,
          after: { name: row.name, ends_at: endsAt },
        });
        return notice;
      });
    },

    noteIdle: ({ since, now, endsAt }) => {
      const isUnnoticed = sql<SqlBool>`${isIdle({ since, now })}
        AND (api_keys.idle_noticed_at IS NULL OR api_keys.idle_noticed_at < ${LAST_SEEN})`;
      return forEachDue(isUnnoticed, async (tx, row) => {
        const notice = noticeOf(row, "idle", endsAt);
        await tx.updateTable("api_keys").set({ idle_noticed_at: now }).where("id", "=", row.id).execute();
        await audit(tx, {
          at: now,
          by: SERVICE,
          action: "key.idle",
          resourceId: row.id,
          dealerId: notice.dealerId,
          before: null,
          after: { name: row.name, ends_at: endsAt },
        });
        return notice;
      });
    },

    async switchOffIdle({ since, notedBy, now }) {
      const isEnding = sql<SqlBool>`${isIdle({ since, now })} AND api_keys.idle_noticed_at >= ${LAST_SEEN}
        AND api_keys.idle_noticed_at <= ${notedBy}`;
      const ended = await forEachDue(isEnding, async (tx, row) => {
        const notice = noticeOf(row, "switched-off", now);
        await tx
          .updateTable("api_keys")
          .set({
            active: 0,
            ended_by: sql.lit(RANK_OF_SERVICE),
            disabled_reason: sql.lit("idle"),
            updated_at: db.nextTimestamp("updated_at", now),
          })
          .where("id", "=", row.id)
          .execute();
        const before = keyOf(row);
        const after = { ...before, active: false, disabledReason: "idle" as const };
        await audit(tx, {
          at: now,
          by: SERVICE,
          action: "key.changed",
          resourceId: row.id,
          dealerId: notice.dealerId,
          before: presentKey(before, now),
          after: presentKey(after, now),
        });
        return notice;
      });
      if (ended.notices.length > 0) changed();
      return ended;
    },
  };
};
