import { sql } from "kysely";
import { SERVICE } from "../../../core/access/principal.ts";
import type { Clock, Timestamp } from "../../../core/clock.ts";
import { LEASE_SECONDS } from "../../../core/jobs/job.ts";
import type { Sealing } from "../../../core/sealing.ts";
import type { WebhookSigning } from "../../../core/webhooks/signing.ts";
import type { DeliveryState } from "../../../core/webhooks/webhook.ts";
import type { ClaimedDelivery, ReportedWebhook, WebhookWork } from "../../../core/webhooks/webhook-repository.ts";
import { currentPrincipalOf } from "../access/current-principals.ts";
import { receiverOf } from "../access/notice-receivers.ts";
import { auditTrail } from "../audit/trail.ts";
import type { SqlDatabase } from "../query/database.ts";
import { idsValue, isInIds } from "../query/slices.ts";
import { sqlStatement, statement } from "../query/statement.ts";
import type { Row } from "../query/tables.ts";
import { denyMessages } from "./denied-messages.ts";
import { forgetting } from "./forgetting.ts";
import { changeSpreading } from "./spreading.ts";
import { openSecrets, storedOf, WEBHOOK_COLUMNS } from "./stored.ts";
import { switchingOff } from "./switching-off.ts";

/** The number of messages that one receiver gets at once. */
const AT_ONCE = 4;
/** The number of webhooks that are looked at in a turn. */
const MAX_DUE = 100;
const KEPT_ATTEMPTS = 20;

const CLAIMED_COLUMNS = [
  ...WEBHOOK_COLUMNS,
  "secret",
  "previous_secret",
  "actor_key_id",
  "actor_user_id",
  "paced_at",
  "paced",
] as const;
const FAILING_COLUMNS = [
  "id",
  "dealer_id",
  "url",
  "description",
  "actor_key_id",
  "actor_user_id",
  "failures",
  "failing_since",
  "noticed_at",
] as const;

type OfWebhook = { id: number; now: Timestamp };
type OfMessage = { id: number; owner: string };

/** Some of these run for each message, the others for each webhook in each turn. */
const statementsOf = (db: SqlDatabase) => {
  const skipLocked = db.engine === "postgres" ? sql`FOR NO KEY UPDATE SKIP LOCKED` : sql``;
  return {
    due: sqlStatement<Pick<Row<"webhooks">, "id" | "dealer_id">, { now: Timestamp }>(
      db,
      (param) => sql`SELECT id, dealer_id FROM webhooks WHERE due_at <= ${param("now")} AND active = 1
        ORDER BY due_at LIMIT ${sql.lit(MAX_DUE)}`,
    ),
    locked: statement<OfWebhook, Pick<Row<"webhooks">, (typeof CLAIMED_COLUMNS)[number]>>((param) =>
      db
        .selectFrom("webhooks")
        .select(CLAIMED_COLUMNS)
        .where("id", "=", param("id"))
        .where("active", "=", 1)
        .where("due_at", "<=", param("now"))
        .modifyEnd(skipLocked),
    ),
    failing: statement<Pick<OfWebhook, "id">, Pick<Row<"webhooks">, (typeof FAILING_COLUMNS)[number]>>((param) =>
      db.selectFrom("webhooks").select(FAILING_COLUMNS).where("id", "=", param("id")).modifyEnd(db.forNoKeyUpdate),
    ),
    sentNow: sqlStatement<{ count: number; until: string | null }, OfWebhook>(
      db,
      (param) => sql`SELECT count(*) AS count, min(lease_until) AS until
        FROM webhook_deliveries WHERE webhook_id = ${param("id")} AND lease_until > ${param("now")}`,
    ),
    waiting: sqlStatement<
      Pick<Row<"webhook_deliveries">, "id" | "event" | "message" | "body" | "tries">,
      OfWebhook & { most: number }
    >(
      db,
      (param) => sql`SELECT id, event, message, body, tries FROM webhook_deliveries
        WHERE webhook_id = ${param("id")} AND state = 'pending' AND next_at <= ${param("now")}
          AND (lease_until IS NULL OR lease_until <= ${param("now")}) ORDER BY next_at, id LIMIT ${param("most")}`,
    ),
    lease: statement<{ ids: string; webhook: number; owner: string; until: Timestamp }>((param) =>
      db
        .updateTable("webhook_deliveries")
        .set({ owner: param("owner"), lease_until: param("until") })
        .where(isInIds(db))
        .where("webhook_id", "=", param("webhook")),
    ),
    next: sqlStatement<{ at: string | null }, OfWebhook>(
      db,
      (param) => sql`SELECT min(next_at) AS at FROM webhook_deliveries
        WHERE webhook_id = ${param("id")} AND state = 'pending' AND next_at > ${param("now")}`,
    ),
    pace: sqlStatement<object, { id: number; due: Timestamp | null; second: Timestamp; paced: number }>(
      db,
      (param) => sql`UPDATE webhooks SET due_at = ${param("due")}, paced_at = ${param("second")},
        paced = ${param("paced")} WHERE id = ${param("id")}`,
    ),
    sent: sqlStatement<{ attempts: string }, OfMessage>(
      db,
      (param) => sql`SELECT attempts FROM webhook_deliveries
        WHERE id = ${param("id")} AND owner = ${param("owner")} AND state = 'pending'`,
    ),
    finish: sqlStatement<
      object,
      OfMessage & { state: DeliveryState; tries: number; attempts: string; next: Timestamp | null }
    >(
      db,
      (param) => sql`UPDATE webhook_deliveries SET state = ${param("state")}, tries = ${param("tries")},
        attempts = ${param("attempts")}, next_at = ${param("next")}, owner = NULL, lease_until = NULL
        WHERE id = ${param("id")} AND owner = ${param("owner")}`,
    ),
    outcome: sqlStatement<
      object,
      OfWebhook & Pick<Row<"webhooks">, "failures" | "failing_since" | "noticed_at"> & { ended: 0 | 1 }
    >(
      db,
      (param) => sql`UPDATE webhooks SET failures = ${param("failures")}, failing_since = ${param("failing_since")},
        noticed_at = ${param("noticed_at")}, waiting = waiting - ${param("ended")},
        due_at = CASE WHEN active = 0 THEN NULL WHEN due_at < ${param("now")} THEN due_at ELSE ${param("now")} END
        WHERE id = ${param("id")}`,
    ),
  };
};

/** The work of sending webhooks' messages, in SQL; see the port for what it guarantees. */
export const makeWebhookWork = (
  db: SqlDatabase,
  {
    clock,
    sealing,
    signing,
  }: {
    readonly clock: Clock;
    readonly sealing: () => Promise<Pick<Sealing, "open">>;
    readonly signing: Pick<WebhookSigning, "newMessage">;
  },
): WebhookWork => {
  const statements = statementsOf(db);
  const switchOff = switchingOff(db, clock);
  const audit = auditTrail(db);
  const spread = changeSpreading(db, { clock, signing });

  const earliest = (...times: readonly (Timestamp | null | undefined)[]): Timestamp | null =>
    times.filter((time) => time !== null && time !== undefined).toSorted()[0] ?? null;

  /** Claims messages of one webhook. */
  const claimOf = (
    id: number,
    most: number,
    mayRead: Parameters<WebhookWork["claim"]>[1],
  ): Promise<{ readonly claimed: readonly ClaimedDelivery[]; readonly reported: ReportedWebhook | null }> =>
    sealing().then((keys) =>
      db.write(async (tx) => {
        const now = clock.now();
        const [row] = await tx.all(statements.locked, { id, now });
        if (row === undefined) return { claimed: [], reported: null };
        const caller = { keyId: row.actor_key_id, userId: row.actor_user_id };
        const maker = await currentPrincipalOf(tx, caller, now);
        if (!mayRead(maker, storedOf(row))) return { claimed: [], reported: await switchOff(tx, row, "rights_lost") };
        const second = `${now.slice(0, 19)}.000Z`;
        const paced = row.paced_at === second ? row.paced : 0;
        const [sentNow] = await tx.all(statements.sentNow, { id, now });
        const room = Math.min(most, AT_ONCE - (sentNow?.count ?? 0), row.max_per_second - paced);
        const found = room > 0 ? await tx.all(statements.waiting, { id, now, most: room }) : [];
        const waiting = await denyMessages(tx, { id, found, maker, now });
        const owner = crypto.randomUUID();
        const until = clock.after(LEASE_SECONDS);
        if (waiting.length > 0)
          await tx.all(statements.lease, { ids: idsValue(waiting.map((one) => one.id)), webhook: id, owner, until });
        // If not all were taken, it is looked at again in the next second, or when one of those that are sent now ends.
        const isMore = found.length >= room;
        const [next] = await tx.all(statements.next, { id, now });
        const due = isMore ? clock.after(1) : earliest(next?.at, sentNow?.until, waiting.length > 0 ? until : null);
        await tx.all(statements.pace, { id, due, second, paced: paced + waiting.length });
        const secrets = openSecrets(keys, row, now);
        const claimed = waiting.map((one) => ({
          ...one,
          webhookId: id,
          dealerId: row.dealer_id,
          owner,
          url: row.url,
          secrets,
        }));
        return { claimed, reported: null };
      }),
    );

  return {
    spread,

    async claim(places, mayRead) {
      const claimed: ClaimedDelivery[] = [];
      const reported: ReportedWebhook[] = [];
      for (const { id, dealer_id: dealer } of await db.all(statements.due, { now: clock.now() })) {
        if (places.free === 0) break;
        try {
          // Without room for its dealer it is looked at again in the next second, and hides nobody else meanwhile.
          const one = await claimOf(id, places.roomOf(dealer), mayRead);
          for (const _ of one.claimed) places.take(dealer);
          claimed.push(...one.claimed);
          if (one.reported !== null) reported.push(one.reported);
        } catch (error) {
          // What is claimed has places, and has to be sent. A failure that lasts is thrown when nothing was claimed before it.
          if (claimed.length === 0 && reported.length === 0) throw error;
          break;
        }
      }
      return { claimed, reported };
    },

    finish: ({ id, webhookId, owner, tries }, attempt, decide) =>
      db.write(async (tx) => {
        const [webhook] = await tx.all(statements.failing, { id: webhookId });
        const [sent] = await tx.all(statements.sent, { id, owner });
        if (webhook === undefined || sent === undefined) return null;
        const after = decide({
          failures: webhook.failures,
          failingSince: webhook.failing_since,
          noticedAt: webhook.noticed_at,
        });
        await tx.all(statements.finish, {
          id,
          owner,
          state: after.state,
          tries: tries + 1,
          attempts: JSON.stringify([...JSON.parse(sent.attempts), attempt].slice(-KEPT_ATTEMPTS)),
          next: after.nextAt,
        });
        await tx.all(statements.outcome, {
          id: webhookId,
          failures: after.failures,
          failing_since: after.failingSince,
          noticed_at: after.noticedAt,
          ended: after.state === "pending" ? 0 : 1,
          now: clock.now(),
        });
        if (after.disabled !== null) return switchOff(tx, webhook, after.disabled);
        if (!after.isToBeNoticed) return null;
        await audit(tx, {
          at: clock.now(),
          by: SERVICE,
          action: "webhook.failing",
          resourceId: webhookId,
          dealerId: webhook.dealer_id,
          before: null,
          after: { url: webhook.url.replace(/[?#].*$/s, ""), failing_since: after.failingSince },
        });
        return {
          id: webhookId,
          dealerId: webhook.dealer_id,
          description: webhook.description,
          problem: "no message arrived for a day",
          receiver: await receiverOf(tx, webhook),
        };
      }),

    forget: forgetting(db),
  };
};
