import type { Powers } from "../access/principal.ts";
import { type Action, presentAction } from "../audit/actions.ts";
import { changesBetween } from "../audit/audit-entry.ts";
import { holds, type Permission } from "../permissions.ts";

/** Every event that a webhook can be told of, with the permission that its maker needs for it. */
export const WEBHOOK_EVENTS = {
  "vehicle.created": "vehicles:read",
  "vehicle.updated": "vehicles:read",
  "vehicle.price_changed": "vehicles:read",
  "vehicle.status_changed": "vehicles:read",
  "vehicle.sold": "vehicles:read",
  "vehicle.removed": "vehicles:read",
  "vehicle.restored": "vehicles:read",
  "image.changed": "vehicles:read",
  "import.finished": "vehicles:read",
  "feed.held": "feeds:read",
  "dealer.updated": "dealers:read",
  "key.expiring": "keys:read",
  "key.disabled": "keys:read",
} as const satisfies Record<string, Permission>;
export type WebhookEvent = keyof typeof WEBHOOK_EVENTS;
export const WEBHOOK_EVENT_NAMES = Object.keys(WEBHOOK_EVENTS) as readonly WebhookEvent[];

/** The event of a message that somebody asked for, to see whether the receiver gets it. */
export const TEST_EVENT = "webhook.test";
export type SentEvent = WebhookEvent | typeof TEST_EVENT;

/** True if a webhook's maker may read what this event tells. A test message tells nothing. */
export const mayBeTold = ({ permissions }: Pick<Powers, "permissions">, event: SentEvent): boolean =>
  event === TEST_EVENT || holds(permissions, WEBHOOK_EVENTS[event]);

type Fields = Readonly<Record<string, unknown>>;

/** A change as the audit log records it. */
export interface RecordedChange {
  readonly action: Action;
  readonly resourceId: number | null;
  readonly dealerId: number | null;
  readonly before: Fields | null;
  readonly after: Fields | null;
}

/** What a webhook is told, without the vehicle itself. */
export interface Occurrence {
  readonly event: WebhookEvent;
  /** The id of the record that the event is about. */
  readonly id: number;
  /** The dealer whose webhooks are told; `null` if the record is no dealer's. */
  readonly dealerId: number | null;
  /** Webhooks of the dealer are told with `dealer`, those of no dealer with `none`; usually both. */
  readonly told: "dealer" | "none" | "both";
  /** The names of the changed fields. */
  readonly changed: readonly string[];
  /** The vehicle that is sent along; `null` if there is none. */
  readonly vehicleId: number | null;
  /** More about the record, in the form in which it is sent. */
  readonly more: Fields;
}

const numberIn = (fields: Fields | null, name: string): number | null => {
  const value = fields?.[name];
  return typeof value === "number" ? value : null;
};

const changedBy = ({ before, after }: RecordedChange): readonly string[] =>
  before === null || after === null ? [] : Object.keys(changesBetween(before, after).after ?? {});

/**
 * The events of a changed vehicle: that of its status, that of its price, or both, and `vehicle.updated` only if there
 * is neither.
 */
const eventsOfFields = (changed: readonly string[], after: Fields | null): readonly WebhookEvent[] => {
  const specific: readonly (WebhookEvent | null)[] = [
    !changed.includes("status") ? null : after?.status === "sold" ? "vehicle.sold" : "vehicle.status_changed",
    changed.includes("price") ? "vehicle.price_changed" : null,
  ];
  const found = specific.filter((event) => event !== null);
  return found.length > 0 ? found : ["vehicle.updated"];
};

type Reading = (change: RecordedChange & { readonly resourceId: number }) => readonly Occurrence[];

const vehicleOccurrence = (
  { resourceId: id, dealerId }: RecordedChange & { readonly resourceId: number },
  event: WebhookEvent,
  changed: readonly string[] = [],
): Occurrence => ({ event, id, dealerId, told: "both", changed, vehicleId: id, more: {} });

const ofVehicle =
  (event: WebhookEvent): Reading =>
  (change) => [vehicleOccurrence(change, event)];

const ofChangedVehicle: Reading = (change) => {
  const changed = changedBy(change);
  return eventsOfFields(changed, change.after).map((event) => vehicleOccurrence(change, event, changed));
};

/**
 * A move is a removal for the dealer that the vehicle leaves, and a new vehicle for the other one. Neither learns who
 * the other is.
 */
const ofMovedVehicle: Reading = (change) => {
  const changed = changedBy(change);
  const arrivesAt = numberIn(change.after, "dealer_id");
  return [
    { ...vehicleOccurrence(change, "vehicle.removed"), told: "dealer", vehicleId: null },
    { ...vehicleOccurrence(change, "vehicle.created"), dealerId: arrivesAt, told: "dealer" },
    ...eventsOfFields(changed, change.after).map(
      (event): Occurrence => ({
        ...vehicleOccurrence(change, event, changed),
        dealerId: arrivesAt,
        told: "none",
      }),
    ),
  ];
};

const ofImage: Reading = (change) => {
  const vehicle = numberIn(change.after, "vehicle_id") ?? numberIn(change.before, "vehicle_id");
  return [
    {
      ...vehicleOccurrence(change, "image.changed", changedBy(change)),
      vehicleId: vehicle,
      more: { vehicle_id: vehicle },
    },
  ];
};

const ofRecord =
  (event: WebhookEvent, shown: readonly string[] = []): Reading =>
  (change) => [
    {
      event,
      id: change.resourceId,
      dealerId: change.dealerId,
      told: "both",
      changed: changedBy(change),
      vehicleId: null,
      more: Object.fromEntries(shown.map((name) => [name, (change.after ?? change.before)?.[name] ?? null])),
    },
  ];

/** How each recorded change is told. Changes without an entry are not. */
const READINGS: Partial<Record<Action, Reading>> = {
  "vehicle.created": ofVehicle("vehicle.created"),
  "vehicle.seeded": ofVehicle("vehicle.created"),
  "vehicle.changed": ofChangedVehicle,
  "vehicle.status_changed": ofChangedVehicle,
  "vehicle.price_changed": ofChangedVehicle,
  "vehicle.moved": ofMovedVehicle,
  "vehicle.removed": ofVehicle("vehicle.removed"),
  "vehicle.restored": ofVehicle("vehicle.restored"),
  "image.added": ofImage,
  "image.changed": ofImage,
  "image.ordered": ofImage,
  "image.removed": ofImage,
  "import.ended": ofRecord("import.finished", ["state", "file"]),
  "dealer.changed": ofRecord("dealer.updated"),
  "dealer.activated": ofRecord("dealer.updated"),
  "dealer.deactivated": ofRecord("dealer.updated"),
  "key.revoked": ofRecord("key.disabled", ["disabled_reason"]),
  "key.removed": ofRecord("key.disabled"),
};

/** What webhooks are told of a recorded change. */
export const occurrencesOf = (change: RecordedChange): readonly Occurrence[] => {
  const { resourceId } = change;
  return resourceId === null ? [] : (READINGS[presentAction(change.action)]?.({ ...change, resourceId }) ?? []);
};
