import type { AppType, PermissionSet, Role } from "../access/permissions.ts";
import type { Actor, Association } from "../access/principal.ts";
import type { Timestamp } from "../clock.ts";
import type { Failure } from "../failure.ts";
import type { Listing, Page } from "../page.ts";
import type { KeyRecord, KeySort, KeyStatus } from "./key.ts";
import type { IssuedSecret } from "./secrets.ts";

/** Which keys, or users, a caller sees (specification 5.7). Goes into the WHERE of every statement. */
export type Sight = "everything" | { readonly dealerId: number } | { readonly userId: number };

export interface KeyFilter {
  readonly dealerId?: number;
  readonly userId?: number;
  readonly appType?: AppType;
  readonly active?: boolean;
  /** Keys that have this status at that moment. */
  readonly status?: { readonly is: KeyStatus; readonly at: Timestamp };
  readonly association?: Association;
  /** Keys that end before this moment. */
  readonly expiresBefore?: Timestamp;
  /** Keys that were neither used nor made since this moment. */
  readonly idleSince?: Timestamp;
  /** Part of name, description or app id, or what the key begins with, without regard to case. */
  readonly search?: string;
}

/** What a list of keys is sorted by, then by id in the same direction; what is unset comes last either way. */
export interface KeyOrder {
  readonly by: KeySort;
  readonly ascending: boolean;
}

export const NEWEST_FIRST: KeyOrder = { by: "created", ascending: false };

/** What is stored of a key besides its id and secret. */
export interface KeyFields {
  readonly name: string;
  readonly description: string | null;
  readonly appType: AppType;
  readonly appId: string;
  readonly association: Association;
  readonly dealerId: number | null;
  readonly userId: number | null;
  readonly ownPermissions: PermissionSet;
  readonly rateLimit: number | null;
  readonly active: boolean;
  /** The rank of who ended it; `null` for an active key. */
  readonly endedBy: Role | null;
  readonly expiresAt: Timestamp | null;
}

/** The repository's word for a dealer or user that does not exist. */
export const UNKNOWN_HOLDER = Symbol("unknown dealer or user");

/**
 * Keys in the database. What the sight hides is `null`. A dealer or user who would have more keys than the quota allows is
 * a Failure. Every change reaches all caches of credentials.
 */
export interface KeyRepository {
  /** Newest first unless another order is asked for. */
  list(sight: Sight, filter: KeyFilter, page: Page, order?: KeyOrder): Promise<Listing<KeyRecord>>;
  find(id: number, sight: Sight): Promise<KeyRecord | null>;
  insert(
    key: KeyFields,
    secret: IssuedSecret,
    now: Timestamp,
    by: Actor,
  ): Promise<KeyRecord | typeof UNKNOWN_HOLDER | Failure>;
  /** Replaces the fields of a key that is still as `seen`, and its secrets where there is a new one; `null` when it has changed or gone since. */
  update(
    seen: KeyRecord,
    sight: Sight,
    fields: KeyFields,
    now: Timestamp,
    by: Actor,
    secret?: IssuedSecret | null,
  ): Promise<KeyRecord | null | typeof UNKNOWN_HOLDER | Failure>;
  /** Gives a key that is still as `seen` a new secret; the one before ends at `previousEndsAt`, older ones now. */
  rotate(
    seen: KeyRecord,
    sight: Sight,
    secret: IssuedSecret,
    previousEndsAt: Timestamp,
    now: Timestamp,
    by: Actor,
  ): Promise<KeyRecord | null>;
  /** Removes a key that is still as `seen`, with its secrets and links. */
  remove(seen: KeyRecord, sight: Sight, now: Timestamp, by: Actor): Promise<boolean>;
}

/** The keys an installation starts with. */
export interface FirstKeys {
  /**
   * Stores this key if the database has none; says whether it did. Safe when several processes start at once. `show` is
   * called before it is stored for good: a key that was stored was shown, whatever ends the process in between.
   */
  insertIfNone(key: KeyFields, secret: IssuedSecret, now: Timestamp, show: () => void): Promise<boolean>;
  /** Makes this the secret of the bootstrap key, creating that key when there is none; does nothing if it is already. */
  setBootstrap(key: KeyFields, secret: IssuedSecret, now: Timestamp): Promise<void>;
}
