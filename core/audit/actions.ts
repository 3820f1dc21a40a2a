import { type ResourceWith, resourcesWith } from "../resources.ts";

/** What an entry of the audit log can be about. */
export const AUDITED_RESOURCES = resourcesWith("audited");
export type AuditedResource = ResourceWith<"audited">;

/** Every recorded change, with the resource that it changes. */
export const AUDITED = {
  "vehicle.created": "vehicles",
  "vehicle.changed": "vehicles",
  "vehicle.moved": "vehicles",
  "vehicle.status_changed": "vehicles",
  "vehicle.price_changed": "vehicles",
  "vehicle.sale_changed": "vehicles",
  "vehicle.removed": "vehicles",
  "vehicle.restored": "vehicles",
  "vehicle.purged": "vehicles",
  "vehicle.seeded": "vehicles",
  "image.added": "images",
  "image.changed": "images",
  "image.ordered": "images",
  "image.removed": "images",
  "dealer.created": "dealers",
  "dealer.changed": "dealers",
  "dealer.deactivated": "dealers",
  "dealer.activated": "dealers",
  "dealer.seeded": "dealers",
  "source.created": "sources",
  "source.changed": "sources",
  "source.removed": "sources",
  "source.imported": "sources",
  "source.failing": "sources",
  "source.switched-off": "sources",
  "key.created": "keys",
  "key.changed": "keys",
  "key.rebound": "keys",
  "key.revoked": "keys",
  "key.reactivated": "keys",
  "key.transferred": "keys",
  "key.permissions_changed": "keys",
  "key.expiry_changed": "keys",
  "key.rotated": "keys",
  "key.grace-ended": "keys",
  "key.expiring": "keys",
  "key.idle": "keys",
  "key.removed": "keys",
  "settings.changed": "settings",
  "import.ended": "imports",
  "mapping.created": "mappings",
  "mapping.changed": "mappings",
  "mapping.removed": "mappings",
  "feed.created": "feeds",
  "feed.changed": "feeds",
  "feed.rotated": "feeds",
  "feed.released": "feeds",
  "feed.removed": "feeds",
  "webhook.created": "webhooks",
  "webhook.changed": "webhooks",
  "webhook.rotated": "webhooks",
  "webhook.removed": "webhooks",
  "webhook.failing": "webhooks",
  "webhook.switched-off": "webhooks",
  "schedule.created": "schedules",
  "schedule.cancelled": "schedules",
  "schedule.ended": "schedules",
  "user.created": "users",
  "user.changed": "users",
  "user.moved": "users",
  "user.deactivated": "users",
  "user.reactivated": "users",
  "user.role_changed": "users",
  "user.permissions_changed": "users",
  "user.email_changed": "users",
  "session.started": "users",
  "session.ended": "users",
  "user.sign-in-failed": "users",
  "user.invited": "users",
  "user.invitation-used": "users",
  "user.password-changed": "users",
  "user.second-factor-on": "users",
  "user.second-factor-off": "users",
  "user.second-factor-reset": "users",
  "user.recovery-codes-renewed": "users",
  "user.sessions-ended": "users",
  "user.locked-out": "users",
} as const satisfies Record<string, AuditedResource>;
export type Audited = keyof typeof AUDITED;

/** The action of an entry about a denied operation. */
export const DENIED = "access.denied";
export type Action = Audited | typeof DENIED;

/** A more precise action than `*.changed`. It applies if this field changed. */
interface FinerAction {
  readonly field: string;
  /** If it is given, the field must have this value after the change. */
  readonly to?: boolean | 0 | 1;
  readonly action: Audited;
}

/**
 * More precise actions of a change. The first one whose field changed is used. The dealer is tried first: both dealers
 * see the entry, and its name must not tell the old dealer what else was changed.
 */
const FINER_ACTIONS = {
  "vehicle.changed": [
    { field: "dealer_id", action: "vehicle.moved" },
    { field: "status", action: "vehicle.status_changed" },
    { field: "price", action: "vehicle.price_changed" },
  ],
  "dealer.changed": [
    { field: "active", to: 0, action: "dealer.deactivated" },
    { field: "active", to: 1, action: "dealer.activated" },
  ],
  "key.changed": [
    { field: "bound_dealer_id", action: "key.rebound" },
    { field: "active", to: false, action: "key.revoked" },
    { field: "active", to: true, action: "key.reactivated" },
    { field: "user_id", action: "key.transferred" },
    { field: "permissions", action: "key.permissions_changed" },
    { field: "expires_at", action: "key.expiry_changed" },
  ],
  "user.changed": [
    { field: "dealer_id", action: "user.moved" },
    { field: "active", to: false, action: "user.deactivated" },
    { field: "active", to: true, action: "user.reactivated" },
    { field: "role", action: "user.role_changed" },
    { field: "permissions", action: "user.permissions_changed" },
    { field: "email", action: "user.email_changed" },
  ],
} as const satisfies Partial<Record<Audited, readonly FinerAction[]>>;
/** The actions that have more precise ones. */
export type CoarseAction = keyof typeof FINER_ACTIONS;

/** The more precise actions of a change, in the order in which they are tried. */
export const finerActionsOf = (action: Action): readonly FinerAction[] =>
  action in FINER_ACTIONS ? FINER_ACTIONS[action as CoarseAction] : [];

/** Former names of actions. Stored entries keep them, and are read as if they had the present names. */
export const FORMER_NAMES = {
  "user.signed-in": "session.started",
  "user.signed-out": "session.ended",
} as const satisfies Record<string, Audited>;
export type FormerAction = keyof typeof FORMER_NAMES;

type Fields = Readonly<Record<string, unknown>>;

/**
 * The most precise action of a change, by the fields that differ: `key.changed` becomes `key.revoked` if `active` is
 * now false. It also applies to entries that were stored before the more precise actions existed.
 */
export const actionOf = <Some extends Action>(
  action: Some,
  before: Fields | null,
  after: Fields | null,
): Some | Audited => {
  if (before === null || after === null) return action;
  const isChanged = (field: string): boolean =>
    field in after && JSON.stringify(before[field]) !== JSON.stringify(after[field]);
  const fits = ({ field, to }: FinerAction): boolean => isChanged(field) && (to === undefined || after[field] === to);
  return finerActionsOf(action).find(fits)?.action ?? action;
};

/** The present name of a stored action. */
export const presentAction = (stored: Action | FormerAction): Action =>
  stored in FORMER_NAMES ? FORMER_NAMES[stored as FormerAction] : (stored as Action);

/**
 * The stored names that a filter by action finds: `vehicle.changed` finds every change of a vehicle, also by its more
 * precise actions, and each name finds the entries that were stored under its former name.
 */
export const storedNamesOf = (name: Action | FormerAction): readonly (Action | FormerAction)[] => {
  const action = presentAction(name);
  const former = Object.entries(FORMER_NAMES).flatMap(([old, present]) =>
    present === action ? [old as FormerAction] : [],
  );
  return [action, ...finerActionsOf(action).map((finer) => finer.action), ...former];
};

/** The fields that name a record for people. */
export const NAME_FIELDS = {
  vehicles: ["year", "make", "model"],
  images: [],
  dealers: ["name"],
  sources: ["name"],
  keys: ["name"],
  users: ["name"],
  settings: [],
  imports: ["file"],
  mappings: ["name"],
  feeds: ["name"],
  webhooks: ["url"],
  schedules: [],
} as const satisfies Record<AuditedResource, readonly string[]>;

/** What a record is called, such as "2024 Toyota Camry"; `null` if the given fields do not include its name. */
export const recordNameIn = (resource: AuditedResource | null, fields: Fields | null): string | null => {
  const names = resource === null ? [] : NAME_FIELDS[resource];
  if (fields === null || names.length === 0 || names.some((name) => fields[name] === undefined)) return null;
  return names.map((name) => String(fields[name])).join(" ");
};
