import { WEBHOOK_EVENT_NAMES, type WebhookEvent } from "../../../core/webhooks/event.ts";
import type { Webhook } from "../../../core/webhooks/webhook.ts";
import { numberOrText, numberText, textOrNull } from "../forms/draft.ts";

/** A webhook as the form holds it. */
export interface WebhookDraft extends Pick<Webhook, "url" | "events" | "active"> {
  /** "" for the changes of all dealers. */
  readonly dealer_id: string;
  readonly description: string;
  readonly max_per_second: string;
}

/** The form of an existing webhook. */
export const draftOfWebhook = (webhook: Webhook): WebhookDraft => ({
  url: webhook.url,
  events: webhook.events,
  dealer_id: webhook.dealer_id === null ? "" : String(webhook.dealer_id),
  description: webhook.description ?? "",
  max_per_second: numberText(webhook.max_per_second),
  active: webhook.active,
});

/** The form of a new webhook, for the dealer in the address if there is one. */
export const emptyWebhook = (dealerId: string): WebhookDraft => ({
  url: "",
  events: [],
  dealer_id: dealerId,
  description: "",
  max_per_second: numberText(10),
  active: true,
});

/** The events with this one added or removed, in the order of the form. */
export const withEvent = (
  events: readonly WebhookEvent[],
  event: WebhookEvent,
  isChosen: boolean,
): readonly WebhookEvent[] => WEBHOOK_EVENT_NAMES.filter((name) => (name === event ? isChosen : events.includes(name)));

/** The request body of a change. */
export const changesOfWebhook = (draft: WebhookDraft) => ({
  url: draft.url.trim(),
  events: draft.events,
  description: textOrNull(draft.description.trim()),
  max_per_second: numberOrText(draft.max_per_second),
  active: draft.active,
});

/** The request body of a new webhook. The service replaces the dealer if its maker is bound to one. */
export const bodyOfWebhook = (draft: WebhookDraft) => ({
  ...changesOfWebhook(draft),
  dealer_id: numberOrText(draft.dealer_id),
});
