import type { Actor } from "../../../core/access/principal.ts";
import type { Timestamp } from "../../../core/clock.ts";
import type { Sealing } from "../../../core/sealing.ts";
import type { Delivery, Webhook } from "../../../core/webhooks/webhook.ts";
import type { StoredWebhook, WebhookChange } from "../../../core/webhooks/webhook-repository.ts";
import type { Row } from "../query/tables.ts";

/** The columns of a webhook that are read, without its secrets. */
export const WEBHOOK_COLUMNS = [
  "id",
  "url",
  "events",
  "dealer_id",
  "description",
  "max_per_second",
  "active",
  "ended_by",
  "disabled_reason",
  "failing_since",
  "waiting",
  "previous_until",
  "created_at",
  "updated_at",
] as const;
export type WebhookRow = Pick<Row<"webhooks">, (typeof WEBHOOK_COLUMNS)[number]>;

/** The columns that a caller's change writes. */
const CHANGED_COLUMNS = [
  "url",
  "events",
  "description",
  "max_per_second",
  "active",
  "ended_by",
  "actor_key_id",
  "actor_user_id",
] as const;

/** What every new webhook begins with. Its secret is sealed when its id is known. */
export const FRESH = {
  disabled_reason: null,
  secret: null,
  previous_secret: null,
  previous_until: null,
  failures: 0,
  failing_since: null,
  noticed_at: null,
  waiting: 0,
  due_at: null,
  paced_at: null,
  paced: 0,
  deleted_at: null,
} as const;

/** The columns of a new webhook. */
export const INSERTED_COLUMNS = [
  ...CHANGED_COLUMNS,
  ...(Object.keys(FRESH) as (keyof typeof FRESH)[]),
  "dealer_id",
  "created_at",
  "updated_at",
] as const;

/** The values of CHANGED_COLUMNS. */
export const changedColumns = (
  change: WebhookChange,
  by: Actor,
): Pick<Row<"webhooks">, (typeof CHANGED_COLUMNS)[number]> => ({
  url: change.url,
  events: JSON.stringify(change.events),
  description: change.description,
  max_per_second: change.max_per_second,
  active: change.active ? 1 : 0,
  ended_by: change.endedBy,
  actor_key_id: by.keyId,
  actor_user_id: by.userId,
});

/** A webhook as decisions see it. */
export const storedOf = (row: WebhookRow): StoredWebhook => ({
  url: row.url,
  events: JSON.parse(row.events),
  description: row.description,
  max_per_second: row.max_per_second,
  active: row.active === 1,
  dealerId: row.dealer_id,
  endedBy: row.ended_by,
  disabledReason: row.disabled_reason,
});

/** A webhook as it is answered. */
export const answeredOf = (row: WebhookRow, now: Timestamp): Webhook => ({
  id: row.id,
  url: row.url,
  events: JSON.parse(row.events),
  dealer_id: row.dealer_id,
  description: row.description,
  max_per_second: row.max_per_second,
  active: row.active === 1,
  disabled_reason: row.disabled_reason,
  failing_since: row.failing_since,
  waiting: row.waiting,
  grace_until: row.previous_until !== null && row.previous_until > now ? row.previous_until : null,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

/** The query and the fragment of an address. They may contain a secret token. */
const QUERY = /([?#]).*$/s;

/** The address of a webhook in the form that the audit log shows. */
export const auditedAddress = (url: string): string => url.replace(QUERY, "$1…");

/** A webhook in the form that the audit log shows: without its secret, and without what may be secret in its address. */
export const auditedOf = ({
  url,
  events,
  description,
  max_per_second,
  active,
}: WebhookChange | StoredWebhook): object => ({
  url: auditedAddress(url),
  events,
  description,
  max_per_second,
  active,
});

/** The columns of a message that are read for people. */
export const DELIVERY_COLUMNS = ["id", "event", "message", "state", "attempts", "next_at", "created_at"] as const;

/** A message as it is answered. */
export const deliveryOf = (row: Pick<Row<"webhook_deliveries">, (typeof DELIVERY_COLUMNS)[number]>): Delivery => ({
  id: row.id,
  event: row.event,
  state: row.state,
  attempts: JSON.parse(row.attempts),
  next_at: row.next_at,
  webhook_id_header: row.message,
  created_at: row.created_at,
});

/** The columns of a new message. */
export const QUEUED_COLUMNS = [
  "webhook_id",
  "source",
  "event",
  "message",
  "vehicle_id",
  "state",
  "body",
  "tries",
  "attempts",
  "next_at",
  "owner",
  "lease_until",
  "created_at",
] as const;

export type QueuedColumns = Pick<Row<"webhook_deliveries">, (typeof QUEUED_COLUMNS)[number]>;

/** The values of QUEUED_COLUMNS for a message that is due at once. */
export const queuedColumns = (
  made: Pick<Row<"webhook_deliveries">, "webhook_id" | "source" | "event" | "message" | "vehicle_id" | "body">,
  now: Timestamp,
): QueuedColumns => ({
  ...made,
  state: "pending",
  tries: 0,
  attempts: "[]",
  next_at: now,
  owner: null,
  lease_until: null,
  created_at: now,
});

const contextOf =
  (column: "secret" | "previous_secret") =>
  (id: number): string =>
    `webhooks.${column} of webhook ${id}`;

/** The columns with sealed secrets. */
export const SEALED_WEBHOOK_SECRETS = (["secret", "previous_secret"] as const).map(
  (column) => ({ table: "webhooks", column, contextOf: contextOf(column) }) as const,
);

/** Seals the current secret of a webhook. */
export const sealSecret = ({ seal }: Pick<Sealing, "seal">, id: number, secret: string): string =>
  seal(secret, contextOf("secret")(id));

/** Seals the current secret as the one before. `null` if it cannot be opened any more. */
export const resealAsPrevious = (
  { seal, open }: Pick<Sealing, "seal" | "open">,
  { id, secret }: { readonly id: number; readonly secret: string | null },
): string | null => {
  const opened = secret === null ? null : open(secret, contextOf("secret")(id));
  return opened === null ? null : seal(opened, contextOf("previous_secret")(id));
};

/** The secrets to sign with now, the current one first. Empty if the current one cannot be opened. */
export const openSecrets = (
  { open }: Pick<Sealing, "open">,
  row: Pick<Row<"webhooks">, "id" | "secret" | "previous_secret" | "previous_until">,
  now: Timestamp,
): readonly string[] => {
  const current = row.secret === null ? null : open(row.secret, contextOf("secret")(row.id));
  if (current === null) return [];
  const { previous_secret: sealed, previous_until: until } = row;
  const isGrace = until !== null && until > now;
  const previous = isGrace && sealed !== null ? open(sealed, contextOf("previous_secret")(row.id)) : null;
  return previous === null ? [current] : [current, previous];
};
