import { scopeOf } from "../access/decide.ts";
import { newRecordsBelongToTheCallersDealer } from "../access/rules/new-records-belong-to-the-callers-dealer.ts";
import { endedByAfter, rankOf } from "../access/rules/only-higher-rank-reactivates.ts";
import { scopedChanges } from "../access/scoped-change.ts";
import { useCase } from "../access/use-case.ts";
import { type Clock, msOf, timestampAt } from "../clock.ts";
import { type Egress, targetFailure } from "../egress/egress.ts";
import { Failure, notFound, type Outcome } from "../failure.ts";
import type { CursorPage, ListPosition } from "../imports/import-repository.ts";
import { type KnownDealers, namingDealers, withUnknownRecords } from "../named-records.ts";
import { requireChange } from "../validation.ts";
import { UNKNOWN_DEALER } from "../vehicles/vehicle-repository.ts";
import { unknownDealer } from "../vehicles/vehicles.ts";
import type { WebhookSigning } from "./signing.ts";
import {
  addressIssues,
  type Delivery,
  type DeliveryQuery,
  graceSecondsIn,
  KEPT_DAYS,
  MAX_WEBHOOKS,
  newWebhook,
  recovery,
  WEBHOOK_DEFAULTS,
  type Webhook,
  type WebhookQuery,
  webhookChanges,
} from "./webhook.ts";
import { webhookChanged, webhookEnabled } from "./webhook-changes.ts";
import { type StoredWebhook, TOO_MANY_WEBHOOKS, type WebhookRepository } from "./webhook-repository.ts";

/** A webhook with its new secret, which is never shown again. */
export interface WebhookWithSecret {
  readonly webhook: Webhook;
  readonly secret: string;
}

interface Parts {
  readonly webhooks: WebhookRepository;
  readonly dealers: KnownDealers;
  readonly signing: Pick<WebhookSigning, "newSecret">;
  readonly egress: Pick<Egress, "refusal">;
  readonly clock: Clock;
}

const DAY_MS = 24 * 60 * 60 * 1000;

const TOO_MANY = new Failure({
  kind: "quota-exceeded",
  reason: `There are ${MAX_WEBHOOKS} webhooks already, as many as a dealer may have; delete one first`,
});

/** Use cases of webhooks. To a caller who is bound to a dealer, other webhooks do not exist. */
export const makeWebhooks = ({ webhooks, dealers, signing, egress, clock }: Parts) => {
  const changing = scopedChanges(clock);

  return {
    /** Creates a webhook and its secret. */
    create: useCase("webhook.create", async (principal, input: unknown): Promise<Outcome<WebhookWithSecret>> => {
      const body = newWebhook.parse(input, addressIssues);
      const isBound = scopeOf(principal) !== null;
      if (body instanceof Failure)
        return withUnknownRecords(body, input, isBound ? [] : [namingDealers("dealer_id", dealers)]);
      const { dealer_id, ...sent } = body;
      const target = targetFailure(egress, sent.url);
      if (target !== null) return target;
      const dealerId = newRecordsBelongToTheCallersDealer(scopeOf(principal), dealer_id ?? undefined) ?? null;
      const fields = { ...WEBHOOK_DEFAULTS, ...sent, description: sent.description ?? null };
      const endedBy = endedByAfter(rankOf(principal), null, { active: fields.active, endedAgain: false });
      const secret = signing.newSecret();
      const made = await webhooks.insert({
        dealerId,
        most: MAX_WEBHOOKS,
        webhook: { ...fields, endedBy },
        secret,
        now: clock.now(),
        by: principal,
      });
      if (made === TOO_MANY_WEBHOOKS) return TOO_MANY;
      return made === UNKNOWN_DEALER ? unknownDealer(dealerId ?? 0) : { webhook: made, secret };
    }),

    list: useCase(
      "webhook.list",
      async (
        principal,
        { limit = 100, dealer_id, state }: WebhookQuery,
        after: ListPosition | null = null,
      ): Promise<Outcome<CursorPage<Webhook, ListPosition>>> =>
        webhooks.list({
          scope: scopeOf(principal),
          limit,
          after,
          ...(dealer_id !== undefined && { dealerId: dealer_id }),
          ...(state !== undefined && { state }),
        }),
    ),

    get: useCase(
      "webhook.read",
      async (principal, id: number): Promise<Outcome<Webhook>> =>
        (await webhooks.find(id, scopeOf(principal))) ?? notFound("webhook", id),
    ),

    /** Changes the fields that were sent. */
    update: useCase("webhook.update", async (principal, id: number, input: unknown): Promise<Outcome<Webhook>> => {
      const body = requireChange(webhookChanges.parse(input, addressIssues));
      if (body instanceof Failure) return body;
      const decide = (stored: StoredWebhook) =>
        webhookChanged(stored, body, { by: principal, targetFailure: (address) => targetFailure(egress, address) });
      const changed = await webhooks.update({ ...changing(principal, id), restarts: false, decide });
      return changed ?? notFound("webhook", id);
    }),

    /** Switches a webhook on, and forgets that it failed. */
    enable: useCase("webhook.enable", async (principal, id: number): Promise<Outcome<Webhook>> => {
      const decide = (stored: StoredWebhook) => webhookEnabled(stored, principal);
      const changed = await webhooks.update({ ...changing(principal, id), restarts: true, decide });
      return changed ?? notFound("webhook", id);
    }),

    /** Gives a webhook a new secret. The one before signs along for another `grace_seconds`. */
    rotate: useCase(
      "webhook.rotate",
      async (principal, id: number, input: unknown): Promise<Outcome<WebhookWithSecret>> => {
        const seconds = graceSecondsIn(input);
        if (seconds instanceof Failure) return seconds;
        const secret = signing.newSecret();
        const graceEnds = clock.after(seconds);
        const webhook = await webhooks.rotate({ ...changing(principal, id), secret, graceEnds });
        return webhook === null ? notFound("webhook", id) : { webhook, secret };
      },
    ),

    /** Removes a webhook. What waits is not sent. */
    remove: useCase(
      "webhook.delete",
      async (principal, id: number): Promise<Outcome<true>> =>
        (await webhooks.remove(changing(principal, id))) || notFound("webhook", id),
    ),

    /** Sends a message that tells nothing. */
    test: useCase(
      "webhook.test",
      async (principal, id: number): Promise<Outcome<Delivery>> =>
        (await webhooks.test(changing(principal, id))) ?? notFound("webhook", id),
    ),

    /** Sends again what failed since a time, and sends what was not sent. Answers how much that is. */
    recover: useCase("webhook.recover", async (principal, id: number, input: unknown): Promise<Outcome<number>> => {
      const body = recovery.parse(input);
      if (body instanceof Failure) return body;
      const since = Math.max(msOf(body.since), clock.nowMs() - KEPT_DAYS * DAY_MS);
      const number = await webhooks.recover({ ...changing(principal, id), since: timestampAt(since) });
      return number ?? notFound("webhook", id);
    }),

    /** The messages of a webhook, newest first. */
    deliveries: useCase(
      "webhook.deliveries",
      async (
        principal,
        id: number,
        { limit = 100, state, after = null }: DeliveryQuery & { readonly after?: ListPosition | null },
      ): Promise<Outcome<CursorPage<Delivery, ListPosition>>> => {
        const asked = { id, scope: scopeOf(principal), limit, after, ...(state !== undefined && { state }) };
        return (await webhooks.deliveries(asked)) ?? notFound("webhook", id);
      },
    ),

    /** Sends one message again. */
    redeliver: useCase(
      "webhook.redeliver",
      async (principal, id: number, deliveryId: number): Promise<Outcome<Delivery>> => {
        if ((await webhooks.find(id, scopeOf(principal))) === null) return notFound("webhook", id);
        const queued = await webhooks.redeliver({ ...changing(principal, id), deliveryId });
        return queued ?? notFound("delivery", deliveryId);
      },
    ),
  };
};

export type Webhooks = ReturnType<typeof makeWebhooks>;
