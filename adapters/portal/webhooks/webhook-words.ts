import type { SentEvent, WebhookEvent } from "../../../core/webhooks/event.ts";
import type {
  DeliveryAttempt,
  DeliveryState,
  DisabledReason,
  Webhook,
  WebhookState,
} from "../../../core/webhooks/webhook.ts";
import type { StateColor } from "../page/state-badge.tsx";

/** What each event tells, in the order of the form. */
export const EVENT_LABELS: Readonly<Record<WebhookEvent, string>> = {
  "vehicle.created": "A vehicle is added",
  "vehicle.updated": "A vehicle's details change",
  "vehicle.price_changed": "A price changes",
  "vehicle.status_changed": "A status changes",
  "vehicle.sold": "A vehicle is sold",
  "vehicle.removed": "A vehicle is deleted",
  "vehicle.restored": "A deleted vehicle comes back",
  "image.changed": "Images change",
  "import.finished": "An import ends",
  "feed.held": "A feed is held",
  "dealer.updated": "A dealer changes",
  "key.expiring": "A key is about to expire",
  "key.disabled": "A key is revoked or deleted",
};

/** What the message of an event tells. */
export const eventInWords = (event: SentEvent): string =>
  event === "webhook.test" ? "A test message" : EVENT_LABELS[event];

/** The states of a webhook, with labels and colors. */
export const STATE_LABELS: Readonly<Record<WebhookState, readonly [label: string, color: StateColor]>> = {
  on: ["On", "green"],
  failing: ["Failing", "amber"],
  off: ["Off", "grey"],
};

/** The state of a webhook. */
export const stateOf = ({ active, failing_since }: Pick<Webhook, "active" | "failing_since">): WebhookState => {
  if (!active) return "off";
  return failing_since === null ? "on" : "failing";
};

/** Why the service switched a webhook off. */
export const REASON_LABELS: Readonly<Record<DisabledReason, string>> = {
  failing: "No message arrived for 5 days",
  gone: "The receiver answered that it is gone (410)",
  rights_lost: "Whoever changed it last may not read the vehicles any more",
  backlog: "Too many messages waited",
};

/** The states of a message, with labels and colors. */
export const DELIVERY_LABELS: Readonly<Record<DeliveryState, readonly [label: string, color: StateColor]>> = {
  pending: ["Waiting", "grey"],
  delivered: ["Delivered", "green"],
  failed: ["Failed", "amber"],
};

/** "Answered 503 in 12 ms", "No answer after 10,000 ms". */
export const tryInWords = ({ status, ms }: Pick<DeliveryAttempt, "status" | "ms">): string =>
  status === null ? `No answer after ${ms} ms` : `Answered ${status} in ${ms} ms`;

/** The path of a webhook in the service, and of its page. */
export const pathOf = ({ id }: Pick<Webhook, "id">): string => `/webhooks/${id}`;

/** The host of an address, by which people know a webhook. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

/** A webhook as people name it: its description, or its host. */
export const nameOf = ({ url, description }: Pick<Webhook, "url" | "description">): string =>
  description ?? hostOf(url);
