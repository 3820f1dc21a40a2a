import type { Principal } from "../../../core/access/principal.ts";
import type { Timestamp } from "../../../core/clock.ts";
import { mayBeTold, type SentEvent } from "../../../core/webhooks/event.ts";
import type { DeliveryAttempt } from "../../../core/webhooks/webhook.ts";
import type { Tx } from "../query/database.ts";

/** What is stored of a message that is not sent. */
const DENIED = {
  status: null,
  ms: 0,
  response: "It was not sent: whoever changed the webhook last may not read what it tells any more",
} as const satisfies Omit<DeliveryAttempt, "at">;

/** Fails messages of a webhook whose events its maker may not be told of any more, and returns the others. */
export const denyMessages = async <Message extends { readonly id: number; readonly event: SentEvent }>(
  tx: Tx,
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
  for (const denied of found.filter((one) => !allowed.includes(one)))
    await tx
      .updateTable("webhook_deliveries")
      .set({ state: "failed", next_at: null, attempts })
      .where("id", "=", denied.id)
      .execute();
  const count = found.length - allowed.length;
  if (count > 0)
    await tx
      .updateTable("webhooks")
      .set((eb) => ({ waiting: eb("waiting", "-", count) }))
      .where("id", "=", id)
      .execute();
  return allowed;
};
