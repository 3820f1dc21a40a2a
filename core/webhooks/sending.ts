import type { Principal } from "../access/principal.ts";
import { webhookNeedsItsMakersRights } from "../access/rules/work-needs-its-makers-rights.ts";
import { type Clock, timestampAt } from "../clock.ts";
import { type Egress, EgressFailure } from "../egress/egress.ts";
import { afterAttempt, isSuccess } from "./after-attempt.ts";
import { SendingPlaces } from "./places.ts";
import type { WebhookSigning } from "./signing.ts";
import { KEPT_DAYS } from "./webhook.ts";
import type { ClaimedDelivery, ReportedWebhook, WebhookWork } from "./webhook-repository.ts";

/** The number of messages that a process sends at once. */
const MAX_AT_ONCE = 64;
const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_REASON = 1024;

/** The results of a try to send a message. */
export const ATTEMPT_RESULTS = ["success", "failure"] as const;
type AttemptResult = (typeof ATTEMPT_RESULTS)[number];

interface Parts {
  readonly work: WebhookWork;
  readonly egress: Pick<Egress, "post">;
  readonly signing: Pick<WebhookSigning, "signatures">;
  readonly clock: Clock;
  /** A random number from 0 to 1. */
  readonly chance: () => number;
  /** Calls `run` again soon: a receiver that answered can take more. */
  readonly nudge: () => void;
  /** Tells the operator of a webhook that keeps failing, or was switched off. */
  readonly warn: (webhook: ReportedWebhook) => void;
  /** Counts a try to send a message. */
  readonly count: (result: AttemptResult) => void;
}

interface Sent {
  readonly status: number | null;
  readonly response: string;
  readonly retryAfterSeconds: number | null;
}

const SECRET_LOST = "The secret was sealed with a key that is gone; rotate it";

const mayRead = (maker: Principal | null, { dealerId }: { readonly dealerId: number | null }): boolean =>
  webhookNeedsItsMakersRights(maker, dealerId);

/** Sends the messages of webhooks in the background. */
export const makeWebhookSending = ({ work, egress, signing, clock, chance, nudge, warn, count }: Parts) => {
  const places = new SendingPlaces(MAX_AT_ONCE);
  const sending = new Set<Promise<void>>();
  let isStopping = false;

  const post = async ({ url, message, body, secrets }: ClaimedDelivery): Promise<Sent> => {
    if (secrets.length === 0) return { status: null, response: SECRET_LOST, retryAfterSeconds: null };
    const seconds = Math.floor(clock.nowMs() / 1000);
    try {
      const { status, retryAfterSeconds, beginning } = await egress.post({
        url,
        headers: {
          "content-type": "application/json",
          "webhook-id": message,
          "webhook-timestamp": String(seconds),
          "webhook-signature": signing.signatures(secrets, { id: message, seconds, body }),
        },
        body,
      });
      return { status, response: beginning, retryAfterSeconds };
    } catch (error) {
      if (!(error instanceof EgressFailure)) throw error;
      return { status: null, response: error.message.slice(0, MAX_REASON), retryAfterSeconds: null };
    }
  };

  const send = async (claimed: ClaimedDelivery): Promise<void> => {
    const at = clock.now();
    const since = clock.steadyMs();
    const { status, response, retryAfterSeconds } = await post(claimed);
    const attempt = { at, status, ms: Math.round(clock.steadyMs() - since), response };
    const reported = await work.finish(claimed, attempt, (before) =>
      afterAttempt(before, {
        tries: claimed.tries + 1,
        status,
        retryAfterSeconds,
        at: clock.now(),
        chance: chance(),
      }),
    );
    count(isSuccess(status) ? "success" : "failure");
    if (reported !== null) warn(reported);
  };

  /** Makes messages of all queued changes. */
  const spreadAll = async (): Promise<void> => {
    for (let isMore = true; isMore && !isStopping; ) {
      const spread = await work.spread(mayRead);
      for (const webhook of spread.reported) warn(webhook);
      isMore = spread.isMore;
    }
  };

  return {
    /**
     * Makes messages of the queued changes, and begins to send those that are due. It does not wait for receivers.
     * `report` gets failures of single messages, which are tried again when their lease ends.
     */
    async run(report: (error: unknown) => void): Promise<void> {
      await spreadAll();
      while (!isStopping && places.free > 0) {
        const { claimed, reported } = await work.claim(places, mayRead);
        for (const webhook of reported) warn(webhook);
        if (claimed.length === 0) return;
        for (const delivery of claimed) {
          const doing: Promise<void> = send(delivery)
            .catch(report)
            .finally(() => {
              sending.delete(doing);
              places.giveBack(delivery.dealerId);
              nudge();
            });
          sending.add(doing);
        }
      }
    },

    /** Deletes messages that are older than 30 days. */
    async forget(): Promise<void> {
      const before = timestampAt(clock.nowMs() - KEPT_DAYS * DAY_MS);
      while (!isStopping && (await work.forget(before)));
    },

    /** Begins no more messages, and waits for those that are being sent. */
    async stop(): Promise<void> {
      isStopping = true;
      await Promise.all(sending);
    },
  };
};
