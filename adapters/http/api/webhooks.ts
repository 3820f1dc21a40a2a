import Type from "typebox";
import { Failure, type Outcome } from "../../../core/failure.ts";
import { id, oneOf } from "../../../core/schema.ts";
import { TEST_EVENT, WEBHOOK_EVENT_NAMES } from "../../../core/webhooks/event.ts";
import {
  CHANGE_READ_ONLY,
  DELIVERY_STATES,
  type Delivery,
  type DeliveryAttempt,
  DeliveryQuery,
  DISABLED_REASONS,
  NewWebhook,
  Recovery,
  SecretRotation,
  WEBHOOK_READ_ONLY,
  type Webhook,
  WebhookChanges,
  WebhookQuery,
} from "../../../core/webhooks/webhook.ts";
import type { Webhooks, WebhookWithSecret } from "../../../core/webhooks/webhooks.ts";
import { cursorList } from "../protocol/cursor-page.ts";
import { NO_STORE } from "../protocol/headers.ts";
import type { ListCursors } from "../protocol/list-cursors.ts";
import { type Answer, created, ok, type Route, route } from "../protocol/route.ts";
import {
  count,
  cursorMeta,
  DoneAnswer,
  dateTime,
  type FieldsOf,
  nullable,
  recordId,
  recordSchema,
  shownBefore,
  timestamps,
} from "./answers.ts";

const FIELDS = {
  id: id(),
  url: Type.String({ format: "uri" }),
  events: Type.Array(oneOf(WEBHOOK_EVENT_NAMES)),
  dealer_id: nullable(id()),
  description: nullable(Type.String()),
  max_per_second: Type.Integer(),
  active: Type.Boolean(),
  disabled_reason: nullable(
    oneOf(DISABLED_REASONS, {
      description:
        "Why the service switched it off: no message arrived for 5 days (`failing`), the receiver answered 410 (`gone`), whoever changed it last may not read the vehicles any more (`rights_lost`), or 100,000 messages waited (`backlog`).",
    }),
  ),
  failing_since: nullable(dateTime),
  waiting: count,
  grace_until: nullable(dateTime),
  ...timestamps,
} satisfies FieldsOf<Webhook>;

const WebhookAnswer = recordSchema("Webhook", FIELDS);
const ShownWebhookAnswer = recordSchema("WebhookWithSecret", {
  ...FIELDS,
  secret: nullable(
    Type.String({
      description:
        "The secret that signs the messages, as Standard Webhooks writes it. It is shown only in this answer.",
      examples: ["whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDC2FVsBQIhrs="],
    }),
  ),
  ...shownBefore,
});

const DeliveryAnswer = recordSchema("WebhookDelivery", {
  id: id(),
  event: oneOf([...WEBHOOK_EVENT_NAMES, TEST_EVENT]),
  state: oneOf(DELIVERY_STATES),
  attempts: Type.Array(
    recordSchema("WebhookAttempt", {
      at: dateTime,
      status: nullable(Type.Integer({ description: "The status of the answer. `null` if there was none." })),
      ms: count,
      response: Type.String({ description: "The first KiB of the answer, or why there was none." }),
    } satisfies FieldsOf<DeliveryAttempt>),
    { description: "The last 20 tries, oldest first." },
  ),
  next_at: nullable(dateTime),
  webhook_id_header: Type.String({ description: "The `webhook-id` of its requests, the same at every try." }),
  created_at: dateTime,
} satisfies FieldsOf<Delivery>);

const RecoveryAnswer = recordSchema("WebhookRecovery", {
  queued: Type.Integer({
    minimum: 0,
    description: "The number of messages and changes that are sent now, up to 5,000 of each.",
  }),
});

const params = Type.Object({ id: recordId("webhook") });
const deliveryParams = Type.Object({ id: recordId("webhook"), delivery_id: recordId("delivery") });

const LIST = "webhooks";
const deliveryList = ({ id: webhook }: { readonly id: number }): string => `deliveries of webhook ${webhook}`;

const shown = ({ webhook, secret }: WebhookWithSecret) => ({ ...webhook, secret });

/** What is sent soon. Its progress is seen among the messages of the webhook. */
const queued = (outcome: Outcome<object>, webhookId: number): Outcome<Answer> =>
  outcome instanceof Failure
    ? outcome
    : { status: 202, body: outcome, headers: { location: `/api/webhooks/${webhookId}/deliveries` } };

/** The routes of webhooks. */
export const webhookRoutes = (webhooks: Webhooks, cursors: ListCursors): Route[] => [
  route({
    operation: "webhook.create",
    name: "createWebhook",
    method: "POST",
    path: "/api/webhooks",
    summary: "Create a webhook",
    description:
      "An address that is told of changes, each by a signed POST as Standard Webhooks says. It is told of what the caller may read, until somebody else changes the webhook. The secret is shown only in this answer.",
    body: {
      name: "NewWebhook",
      schema: NewWebhook,
      readOnly: WEBHOOK_READ_ONLY,
      example: {
        url: "https://hooks.example.com/inventory",
        events: ["vehicle.created", "vehicle.price_changed", "vehicle.sold", "vehicle.removed"],
        dealer_id: 1,
        description: "Search index of the website",
      },
    },
    answer: { status: 201, schema: ShownWebhookAnswer, description: "The webhook with its secret" },
    secrets: ["secret"],
    errors: ["invalid_input", "target_refused", "quota_exceeded"],
    async handle({ principal, body }) {
      const made = await webhooks.create(principal, body);
      if (made instanceof Failure) return made;
      const answer = created(shown(made), `/api/webhooks/${made.webhook.id}`);
      return { ...answer, headers: { ...answer.headers, ...NO_STORE } };
    },
  }),
  route({
    operation: "webhook.list",
    name: "listWebhooks",
    method: "GET",
    path: "/api/webhooks",
    summary: "List webhooks",
    description: "Newest first. A key that is bound to a dealer sees only that dealer's webhooks.",
    query: WebhookQuery,
    answer: {
      status: 200,
      schema: Type.Object({ data: Type.Array(WebhookAnswer), meta: cursorMeta }, { title: "WebhookPage" }),
      description: "A page of webhooks",
    },
    traits: ["list"],
    errors: [],
    handle: cursorList({
      cursors,
      list: LIST,
      page: ({ principal, query }, after) => webhooks.list(principal, query, after),
    }),
  }),
  route({
    operation: "webhook.read",
    name: "getWebhook",
    method: "GET",
    path: "/api/webhooks/:id",
    summary: "Read a webhook",
    params,
    answer: { status: 200, schema: WebhookAnswer, description: "The webhook without its secret" },
    errors: ["not_found"],
    answers: "record",
    of: ({ principal, params }) => webhooks.get(principal, params.id),
  }),
  route({
    operation: "webhook.update",
    name: "updateWebhook",
    method: "PUT",
    path: "/api/webhooks/:id",
    summary: "Change fields of a webhook",
    description:
      "Changes only the fields that are sent. From then on, the webhook is told of what the caller may read. What waited while it was off is sent when it is switched on.",
    params,
    body: {
      name: "WebhookChanges",
      schema: WebhookChanges,
      readOnly: CHANGE_READ_ONLY,
      example: { events: ["vehicle.created", "vehicle.updated"], max_per_second: 5 },
    },
    answer: { status: 200, schema: WebhookAnswer, description: "The updated webhook" },
    errors: ["invalid_input", "target_refused", "not_found", "exceeds_your_rights"],
    answers: "record",
    of: ({ principal, params, body }) => webhooks.update(principal, params.id, body),
  }),
  route({
    operation: "webhook.rotate",
    name: "rotateWebhookSecret",
    method: "POST",
    path: "/api/webhooks/:id/rotate-secret",
    summary: "Give a webhook a new secret",
    description:
      "The new secret is shown only in this answer. The one before signs along for `grace_seconds`, a day if nothing is said: each message then has two signatures.",
    params,
    body: {
      name: "WebhookSecretRotation",
      schema: SecretRotation,
      readOnly: [],
      optional: true,
      example: { grace_seconds: 3600 },
    },
    answer: { status: 200, schema: ShownWebhookAnswer, description: "The webhook with its new secret" },
    secrets: ["secret"],
    errors: ["not_found"],
    async handle({ principal, params, body }) {
      const rotated = await webhooks.rotate(principal, params.id, body);
      return rotated instanceof Failure ? rotated : ok(shown(rotated), { headers: NO_STORE });
    },
  }),
  route({
    operation: "webhook.enable",
    name: "enableWebhook",
    method: "POST",
    path: "/api/webhooks/:id/enable",
    summary: "Switch a webhook on again",
    description: "Forgets that it failed. What waits is sent; see also `recover`.",
    params,
    answer: { status: 200, schema: WebhookAnswer, description: "The webhook" },
    errors: ["not_found", "exceeds_your_rights"],
    answers: "record",
    of: ({ principal, params }) => webhooks.enable(principal, params.id),
  }),
  route({
    operation: "webhook.test",
    name: "testWebhook",
    method: "POST",
    path: "/api/webhooks/:id/test",
    summary: "Send a test message",
    description: "Sends a message of the type `webhook.test`. Its deliveries tell what the receiver answered.",
    params,
    answer: { status: 202, schema: DeliveryAnswer, description: "The message, which will be sent soon" },
    errors: ["not_found"],
    async handle({ principal, params }) {
      return queued(await webhooks.test(principal, params.id), params.id);
    },
  }),
  route({
    operation: "webhook.recover",
    name: "recoverWebhook",
    method: "POST",
    path: "/api/webhooks/:id/recover",
    summary: "Send what was missed",
    description:
      "Sends again the messages that failed since a time, and sends changes since then that were not sent, such as those while the webhook was off. A receiver may get some of them twice, with the same `version`.",
    params,
    body: {
      name: "WebhookRecoveryRequest",
      schema: Recovery,
      readOnly: [],
      example: { since: "2026-11-20T00:00:00Z" },
    },
    answer: { status: 202, schema: RecoveryAnswer, description: "How much is sent" },
    errors: ["not_found"],
    async handle({ principal, params, body }) {
      const number = await webhooks.recover(principal, params.id, body);
      return queued(number instanceof Failure ? number : { queued: number }, params.id);
    },
  }),
  route({
    operation: "webhook.deliveries",
    name: "listWebhookDeliveries",
    method: "GET",
    path: "/api/webhooks/:id/deliveries",
    summary: "List the messages of a webhook",
    description: "Newest first, of the last 30 days, with the tries to send each.",
    params,
    query: DeliveryQuery,
    answer: {
      status: 200,
      schema: Type.Object({ data: Type.Array(DeliveryAnswer), meta: cursorMeta }, { title: "WebhookDeliveryPage" }),
      description: "A page of messages",
    },
    traits: ["list"],
    errors: ["not_found"],
    handle: cursorList({
      cursors,
      list: deliveryList,
      page: ({ principal, params, query }, after) => webhooks.deliveries(principal, params.id, { ...query, after }),
    }),
  }),
  route({
    operation: "webhook.redeliver",
    name: "redeliverWebhookMessage",
    method: "POST",
    path: "/api/webhooks/:id/deliveries/:delivery_id/redeliver",
    summary: "Send one message again",
    description: "Sends it with the same `webhook-id` and body.",
    params: deliveryParams,
    answer: { status: 202, schema: DeliveryAnswer, description: "The message, which will be sent soon" },
    errors: ["not_found"],
    async handle({ principal, params }) {
      return queued(await webhooks.redeliver(principal, params.id, params.delivery_id), params.id);
    },
  }),
  route({
    operation: "webhook.delete",
    name: "deleteWebhook",
    method: "DELETE",
    path: "/api/webhooks/:id",
    summary: "Delete a webhook",
    description: "What waits is not sent.",
    params,
    answer: { status: 200, schema: DoneAnswer, description: "Deleted" },
    errors: ["not_found"],
    answers: "done",
    of: ({ principal, params }) => webhooks.remove(principal, params.id),
    says: ({ id }) => `Webhook ${id} deleted`,
  }),
];
