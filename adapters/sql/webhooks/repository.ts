import { type RawBuilder, sql, type Updateable } from "kysely";
import type { ScopedChange } from "../../../core/access/scoped-change.ts";
import type { Clock } from "../../../core/clock.ts";
import { Failure } from "../../../core/failure.ts";
import type { Sealing } from "../../../core/sealing.ts";
import { UNKNOWN_DEALER } from "../../../core/vehicles/vehicle-repository.ts";
import { TEST_EVENT } from "../../../core/webhooks/event.ts";
import type { WebhookSigning } from "../../../core/webhooks/signing.ts";
import type { DeliveryState, WebhookState } from "../../../core/webhooks/webhook.ts";
import { TOO_MANY_WEBHOOKS, type WebhookRepository } from "../../../core/webhooks/webhook-repository.ts";
import { entriesOfDealer } from "../audit/entry-queries.ts";
import { auditTrail } from "../audit/trail.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import type { Queries } from "../query/driver.ts";
import { type Filtering, newestFirstPages } from "../query/newest-first.ts";
import { isWithin } from "../query/scope.ts";
import type { NewRow, Tables } from "../query/tables.ts";
import {
  answeredOf,
  auditedAddress,
  auditedOf,
  changedColumns,
  DELIVERY_COLUMNS,
  deliveryOf,
  FRESH,
  queuedColumns,
  resealAsPrevious,
  sealSecret,
  storedOf,
  WEBHOOK_COLUMNS,
} from "./stored.ts";

/** The maximum number of messages, and of changes, that are queued again at once. */
const MAX_RECOVERED = 5000;

/** What is begun anew when a webhook is switched on again. */
const RESTARTED = { failures: 0, failing_since: null, noticed_at: null, disabled_reason: null } as const;

const TOLD = sql`resource IN ('vehicles', 'images', 'dealers', 'keys', 'imports') AND action <> 'access.denied'`;

/**
 * The changes of a webhook's dealer, or of all, that were recorded since then are queued for it alone. Nothing is added while
 * changes of an earlier recovery are queued: everybody's changes wait in the same queue.
 */
const queueChanges = async (
  tx: Tx,
  {
    webhook,
    since,
    entries,
  }: { readonly webhook: number; readonly since: string; readonly entries: RawBuilder<unknown> },
): Promise<number> => {
  const queued = await sql`INSERT INTO webhook_events (kind, subject_id, webhook_id)
    SELECT 'change', id, ${webhook} FROM ${entries} AS entries
    WHERE created_at >= ${since} AND ${TOLD}
      AND NOT EXISTS (SELECT 1 FROM webhook_events AS queued WHERE queued.webhook_id = ${webhook})
    ORDER BY id LIMIT ${sql.lit(MAX_RECOVERED)} RETURNING id`.execute(tx);
  return queued.rows.length;
};

/** So many more messages of a webhook wait. They are due now. */
const addWaiting = async (
  tx: Tx,
  webhook: number,
  { count, now }: { readonly count: number; readonly now: string },
) => {
  await tx
    .updateTable("webhooks")
    .set((eb) => ({ waiting: eb("waiting", "+", count), due_at: now }))
    .where("id", "=", webhook)
    .execute();
};

const presentWebhooks = (on: Queries) =>
  on.selectFrom("webhooks").select(WEBHOOK_COLUMNS).where("deleted_at", "is", null);

const webhookIn = (on: Queries, { id, scope }: Pick<ScopedChange, "id" | "scope">) =>
  presentWebhooks(on).where("id", "=", id).where(isWithin(scope));

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
  const audit = auditTrail(db);
  const pages = newestFirstPages(
    db,
    { table: "webhooks", texts: ["url", "events", "description"] },
    ({
      has,
      param,
    }: Filtering<{ scope: number; dealer: number; on: WebhookState; off: WebhookState; failing: WebhookState }>) =>
      presentWebhooks(db)
        .$if(has("scope"), (query) => query.where("dealer_id", "=", param("scope")))
        .$if(has("dealer"), (query) => query.where("dealer_id", "=", param("dealer")))
        .$if(has("off"), (query) => query.where("active", "=", 0))
        .$if(has("on"), (query) => query.where("active", "=", 1).where("failing_since", "is", null))
        .$if(has("failing"), (query) => query.where("active", "=", 1).where("failing_since", "is not", null)),
  );
  const deliveries = newestFirstPages(
    db,
    { table: "webhook_deliveries", texts: ["attempts"] },
    ({ has, param }: Filtering<{ webhook: number; state: DeliveryState }>) =>
      db
        .selectFrom("webhook_deliveries")
        .select(DELIVERY_COLUMNS)
        .where("webhook_id", "=", param("webhook"))
        .$if(has("state"), (query) => query.where("state", "=", param("state"))),
  );

  const lockedRow = async (tx: Tx, changed: Pick<ScopedChange, "id" | "scope">) =>
    (await webhookIn(tx, changed).select("secret").modifyEnd(db.forUpdate).executeTakeFirst()) ?? null;

  const change = async (
    tx: Tx,
    { id, scope, now }: Pick<ScopedChange, "id" | "scope" | "now">,
    columns: Updateable<Tables["webhooks"]>,
  ): Promise<void> => {
    await tx
      .updateTable("webhooks")
      .set({ ...columns, updated_at: db.nextTimestamp("webhooks.updated_at", now) })
      .where("id", "=", id)
      .where(isWithin(scope))
      .execute();
  };

  const answered = async (tx: Tx, changed: Pick<ScopedChange, "id" | "scope" | "now">) =>
    answeredOf(await webhookIn(tx, changed).executeTakeFirstOrThrow(), changed.now);

  return {
    async insert({ dealerId, most, webhook, secret, now, by }) {
      const keys = await sealing();
      return db.write(async (tx) => {
        if (dealerId === null) {
          // Webhooks of no dealer have no row that could be locked while they are counted.
          await db.accessLock.execute(tx);
        } else {
          const dealer = tx.selectFrom("dealers").select("id").where("id", "=", dealerId).modifyEnd(db.forUpdate);
          if ((await dealer.executeTakeFirst()) === undefined) return UNKNOWN_DEALER;
        }
        const { count } = await tx
          .selectFrom("webhooks")
          .select(sql<number>`count(*)`.as("count"))
          .where("deleted_at", "is", null)
          .where("dealer_id", "is not distinct from", dealerId)
          .executeTakeFirstOrThrow();
        if (count >= most) return TOO_MANY_WEBHOOKS;
        const { id } = await tx
          .insertInto("webhooks")
          .values({
            ...changedColumns(webhook, by),
            ...FRESH,
            dealer_id: dealerId,
            created_at: now,
            updated_at: now,
          } satisfies NewRow<"webhooks">)
          .returning("id")
          .executeTakeFirstOrThrow();
        await change(tx, { id, scope: dealerId, now }, { secret: sealSecret(keys, id, secret) });
        await audit(tx, {
          at: now,
          by,
          action: "webhook.created",
          resourceId: id,
          dealerId,
          before: null,
          after: auditedOf(webhook),
        });
        return answered(tx, { id, scope: dealerId, now });
      });
    },

    async find(id, scope) {
      const row = await webhookIn(db, { id, scope }).executeTakeFirst();
      return row === undefined ? null : answeredOf(row, clock.now());
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
        const { id, now, by } = changed;
        const isSwitched = wanted.active !== stored.active;
        await change(tx, changed, {
          ...changedColumns(wanted, by),
          ...((restarts || (isSwitched && wanted.active)) && RESTARTED),
          // What waits is sent when it is switched on again.
          ...((isSwitched || restarts) && { due_at: wanted.active ? now : null }),
        });
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
        const { id, now, by } = changed;
        const isGrace = graceEnds > now;
        await change(tx, changed, {
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
        const { id, now, by } = changed;
        await change(tx, changed, { deleted_at: now, active: 0, due_at: null, secret: null, previous_secret: null });
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
        const queued = await tx
          .insertInto("webhook_deliveries")
          .values(queuedColumns(made, now) satisfies NewRow<"webhook_deliveries">)
          .returning(DELIVERY_COLUMNS)
          .executeTakeFirstOrThrow();
        await addWaiting(tx, id, { count: 1, now });
        return deliveryOf(queued);
      }),

    recover: ({ since, ...changed }) =>
      db.write(async (tx) => {
        const row = await lockedRow(tx, changed);
        if (row === null) return null;
        const { id: webhook, now } = changed;
        const failed = tx
          .selectFrom("webhook_deliveries")
          .select("id")
          .where("webhook_id", "=", webhook)
          .where("state", "=", sql.lit("failed"))
          .where("created_at", ">=", since)
          .orderBy("created_at")
          .orderBy("id")
          .limit(sql.lit(MAX_RECOVERED));
        const again = await tx
          .updateTable("webhook_deliveries")
          .set({ state: "pending", tries: 0, next_at: now })
          .where("id", "in", failed)
          .returning("id")
          .execute();
        await addWaiting(tx, webhook, { count: again.length, now });
        const entries = row.dealer_id === null ? sql`audit_entries` : entriesOfDealer(db, sql.val(row.dealer_id));
        return again.length + (await queueChanges(tx, { webhook, since, entries }));
      }),

    async deliveries({ id, scope, state, limit, after }) {
      if ((await webhookIn(db, { id, scope }).executeTakeFirst()) === undefined) return null;
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
        const before = await tx
          .selectFrom("webhook_deliveries")
          .select([...DELIVERY_COLUMNS, "lease_until"])
          .where("webhook_id", "=", webhook)
          .where("id", "=", delivery)
          .executeTakeFirst();
        if (before === undefined) return null;
        // It is being sent. A second request would be one more than the receiver gets at once.
        if (before.lease_until !== null && before.lease_until > now) return deliveryOf(before);
        const queued = await tx
          .updateTable("webhook_deliveries")
          .set({ state: "pending", tries: 0, next_at: now, owner: null, lease_until: null })
          .where("webhook_id", "=", webhook)
          .where("id", "=", delivery)
          .returning(DELIVERY_COLUMNS)
          .executeTakeFirst();
        if (queued === undefined) return null;
        await addWaiting(tx, webhook, { count: before.state === "pending" ? 0 : 1, now });
        return deliveryOf(queued);
      }),
  };
};
