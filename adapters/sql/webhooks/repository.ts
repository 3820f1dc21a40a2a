import { sql } from "kysely";
import type { ScopedChange } from "../../../core/access/scoped-change.ts";
import type { Clock } from "../../../core/clock.ts";
import { Failure } from "../../../core/failure.ts";
import type { Sealing } from "../../../core/sealing.ts";
import { UNKNOWN_DEALER } from "../../../core/vehicles/vehicle-repository.ts";
import { TEST_EVENT } from "../../../core/webhooks/event.ts";
import type { WebhookSigning } from "../../../core/webhooks/signing.ts";
import { TOO_MANY_WEBHOOKS, type WebhookRepository } from "../../../core/webhooks/webhook-repository.ts";
import { entriesOfDealer } from "../audit/entry-queries.ts";
import { auditTrail } from "../audit/trail.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { newestFirstPages } from "../query/newest-first.ts";
import { param, params, scopedStatement, sqlStatement, statement } from "../query/statement.ts";
import type { NewRow } from "../query/tables.ts";
import {
  answeredOf,
  auditedAddress,
  auditedOf,
  CHANGED_COLUMNS,
  changedColumns,
  DELIVERY_COLUMNS,
  deliveryOf,
  FRESH,
  INSERTED_COLUMNS,
  QUEUED_COLUMNS,
  queuedColumns,
  resealAsPrevious,
  sealSecret,
  storedOf,
  WEBHOOK_COLUMNS,
} from "./stored.ts";

/** The maximum number of messages, and of changes, that are queued again at once. */
const MAX_RECOVERED = 5000;

const TOLD = sql`resource IN ('vehicles', 'images', 'dealers', 'keys', 'imports') AND action <> 'access.denied'`;

const statementsOf = (db: SqlDatabase) => {
  const visible = (narrowed: boolean) =>
    db
      .selectFrom("webhooks")
      .where("deleted_at", "is", null)
      .$if(narrowed, (query) => query.where("dealer_id", "=", param("scope")));
  const one = (narrowed: boolean) => visible(narrowed).select(WEBHOOK_COLUMNS).where("id", "=", param("id"));
  const changing = (narrowed: boolean) =>
    db
      .updateTable("webhooks")
      .set("updated_at", db.nextTimestamp("webhooks.updated_at", param("now")))
      .where("id", "=", param("id"))
      .$if(narrowed, (query) => query.where("dealer_id", "=", param("scope")));
  // Nothing is added while changes of an earlier recovery are queued: everybody's changes wait in the same queue.
  const recovered = (entries: ReturnType<typeof sql>) =>
    sqlStatement(
      db,
      sql<{ id: number }>`INSERT INTO webhook_events (kind, subject_id, webhook_id)
        SELECT 'change', id, ${param<number>("webhook")} FROM ${entries} AS entries
        WHERE created_at >= ${param("since")} AND ${TOLD}
          AND NOT EXISTS (SELECT 1 FROM webhook_events AS queued WHERE queued.webhook_id = ${param<number>("webhook")})
        ORDER BY id LIMIT ${sql.lit(MAX_RECOVERED)} RETURNING id`,
    );
  return {
    visible,
    find: scopedStatement(one),
    locked: scopedStatement((narrowed) => one(narrowed).select("secret").modifyEnd(db.forUpdate)),
    dealer: statement(() =>
      db.selectFrom("dealers").select("id").where("id", "=", param("dealer")).modifyEnd(db.forUpdate),
    ),
    ofDealer: sqlStatement(
      db,
      sql<{ count: number }>`SELECT count(*) AS count FROM webhooks
        WHERE deleted_at IS NULL AND dealer_id IS NOT DISTINCT FROM ${param("dealer")}`,
    ),
    insert: statement(() =>
      db
        .insertInto("webhooks")
        .values(params(INSERTED_COLUMNS) satisfies NewRow<"webhooks">)
        .returning("id"),
    ),
    update: scopedStatement((narrowed) => changing(narrowed).set(params(CHANGED_COLUMNS))),
    restart: scopedStatement((narrowed) =>
      changing(narrowed).set({ failures: 0, failing_since: null, noticed_at: null, disabled_reason: null }),
    ),
    due: scopedStatement((narrowed) => changing(narrowed).set({ due_at: param("due") })),
    seal: scopedStatement((narrowed) =>
      changing(narrowed).set(params(["secret", "previous_secret", "previous_until", "actor_key_id", "actor_user_id"])),
    ),
    remove: scopedStatement((narrowed) =>
      changing(narrowed).set({
        deleted_at: param("now"),
        active: 0,
        due_at: null,
        secret: null,
        previous_secret: null,
      }),
    ),
    queue: statement(() =>
      db
        .insertInto("webhook_deliveries")
        .values(params(QUEUED_COLUMNS) satisfies NewRow<"webhook_deliveries">)
        .returning(DELIVERY_COLUMNS),
    ),
    again: statement(() =>
      db
        .updateTable("webhook_deliveries")
        .set({ state: "pending", tries: 0, next_at: param("now"), owner: null, lease_until: null })
        .where("webhook_id", "=", param("webhook"))
        .where("id", "=", param("delivery"))
        .returning(DELIVERY_COLUMNS),
    ),
    present: statement(() =>
      db
        .selectFrom("webhook_deliveries")
        .select([...DELIVERY_COLUMNS, "lease_until"])
        .where("webhook_id", "=", param("webhook"))
        .where("id", "=", param("delivery")),
    ),
    failedAgain: sqlStatement(
      db,
      sql<{ id: number }>`UPDATE webhook_deliveries SET state = 'pending', tries = 0, next_at = ${param("now")}
        WHERE id IN (SELECT id FROM webhook_deliveries WHERE webhook_id = ${param("webhook")} AND state = 'failed'
          AND created_at >= ${param("since")} ORDER BY created_at, id LIMIT ${sql.lit(MAX_RECOVERED)}) RETURNING id`,
    ),
    wait: sqlStatement(
      db,
      sql<object>`UPDATE webhooks SET waiting = waiting + ${param("count")}, due_at = ${param("now")} WHERE id = ${param("webhook")}`,
    ),
    changesOfDealer: recovered(entriesOfDealer(db, param<number>("dealer"))),
    changesOfAll: recovered(sql`audit_entries`),
  };
};

/** Webhooks in SQL; see the port for what it guarantees. */
export const makeWebhookRepository = (
  db: SqlDatabase,
  {
    clock,
    sealing,
    signing,
  }: {
    readonly clock: Clock;
    readonly sealing: () => Promise<Pick<Sealing, "seal" | "open">>;
    readonly signing: Pick<WebhookSigning, "newMessage">;
  },
): WebhookRepository => {
  const statements = statementsOf(db);
  const audit = auditTrail(db);
  // Webhooks of no dealer have no row that could be locked while they are counted.
  const oneAtATime = sqlStatement(db, db.accessLock);
  const pages = newestFirstPages(db, { table: "webhooks", texts: ["url", "events", "description"] }, (has) =>
    statements
      .visible(has("scope"))
      .select(WEBHOOK_COLUMNS)
      .$if(has("dealer"), (query) => query.where("dealer_id", "=", param("dealer")))
      .$if(has("off"), (query) => query.where("active", "=", 0))
      .$if(has("on"), (query) => query.where("active", "=", 1).where("failing_since", "is", null))
      .$if(has("failing"), (query) => query.where("active", "=", 1).where("failing_since", "is not", null)),
  );
  const deliveries = newestFirstPages(db, { table: "webhook_deliveries", texts: ["attempts"] }, (has) =>
    db
      .selectFrom("webhook_deliveries")
      .select(DELIVERY_COLUMNS)
      .where("webhook_id", "=", param("webhook"))
      .$if(has("state"), (query) => query.where("state", "=", param("state"))),
  );

  const lockedRow = async (tx: Sql, { id, scope }: Pick<ScopedChange, "id" | "scope">) => {
    const [row] = await tx.all(statements.locked(scope), { id, scope });
    return row ?? null;
  };

  const answered = async (tx: Sql, { id, scope, now }: ScopedChange) => {
    const [row] = await tx.all(statements.find(scope), { id, scope });
    if (row === undefined) throw new Error(`webhook ${id} is gone while it was changed`);
    return answeredOf(row, now);
  };

  return {
    async insert({ dealerId, most, webhook, secret, now, by }) {
      const keys = await sealing();
      return db.write(async (tx) => {
        if (dealerId !== null && (await tx.all(statements.dealer, { dealer: dealerId })).length === 0)
          return UNKNOWN_DEALER;
        if (dealerId === null) await tx.all(oneAtATime, {});
        const [present] = await tx.all(statements.ofDealer, { dealer: dealerId });
        if ((present?.count ?? 0) >= most) return TOO_MANY_WEBHOOKS;
        const [row] = await tx.all(statements.insert, {
          ...changedColumns(webhook, by),
          ...FRESH,
          dealer_id: dealerId,
          created_at: now,
          updated_at: now,
        });
        if (row === undefined) throw new Error("an inserted webhook has no id");
        const { id } = row;
        await tx.all(statements.seal(dealerId), {
          id,
          scope: dealerId,
          now,
          secret: sealSecret(keys, id, secret),
          previous_secret: null,
          previous_until: null,
          actor_key_id: by.keyId,
          actor_user_id: by.userId,
        });
        await audit(tx, {
          at: now,
          by,
          action: "webhook.created",
          resourceId: id,
          dealerId,
          before: null,
          after: auditedOf(webhook),
        });
        return answered(tx, { id, scope: dealerId, now, by });
      });
    },

    async find(id, scope) {
      const row = await db.first(statements.find(scope), { id, scope });
      return row === null ? null : answeredOf(row, clock.now());
    },

    async list({ scope, dealerId, state, limit, after }) {
      const filters = {
        ...(scope !== null && { scope }),
        ...(dealerId !== undefined && { dealer: dealerId }),
        ...(state !== undefined && { [state]: state }),
      };
      const { rows, ...page } = await pages({ dealer: scope, filters, limit, after });
      return { items: rows.map((row) => answeredOf(row, clock.now())), ...page };
    },

    update: ({ restarts, decide, ...changed }) =>
      db.write(async (tx) => {
        const row = await lockedRow(tx, changed);
        if (row === null) return null;
        const stored = storedOf(row);
        const wanted = decide(stored);
        if (wanted instanceof Failure) return wanted;
        const { id, scope, now, by } = changed;
        await tx.all(statements.update(scope), { ...changedColumns(wanted, by), id, scope, now });
        const isSwitched = wanted.active !== stored.active;
        if (restarts || (isSwitched && wanted.active)) await tx.all(statements.restart(scope), { id, scope, now });
        // What waits is sent when it is switched on again.
        if (isSwitched || restarts)
          await tx.all(statements.due(scope), { id, scope, now, due: wanted.active ? now : null });
        await audit(tx, {
          at: now,
          by,
          action: "webhook.changed",
          resourceId: id,
          dealerId: row.dealer_id,
          before: auditedOf(stored),
          after: auditedOf(wanted),
        });
        return answered(tx, changed);
      }),

    async rotate({ secret, graceEnds, ...changed }) {
      const keys = await sealing();
      return db.write(async (tx) => {
        const row = await lockedRow(tx, changed);
        if (row === null) return null;
        const { id, scope, now, by } = changed;
        const isGrace = graceEnds > now;
        await tx.all(statements.seal(scope), {
          id,
          scope,
          now,
          secret: sealSecret(keys, id, secret),
          previous_secret: isGrace ? resealAsPrevious(keys, row) : null,
          previous_until: isGrace ? graceEnds : null,
          actor_key_id: by.keyId,
          actor_user_id: by.userId,
        });
        await audit(tx, {
          at: now,
          by,
          action: "webhook.rotated",
          resourceId: id,
          dealerId: row.dealer_id,
          before: {},
          after: { grace_until: isGrace ? graceEnds : null },
          recordName: auditedAddress(row.url),
        });
        return answered(tx, changed);
      });
    },

    remove: (changed) =>
      db.write(async (tx) => {
        const row = await lockedRow(tx, changed);
        if (row === null) return false;
        const { id, scope, now, by } = changed;
        await tx.all(statements.remove(scope), { id, scope, now });
        await audit(tx, {
          at: now,
          by,
          action: "webhook.removed",
          resourceId: id,
          dealerId: row.dealer_id,
          before: auditedOf(storedOf(row)),
          after: null,
        });
        return true;
      }),

    test: (changed) =>
      db.write(async (tx) => {
        const row = await lockedRow(tx, changed);
        if (row === null) return null;
        const { id, now } = changed;
        const message = signing.newMessage();
        const data = { id, dealer_id: row.dealer_id, version: now, changed: [], vehicle: null };
        const body = JSON.stringify({ type: TEST_EVENT, timestamp: now, data });
        const made = {
          webhook_id: id,
          source: `test ${message}`,
          event: TEST_EVENT,
          message,
          vehicle_id: null,
          body,
        } as const;
        const [queued] = await tx.all(statements.queue, queuedColumns(made, now));
        await tx.all(statements.wait, { webhook: id, count: 1, now });
        return queued === undefined ? null : deliveryOf(queued);
      }),

    recover: ({ since, ...changed }) =>
      db.write(async (tx) => {
        const row = await lockedRow(tx, changed);
        if (row === null) return null;
        const { id: webhook, now } = changed;
        const again = await tx.all(statements.failedAgain, { webhook, since, now });
        await tx.all(statements.wait, { webhook, count: again.length, now });
        const missed =
          row.dealer_id === null
            ? await tx.all(statements.changesOfAll, { webhook, since })
            : await tx.all(statements.changesOfDealer, { webhook, since, dealer: row.dealer_id });
        return again.length + missed.length;
      }),

    async deliveries({ id, scope, state, limit, after }) {
      if ((await db.first(statements.find(scope), { id, scope })) === null) return null;
      const { rows, ...page } = await deliveries({
        dealer: null,
        filters: { webhook: id, ...(state !== undefined && { state }) },
        limit,
        after,
      });
      return { items: rows.map(deliveryOf), ...page };
    },

    redeliver: ({ deliveryId: delivery, ...changed }) =>
      db.write(async (tx) => {
        if ((await lockedRow(tx, changed)) === null) return null;
        const { id: webhook, now } = changed;
        const [before] = await tx.all(statements.present, { webhook, delivery });
        if (before === undefined) return null;
        // It is being sent. A second request would be one more than the receiver gets at once.
        if (before.lease_until !== null && before.lease_until > now) return deliveryOf(before);
        const [queued] = await tx.all(statements.again, { webhook, delivery, now });
        if (queued === undefined) return null;
        await tx.all(statements.wait, { webhook, count: before.state === "pending" ? 0 : 1, now });
        return deliveryOf(queued);
      }),
  };
};
