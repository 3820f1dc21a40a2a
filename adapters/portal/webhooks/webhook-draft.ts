import { WEBHOOK_EVENT_NAMES, type WebhookEvent } from "../../../core/webhooks/event.ts";
import type { Webhook } from "../../../core/webhooks/webhook.ts";
import { numberOrText } from "../forms/draft.ts";
import { type HeldFields, heldFields, sentFields } from "../forms/field-values.ts";

const FIELDS = { description: "text", max_per_second: "number", active: "flag" } as const;

/** A webhook as the form holds it. */
export interface WebhookDraft extends HeldFields<typeof FIELDS>, Pick<Webhook, "url" | "events"> {
  /** "" for the changes of all dealers. */
  readonly dealer_id: string;
}

/** The form of an existing webhook. */
export const draftOfWebhook = (webhook: Webhook): WebhookDraft => ({
  ...heldFields(FIELDS, webhook),
  url: webhook.url,
  events: webhook.events,
  dealer_id: webhook.dealer_id === null ? "" : String(webhook.dealer_id),
});

/** The form of a new webhook, for the dealer in the address if there is one. */
export const emptyWebhook = (dealerId: string): WebhookDraft => ({
  ...heldFields(FIELDS, { max_per_second: 10, active: true }),
  url: "",
  events: [],
  dealer_id: dealerId,
});

/** The events with this one added or removed, in the order of the form. */
export const withEvent = (
  events: readonly WebhookEvent[],
  event: WebhookEvent,
  isChosen: boolean,
): readonly WebhookEvent[] => WEBHOOK_EVENT_NAMES.filter((name) => (name === event ? isChosen : events.includes(name)));

/** The request body of a change. */
export const changesOfWebhook = (draft: WebhookDraft) => ({
  ...sentFields(FIELDS, draft),
  url: draft.url.trim(),
  events: draft.events,
});

/** The request body of a new webhook. The service replaces the dealer if its maker is bound to one. */
export const bodyOfWebhook = (draft: WebhookDraft) => ({
  ...changesOfWebhook(draft),
  dealer_id: numberOrText(draft.dealer_id),
});
