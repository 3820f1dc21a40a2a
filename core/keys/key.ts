import Type from "typebox";
import { boundDealerOf, permissionsOfKey, rateLimitOfKey } from "../access/authority.ts";
import { PermissionPairs } from "../access/permission-pairs.ts";
import { ASSOCIATIONS, type Association } from "../access/principal.ts";
import { dayOf, msOf, type Timestamp, timestampAt } from "../clock.ts";
import { SAFE_FORM_QUERY } from "../export/export-file.ts";
import { IncludeOfKeys } from "../include.ts";
import { orderQuery, PageQuery } from "../page.ts";
import {
  APP_TYPES,
  type AppType,
  type PermissionPair,
  type PermissionSet,
  pairsOfSet,
  type Role,
} from "../permissions.ts";
import {
  email,
  flag,
  flagOrBit,
  type Input,
  id,
  integer,
  moment,
  nullable,
  oneOf,
  patterned,
  requiredText,
  text,
} from "../schema.ts";
import { searchQuery } from "../search/query.ts";
import { validator } from "../validation.ts";
import { Networks } from "./networks.ts";
import { Origins } from "./origins.ts";
import { RETENTION_DAYS } from "./usage-repository.ts";

/** The user of a user key. The key always has the rights that its user has at the time. */
export interface Holder {
  readonly role: Role;
  readonly dealerId: number | null;
  readonly permissions: PermissionSet;
  readonly active: boolean;
  readonly endedBy: Role | null;
}

/** The secret that a key had before its last rotation, while it is stored. */
export interface OldSecret {
  /** Its first characters. `null` if an earlier version of the service rotated the key. */
  readonly start: string | null;
  readonly endsAt: Timestamp;
  /** Its last use after the rotation. */
  readonly lastUsedAt: Timestamp | null;
  /** The number of uses on the day of its last use. `usesDay` is the start of that day. */
  readonly uses: number;
  readonly usesDay: Timestamp | null;
}

/** A key as the repository returns it. Its secret is stored elsewhere as a hash, and is never part of it. */
export interface KeyRecord {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly appType: AppType;
  readonly appId: string;
  /** The first characters of the key, to recognise it by. */
  readonly keyStart: string;
  readonly association: Association;
  /** The linked dealer. `null` for other associations, and if the link is gone; then the key is refused. */
  readonly dealerId: number | null;
  readonly userId: number | null;
  readonly holder: Holder | null;
  /** The key's own permissions. A user key has none. */
  readonly ownPermissions: PermissionSet;
  /** The limit in requests a minute, which overrides that of the app type. */
  readonly rateLimit: number | null;
  /** True if a page may show it to everybody. */
  readonly isPublic: boolean;
  /** The origins whose pages may use it; `null` for any. */
  readonly allowedOrigins: readonly string[] | null;
  /** The networks from which it may be used; `null` for any. */
  readonly allowedNetworks: readonly string[] | null;
  readonly active: boolean;
  /**
   * The rank of the caller who ended it. `null` for an active key, and for one that ended before ranks were recorded.
   */
  readonly endedBy: Role | null;
  /** `idle` for a key that the service switched off because nobody used it. */
  readonly disabledReason: "idle" | null;
  /** When people were told that nobody uses it. A later use or change makes that void. */
  readonly idleNoticedAt: Timestamp | null;
  /** Where notices of it are mailed instead of to its user. */
  readonly ownerEmail: string | null;
  readonly expiresAt: Timestamp | null;
  readonly lastUsedAt: Timestamp | null;
  /** It may have ended. See `graceOf`. */
  readonly oldSecret: OldSecret | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** The fields of an answer about the secret before the last rotation. All are `null` if that secret no longer works. */
interface PresentedGrace {
  readonly grace_until: Timestamp | null;
  readonly grace_key_start: string | null;
  readonly grace_last_used_at: Timestamp | null;
  readonly grace_uses_today: number | null;
}

/** A key as answered (interface 2.4). */
export interface PresentedKey extends PresentedGrace {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly app_type: AppType;
  readonly app_id: string;
  readonly key_start: string;
  readonly association: Association;
  readonly dealer_id: number | null;
  readonly user_id: number | null;
  readonly bound_dealer_id: number | null;
  readonly permissions: readonly PermissionPair[];
  readonly rate_limit: number | null;
  readonly effective_rate_limit: number;
  readonly public: boolean;
  readonly allowed_origins: readonly string[] | null;
  readonly allowed_networks: readonly string[] | null;
  readonly owner_email: string | null;
  readonly active: boolean;
  readonly disabled_reason: "idle" | null;
  readonly idle_ends_at: Timestamp | null;
  readonly expires_at: Timestamp | null;
  readonly last_used_at: Timestamp | null;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
}

const NO_GRACE: PresentedGrace = {
  grace_until: null,
  grace_key_start: null,
  grace_last_used_at: null,
  grace_uses_today: null,
};

/** The grace period of a key's old secret at this time. It never lasts longer than the key. */
const graceOf = ({ oldSecret, expiresAt }: KeyRecord, now: Timestamp): PresentedGrace => {
  if (oldSecret === null) return NO_GRACE;
  const { start, endsAt, lastUsedAt, uses, usesDay } = oldSecret;
  const until = expiresAt !== null && expiresAt < endsAt ? expiresAt : endsAt;
  if (until <= now) return NO_GRACE;
  return {
    grace_until: until,
    grace_key_start: start,
    grace_last_used_at: lastUsedAt,
    grace_uses_today: usesDay === dayOf(now) ? uses : 0,
  };
};

/** True while the old secret of a key still works. */
export const isInGrace = (key: KeyRecord, now: Timestamp): boolean => graceOf(key, now).grace_until !== null;

/** How many days before a key that nobody uses is switched off people are told. */
export const IDLE_NOTICE_DAYS = 14;
const DAY_MS = 86_400_000;

/** When a key that nobody uses is switched off, if people were told; `null` if it was used or changed since. */
const idleEndOf = ({ active, idleNoticedAt, lastUsedAt, updatedAt }: KeyRecord): Timestamp | null => {
  if (!active || idleNoticedAt === null) return null;
  const isVoid = idleNoticedAt < updatedAt || (lastUsedAt !== null && idleNoticedAt < lastUsedAt);
  return isVoid ? null : timestampAt(msOf(idleNoticedAt) + IDLE_NOTICE_DAYS * DAY_MS);
};

/** The key as answered at this time. */
export const presentKey = (key: KeyRecord, now: Timestamp): PresentedKey => ({
  id: key.id,
  name: key.name,
  description: key.description,
  app_type: key.appType,
  app_id: key.appId,
  key_start: key.keyStart,
  association: key.association,
  dealer_id: key.dealerId,
  user_id: key.userId,
  bound_dealer_id: boundDealerOf(key),
  permissions: pairsOfSet(permissionsOfKey(key)),
  rate_limit: key.rateLimit,
  effective_rate_limit: rateLimitOfKey(key),
  public: key.isPublic,
  allowed_origins: key.allowedOrigins,
  allowed_networks: key.allowedNetworks,
  owner_email: key.ownerEmail,
  active: key.active,
  // An instance of an earlier version leaves the reason.
  disabled_reason: key.active ? null : key.disabledReason,
  idle_ends_at: idleEndOf(key),
  expires_at: key.expiresAt,
  last_used_at: key.lastUsedAt,
  ...graceOf(key, now),
  created_at: key.createdAt,
  updated_at: key.updatedAt,
});

const MAX_RATE_LIMIT = 2_147_483_647;
const MAX_GRACE_SECONDS = 2_592_000;

/** The format of an `app_id`, which is part of the key string. */
const APP_ID = "^[A-Za-z0-9._-]{1,64}$";

const appId = patterned({
  pattern: APP_ID,
  max: 64,
  fault: "must be 1 to 64 letters, digits, dots, hyphens or underscores",
  examples: ["showroom-site"],
});

const optional = {
  description: nullable(text(0, 20_000)),
  dealer_id: nullable(id({ description: "Binds the key to one dealer." })),
  user_id: nullable(id({ description: "Ties the key to a user. The key has the user's permissions." })),
  association: Type.Optional(
    oneOf(ASSOCIATIONS, { description: "Determined by `dealer_id` and `user_id`. If sent, it must agree with them." }),
  ),
  expires_at: nullable(
    text(1, 40, {
      description: "A time in the future, in ISO 8601 with a time zone.",
      examples: ["2099-01-01T00:00:00.000Z"],
      documented: { format: "date-time" },
    }),
  ),
  permissions: Type.Optional(PermissionPairs),
  rate_limit: nullable(
    integer(1, MAX_RATE_LIMIT, { description: "The limit in requests a minute, instead of that of the app type." }),
  ),
  public: Type.Optional(
    flagOrBit({
      default: false,
      description:
        "True for a key that a page shows to everybody. It must be a web key that is bound to a dealer and only reads vehicles and dealers. Its limit holds for each client address, and ten times as much for all. Answered as true or false.",
    }),
  ),
  allowed_origins: Type.Optional(
    Type.Union([Origins, Type.Null()], {
      description: "The origins whose pages may use the key. `null`: any. Requests without an origin are not affected.",
    }),
  ),
  allowed_networks: Type.Optional(
    Type.Union([Networks, Type.Null()], {
      description:
        "The networks from which the key may be used, as the service sees the client's address. `null`: any. Requests from others answer 403 `network_not_allowed`.",
    }),
  ),
  owner_email: nullable(email({ description: "Where notices of the key are mailed, instead of to its user." })),
  active: Type.Optional(flagOrBit({ default: true, description: "Answered as true or false." })),
};

/** Body of POST /api/keys (interface 6.4). */
export const NewKey = Type.Object({
  name: requiredText(100, { examples: ["Showroom website"] }),
  app_type: oneOf(APP_TYPES),
  app_id: appId,
  ...optional,
});
export type NewKey = Input<typeof NewKey>;

/** Body of PUT /api/keys/:id. All fields are optional. */
export const KeyChanges = Type.Object({
  name: Type.Optional(NewKey.properties.name),
  app_type: Type.Optional(oneOf(APP_TYPES)),
  app_id: Type.Optional(
    patterned({
      pattern: APP_ID,
      max: 64,
      fault: "cannot be changed",
      description: "Cannot be changed.",
    }),
  ),
  ...optional,
  confirm_lockout: Type.Optional(
    flagOrBit({
      description:
        "If true, the calling key may exclude the caller's own address from its `allowed_networks`. Otherwise that is a 400.",
    }),
  ),
  rotate: Type.Optional(
    flagOrBit({
      description:
        "If true, the key gets a new secret in the same transaction, which is in the answer. Its old secrets end.",
    }),
  ),
});
export type KeyChanges = Input<typeof KeyChanges>;

/** Body of POST /api/keys/:id/rotate. It may be left out. */
export const Rotation = Type.Object({
  grace_seconds: Type.Optional(
    integer(0, MAX_GRACE_SECONDS, {
      default: 0,
      description: "How long the previous secret continues to work, in seconds.",
    }),
  ),
});

/** Fields of answers that are ignored in bodies, those that `include=names` adds last. */
export const KEY_READ_ONLY = [
  "id",
  "api_key",
  "key_start",
  "bound_dealer_id",
  "effective_rate_limit",
  "disabled_reason",
  "idle_ends_at",
  "last_used_at",
  "grace_until",
  "grace_key_start",
  "grace_last_used_at",
  "grace_uses_today",
  "created_at",
  "updated_at",
  "dealer_name",
  "bound_dealer_name",
  "user_name",
  "user_active",
  "requests_24h",
  "refused_24h",
  "refused_mostly",
] as const;

/** The statuses of a key. A key that was revoked and has also expired is `revoked`. */
const KEY_STATUSES = ["active", "expired", "revoked"] as const;
export type KeyStatus = (typeof KEY_STATUSES)[number];

/** The values by which lists of keys can be sorted that depend on their requests of the last 24 hours. */
export const USAGE_SORTS = ["requests", "refused", "refused_share"] as const;
/** The values by which lists of keys can be sorted. */
const KEY_SORTS = ["created", "name", "last_used", "expires", ...USAGE_SORTS] as const;
export type KeySort = (typeof KEY_SORTS)[number];

/** The filters of keys, as parameters of a query. */
const FILTERS = {
  dealer_id: Type.Optional(id({ description: "Only keys that are bound to this dealer." })),
  user_id: Type.Optional(id({ description: "Only keys of this user." })),
  app_type: Type.Optional(oneOf(APP_TYPES, { description: "Only keys of this app type." })),
  active: Type.Optional(flag({ description: "Only keys that are not revoked, or only revoked ones." })),
  status: Type.Optional(
    oneOf(KEY_STATUSES, {
      description: "`revoked`: not active. `expired`: active, but past `expires_at`. `active`: neither of these.",
    }),
  ),
  association: Type.Optional(
    oneOf(ASSOCIATIONS, { description: "Only keys that are tied to a dealer, to a user, or to neither." }),
  ),
  refused_since: Type.Optional(
    moment({
      description: `Only keys with requests that were refused since then: over the limit, denied, or unauthorized. Its whole hour counts. Usage is kept for ${RETENTION_DAYS} days.`,
    }),
  ),
  q: Type.Optional(
    searchQuery(
      100,
      "name, description, app_id, key_start, or of the names of the key's dealer and user, as far as the caller may read these",
      "In the key's own texts, a part of a word is enough.",
    ),
  ),
};

/** Query of GET /api/keys. */
export const KeyQuery = Type.Object({
  ...FILTERS,
  ...orderQuery(
    KEY_SORTS,
    "Keys without the value to be sorted by come last. `requests`: the number of requests of the last 24 hours. `refused`: how many of them were refused. `refused_share`: which part of them.",
  ),
  ...IncludeOfKeys,
  ...PageQuery,
});
export type KeyQuery = Input<typeof KeyQuery>;

/** Query of GET /api/keys/export. */
export const KeyExportQuery = Type.Object({ ...FILTERS, ...SAFE_FORM_QUERY });
export type KeyExportQuery = Input<typeof KeyExportQuery>;

export const newKey = validator(NewKey, KEY_READ_ONLY);
export const keyChanges = validator(KeyChanges, KEY_READ_ONLY);
export const rotation = validator(Rotation);
