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
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, type SqlValue, type Statement, sqlStatement, statement } from "../query/statement.ts";

/** The number of keys in a transaction. */
const AT_ONCE = 100;
const DAY_MS = 86_400_000;

type DueRow = KeyRow & {
  readonly last_seen: string;
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
  const accessLock = sqlStatement(db, db.accessLock);
  const due = (isDue: RawBuilder<SqlBool>) =>
    statement(() =>
      selectKeys(db, "everything")
        .select([LAST_SEEN.as("last_seen"), "users.name as user_name", "users.email as user_email"])
        .where("api_keys.active", "=", 1)
        .where(isDue)
        .orderBy("api_keys.id")
        .limit(sql.lit(AT_ONCE)),
    );
  const isIdle = sql<SqlBool>`api_keys.bootstrap = 0 AND (api_keys.expires_at IS NULL OR api_keys.expires_at > ${param("now")})
    AND ${LAST_SEEN} <= ${param("since")}`;
  const idle = due(sql`${isIdle} AND (api_keys.idle_noticed_at IS NULL OR api_keys.idle_noticed_at < ${LAST_SEEN})`);
  const ending = due(
    sql`${isIdle} AND api_keys.idle_noticed_at >= ${LAST_SEEN} AND api_keys.idle_noticed_at <= ${param("noted_by")}`,
  );
  const expiring = due(
    sql<SqlBool>`api_keys.expires_at > ${param("since")} AND api_keys.expires_at <= ${param("until")}
      AND (api_keys.notified_expiry IS NULL OR api_keys.notified_expiry <> api_keys.expires_at
        OR api_keys.notified_days > ${param("days")})`,
  );
  const notedExpiry = sqlStatement(
    db,
    sql<object>`UPDATE api_keys SET notified_days = ${param("days")}, notified_expiry = expires_at WHERE id = ${param("id")}`,
  );
  const toWebhooks = sqlStatement(
    db,
    sql<object>`INSERT INTO webhook_events (kind, subject_id) SELECT 'expiring', id FROM api_keys
      WHERE id = ${param("id")} AND EXISTS (SELECT 1 FROM webhooks WHERE active = 1)`,
  );
  const noted = sqlStatement(
    db,
    sql<object>`UPDATE api_keys SET idle_noticed_at = ${param("now")} WHERE id = ${param("id")}`,
  );
  const off = statement(() =>
    db
      .updateTable("api_keys")
      .set({
        active: 0,
        ended_by: sql.lit(RANK_OF_SERVICE),
        disabled_reason: sql.lit("idle"),
        updated_at: db.nextTimestamp("updated_at", param("now")),
      })
      .where("id", "=", param("id")),
  );

  /** Does `work` on each due key in one transaction, while no other change of access runs. Mostly there is none. */
  const forEachDue = async (
    found: Statement<DueRow>,
    values: Readonly<Record<string, SqlValue>>,
    work: (tx: Sql, row: DueRow) => Promise<KeyNotice | null>,
  ): Promise<KeyNotices> => {
    if ((await db.all(found, values)).length === 0) return { notices: [], isMore: false };
    const made = await db.write(async (tx) => {
      await tx.all(accessLock, {});
      const notices: (KeyNotice | null)[] = [];
      for (const row of await tx.all(found, values)) notices.push(await work(tx, row));
      return notices;
    });
    return { notices: made.filter((notice) => notice !== null), isMore: made.length === AT_ONCE };
  };

  return {
    noteExpiring: ({ days, since, until, now }) =>
      forEachDue(expiring, { days, since, until }, async (tx, row) => {
        const endsAt = row.expires_at ?? now;
        await tx.all(notedExpiry, { id: row.id, days });
        if (msOf(row.created_at) > msOf(endsAt) - days * DAY_MS) return null;
        const notice = noticeOf(row, "expiring", endsAt);
        await tx.all(toWebhooks, { id: row.id });
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
      }),

    noteIdle: ({ since, now, endsAt }) =>
      forEachDue(idle, { since, now }, async (tx, row) => {
        const notice = noticeOf(row, "idle", endsAt(row.last_seen));
        await tx.all(noted, { id: row.id, now });
        await audit(tx, {
          at: now,
          by: SERVICE,
          action: "key.idle",
          resourceId: row.id,
          dealerId: notice.dealerId,
          before: null,
          after: { name: row.name, ends_at: notice.endsAt },
        });
        return notice;
      }),

    async switchOffIdle({ since, notedBy, now }) {
      const ended = await forEachDue(ending, { since, now, noted_by: notedBy }, async (tx, row) => {
        const notice = noticeOf(row, "switched-off", now);
        await tx.all(off, { id: row.id, now });
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
