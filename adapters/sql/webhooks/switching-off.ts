import { SERVICE } from "../../../core/access/principal.ts";
import { RANK_OF_SERVICE } from "../../../core/access/rules/only-higher-rank-reactivates.ts";
import type { Clock } from "../../../core/clock.ts";
import type { DisabledReason } from "../../../core/webhooks/webhook.ts";
import type { ReportedWebhook } from "../../../core/webhooks/webhook-repository.ts";
import { receiverOf } from "../access/notice-receivers.ts";
import { auditTrail } from "../audit/trail.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import type { Row } from "../query/tables.ts";

type Webhook = Pick<Row<"webhooks">, "id" | "dealer_id" | "url" | "description" | "actor_key_id" | "actor_user_id">;

const PROBLEMS: Readonly<Record<DisabledReason, string>> = {
  failing: "no message arrived for 5 days",
  gone: "its receiver answered that it is gone (410)",
  rights_lost: "whoever changed it last may not read the vehicles any more",
  backlog: "too many messages wait for it",
};

/** Switches a webhook off within a transaction. What waits for it stays, and is sent when it is switched on again. */
export const switchingOff = (db: SqlDatabase, clock: Clock) => {
  const audit = auditTrail(db);
  return async (tx: Tx, webhook: Webhook, reason: DisabledReason): Promise<ReportedWebhook> => {
    const { id, dealer_id, url, description } = webhook;
    await tx
      .updateTable("webhooks")
      .set({ active: 0, ended_by: RANK_OF_SERVICE, disabled_reason: reason, due_at: null })
      .where("id", "=", id)
      .where("active", "=", 1)
      .execute();
    await audit(tx, {
      at: clock.now(),
      by: SERVICE,
      action: "webhook.switched-off",
      resourceId: id,
      dealerId: dealer_id,
      before: null,
      after: { url: url.replace(/[?#].*$/s, ""), disabled_reason: reason },
    });
    const problem = `switched off: ${PROBLEMS[reason]}`;
    return { id, dealerId: dealer_id, description, problem, receiver: await receiverOf(tx, webhook) };
  };
};
