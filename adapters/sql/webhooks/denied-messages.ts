import { sql } from "kysely";
import type { Principal } from "../../../core/access/principal.ts";
import type { Timestamp } from "../../../core/clock.ts";
import { mayBeTold, type SentEvent } from "../../../core/webhooks/event.ts";
import type { DeliveryAttempt } from "../../../core/webhooks/webhook.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, sqlStatement } from "../query/statement.ts";

/** What is stored of a message that is not sent. */
const DENIED = {
  status: null,
  ms: 0,
  response: "It was not sent: whoever changed the webhook last may not read what it tells any more",
} as const satisfies Omit<DeliveryAttempt, "at">;

/** Fails messages of a webhook whose events its maker may not be told of any more, and returns the others. */
export const deniedMessages = (db: SqlDatabase) => {
  const deny = sqlStatement(
    db,
    sql<object>`UPDATE webhook_deliveries SET state = 'failed', next_at = NULL, attempts = ${param("attempts")}
      WHERE id = ${param("id")}`,
  );
  const ended = sqlStatement(
    db,
    sql<object>`UPDATE webhooks SET waiting = waiting - ${param("count")} WHERE id = ${param("id")}`,
  );
  return async <Message extends { readonly id: number; readonly event: SentEvent }>(
    tx: Sql,
    {
      id,
      found,
      maker,
      now,
    }: {
      readonly id: number;
      readonly found: readonly Message[];
      readonly maker: Principal | null;
      readonly now: Timestamp;
    },
  ): Promise<readonly Message[]> => {
    const allowed = found.filter(({ event }) => maker !== null && mayBeTold(maker, event));
    const attempts = JSON.stringify([{ ...DENIED, at: now }]);
    for (const denied of found) if (!allowed.includes(denied)) await tx.all(deny, { id: denied.id, attempts });
    const count = found.length - allowed.length;
    if (count > 0) await tx.all(ended, { id, count });
    return allowed;
  };
};
