import Type from "typebox";
import type { Timestamp } from "../clock.ts";
import type { Issue } from "../issues.ts";
import { PageQuery } from "../page.ts";
import { flag, type Input, id, integer, moment, nullable, oneOf, text, url } from "../schema.ts";
import { validator } from "../validation.ts";
import { type SentEvent, WEBHOOK_EVENT_NAMES, type WebhookEvent } from "./event.ts";

/** Messages are kept for so long. */
export const KEPT_DAYS = 30;

/** The maximum number of webhooks of a dealer, and of those that are no dealer's. */
export const MAX_WEBHOOKS = 10;
const MAX_EVENTS = 20;
const MAX_PER_SECOND = 100;
const USUAL_PER_SECOND = 10;

const HOUR_SECONDS = 60 * 60;
/** How long the secret before signs along after a rotation. */
const GRACE_SECONDS = { usual: 24 * HOUR_SECONDS, most: 7 * 24 * HOUR_SECONDS } as const;

/** Why the service switched a webhook off. */
export const DISABLED_REASONS = ["failing", "gone", "rights_lost", "backlog"] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** What became of a message. Those that wait when their webhook is switched off fail. */
export const DELIVERY_STATES = ["pending", "delivered", "failed"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Whether a webhook is sent messages: `failing` if none arrived since the last success, `off` if it is not active. */
const WEBHOOK_STATES = ["on", "failing", "off"] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];

/** A webhook as it is answered. */
export interface Webhook {
  readonly id: number;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  /** `null` if it is told of the changes of all dealers. */
  readonly dealer_id: number | null;
  readonly description: string | null;
  readonly max_per_second: number;
  readonly active: boolean;
  /** Why the service switched it off; `null` if it did not. */
  readonly disabled_reason: DisabledReason | null;
  /** The time of the first try that failed since the last success; `null` if the last one was a success. */
  readonly failing_since: Timestamp | null;
  /** The number of messages that wait to be sent. */
  readonly waiting: number;
  /** The time until which the secret before signs along; `null` if none does. */
  readonly grace_until: Timestamp | null;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
}

/** One try to deliver a message. */
export interface DeliveryAttempt {
  readonly at: Timestamp;
  /** The status of the answer; `null` if there was none. */
  readonly status: number | null;
  readonly ms: number;
  /** The beginning of the answer, or why there was none. */
  readonly response: string;
}

/** A message to a webhook, with what became of it. */
export interface Delivery {
  readonly id: number;
  readonly event: SentEvent;
  readonly state: DeliveryState;
  /** The tries, oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  /** The time of the next try; `null` if there is none. */
  readonly next_at: Timestamp | null;
  /** The `webhook-id` of its requests. It is the same at every try. */
  readonly webhook_id_header: string;
  readonly created_at: Timestamp;
}

const FIELDS = {
  url: url({
    description:
      "The address that messages are sent to. It must be https on port 443 or above 1023, or may be http in networks that `EGRESS_ALLOW` lists.",
    examples: ["https://hooks.example.com/inventory"],
  }),
  events: Type.Unsafe<readonly WebhookEvent[]>(
    Type.Array(oneOf(WEBHOOK_EVENT_NAMES), {
      minItems: 1,
      maxItems: MAX_EVENTS,
      uniqueItems: true,
      fault: `must be 1 to ${MAX_EVENTS} of ${WEBHOOK_EVENT_NAMES.join(", ")}, each once`,
      description: "The events that are sent.",
      examples: [["vehicle.created", "vehicle.price_changed", "vehicle.sold"]],
    }),
  ),
  description: nullable(
    text(0, 500, { description: "What the webhook is for.", examples: ["Search index of the website"] }),
  ),
  max_per_second: Type.Optional(
    integer(1, MAX_PER_SECOND, {
      default: USUAL_PER_SECOND,
      description: "The maximum number of messages that are sent in a second.",
    }),
  ),
  active: Type.Optional(flag({ default: true, description: "If false, nothing is sent." })),
};

/** Body of POST /api/webhooks. */
export const NewWebhook = Type.Object({
  url: FIELDS.url,
  events: FIELDS.events,
  dealer_id: nullable(
    id({
      description:
        "The dealer whose changes are sent; `null` for those of all dealers. For a bound key, it is replaced by the key's dealer.",
    }),
  ),
  description: FIELDS.description,
  max_per_second: FIELDS.max_per_second,
  active: FIELDS.active,
});
export type NewWebhook = Input<typeof NewWebhook>;

/** Body of PUT /api/webhooks/:id. Every field is optional. */
export const WebhookChanges = Type.Object({
  url: Type.Optional(FIELDS.url),
  events: Type.Optional(FIELDS.events),
  description: FIELDS.description,
  max_per_second: FIELDS.max_per_second,
  active: FIELDS.active,
});
export type WebhookChanges = Input<typeof WebhookChanges>;

/** Fields of an answer that a new webhook may have; they are ignored. */
export const WEBHOOK_READ_ONLY = [
  "id",
  "secret",
  "disabled_reason",
  "failing_since",
  "waiting",
  "grace_until",
  "created_at",
  "updated_at",
] as const;
/** The same for a change, which cannot give the webhook to another dealer. */
export const CHANGE_READ_ONLY = [...WEBHOOK_READ_ONLY, "dealer_id"] as const;

/** Body of POST /api/webhooks/:id/rotate-secret. */
export const SecretRotation = Type.Object({
  grace_seconds: Type.Optional(
    integer(0, GRACE_SECONDS.most, {
      default: GRACE_SECONDS.usual,
      description: "How long the secret before signs along, in seconds.",
    }),
  ),
});

/** Body of POST /api/webhooks/:id/recover. */
export const Recovery = Type.Object({
  since: moment({
    description:
      "Messages that failed, and changes that were not sent, since this time are sent. It reaches back 30 days at most.",
    examples: ["2026-11-20T00:00:00Z"],
  }),
});

const PAGE = {
  limit: PageQuery.limit,
  cursor: Type.Optional(text(1, 500, { description: "`meta.next_cursor` of the previous page." })),
};

/** Query of GET /api/webhooks. */
export const WebhookQuery = Type.Object({
  ...PAGE,
  dealer_id: Type.Optional(id({ description: "Only webhooks of this dealer." })),
  state: Type.Optional(
    oneOf(WEBHOOK_STATES, {
      description:
        "Only webhooks in this state: active ones whose last try was a success (`on`) or not (`failing`), or those that are not active (`off`).",
    }),
  ),
});
export type WebhookQuery = Input<typeof WebhookQuery>;

/** Query of GET /api/webhooks/:id/deliveries. */
export const DeliveryQuery = Type.Object({
  ...PAGE,
  state: Type.Optional(oneOf(DELIVERY_STATES, { description: "Only messages in this state." })),
});
export type DeliveryQuery = Input<typeof DeliveryQuery>;

const USER_IN_ADDRESS = /^[^:]+:\/\/[^/?#]*@/;
const LOWEST_FREE_PORT = 1024;
const PORT = /^[^:]+:\/\/(?:\[[^\]]*\]|[^/?#:]*):(\d{1,5})(?:[/?#]|$)/;
/** The ports of http, which only networks of EGRESS_ALLOW may have, and of https. */
const PORTS_OF_THE_WEB: ReadonlyMap<number, RegExp> = new Map([
  [80, /^http:/i],
  [443, /./],
]);

/** Issues of an address that its schema cannot express. */
export const addressIssues = ({ url: address }: { readonly url?: unknown }): readonly Issue[] => {
  if (typeof address !== "string") return [];
  const port = Number(PORT.exec(address)?.[1] ?? "443");
  return [
    ...(USER_IN_ADDRESS.test(address) ? [{ path: "url", message: "must have no user or password in it" }] : []),
    ...(port < LOWEST_FREE_PORT && PORTS_OF_THE_WEB.get(port)?.test(address) !== true
      ? [{ path: "url", message: "must have port 443, or one above 1023" }]
      : []),
  ];
};

export const newWebhook = validator(NewWebhook, WEBHOOK_READ_ONLY);
export const webhookChanges = validator(WebhookChanges, CHANGE_READ_ONLY);
const rotation = validator(SecretRotation);
export const recovery = validator(Recovery);

/** How long the secret before signs along, in seconds, by the body of a rotation. It may be absent. */
export const graceSecondsIn = (body: unknown) => {
  const read = rotation.parse(body === undefined ? {} : body);
  return "cause" in read ? read : (read.grace_seconds ?? GRACE_SECONDS.usual);
};

/** The fields that a new webhook has where none were sent. */
export const WEBHOOK_DEFAULTS = { description: null, max_per_second: USUAL_PER_SECOND, active: true } as const;
