import type { Actor, Association } from "../access/principal.ts";
import type { Visibility } from "../access/visibility.ts";
import type { Timestamp } from "../clock.ts";
import type { Failure } from "../failure.ts";
import type { Slice } from "../long-items.ts";
import type { Listing, ListOrder, Page } from "../page.ts";
import type { AppType } from "../permissions.ts";
import type { KeyRecord, KeySort, KeyStatus } from "./key.ts";
import type { IssuedSecret } from "./secrets.ts";

export interface KeyFilter {
  readonly dealerId?: number;
  readonly userId?: number;
  readonly appType?: AppType;
  readonly active?: boolean;
  /** Keys that have this status at this time. */
  readonly status?: { readonly is: KeyStatus; readonly at: Timestamp };
  readonly association?: Association;
  /** Keys that expire before this time. */
  readonly expiresBefore?: Timestamp;
  /** Keys that were neither used nor created since this time. */
  readonly idleSince?: Timestamp;
  readonly search?: KeySearch;
}

/**
 * Every word of `q` must be part of a word of the key's name, description, app id or first characters, or must begin a
 * word of the dealer's or the user's name, if those names may be searched.
 */
export interface KeySearch {
  readonly q: string;
  readonly inDealerNames: boolean;
  readonly inUserNames: boolean;
}

/** The stored fields of a key, without its id and secret. */
export type KeyFields = Omit<
  KeyRecord,
  "id" | "keyStart" | "holder" | "lastUsedAt" | "oldSecret" | "createdAt" | "updatedAt"
>;

/** The dealer or user does not exist. */
export const UNKNOWN_HOLDER = Symbol("unknown dealer or user");

/** Which keys are read. */
export interface WantedKeys {
  readonly visibility: Visibility;
  readonly filter: KeyFilter;
}

/**
 * Keys in the database. A key that the caller cannot see is `null`. If a dealer or user would have more keys than the
 * quota allows, the result is a Failure. Every change reaches all caches of credentials.
 */
export interface KeyRepository {
  /** Newest first by default. */
  list(query: WantedKeys & { readonly page: Page; readonly order?: ListOrder<KeySort> }): Promise<Listing<KeyRecord>>;
  /**
   * All these keys, newest first, as they were when the first slice was read. The iteration occupies a connection until
   * it ends or is given up, and the database keeps old versions of changed rows for it. Slices are small.
   */
  all(query: WantedKeys): Iterable<Slice<KeyRecord>>;
  find(id: number, visibility: Visibility): Promise<KeyRecord | null>;
  insert(insertion: {
    readonly key: KeyFields;
    readonly secret: IssuedSecret;
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<KeyRecord | typeof UNKNOWN_HOLDER | Failure>;
  /**
   * Replaces the fields of a key that is unchanged since it was read as `seen`, and its secrets if there is a new one.
   * `null` if it has been changed or removed since then.
   */
  update(change: {
    readonly seen: KeyRecord;
    readonly visibility: Visibility;
    readonly fields: KeyFields;
    readonly now: Timestamp;
    readonly by: Actor;
    readonly secret?: IssuedSecret | null;
  }): Promise<KeyRecord | null | typeof UNKNOWN_HOLDER | Failure>;
  /**
   * Rotates a key that is unchanged since it was read as `seen`. The previous secret ends at `previousEndsAt`, older
   * ones end now.
   */
  rotate(rotation: {
    readonly seen: KeyRecord;
    readonly visibility: Visibility;
    readonly secret: IssuedSecret;
    readonly previousEndsAt: Timestamp;
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<KeyRecord | null>;
  /**
   * Ends the old secret of a key that is unchanged since it was read as `seen`. Changes nothing if no old secret works.
   */
  endGrace(end: {
    readonly seen: KeyRecord;
    readonly visibility: Visibility;
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<KeyRecord | null>;
  /** Removes a key that is unchanged since it was read as `seen`, with its secrets and links. */
  remove(removal: {
    readonly seen: KeyRecord;
    readonly visibility: Visibility;
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<boolean>;
}

/** The first keys of an installation. */
export interface FirstKeys {
  /**
   * Stores this key if the database has none. True if it was stored. Safe if several processes start at once. Calls
   * `show` before the commit, so that a stored key has always been shown, even if the process ends in between.
   */
  insertIfNone(first: {
    readonly key: KeyFields;
    readonly secret: IssuedSecret;
    readonly now: Timestamp;
    readonly show: () => void;
  }): Promise<boolean>;
  /**
   * Makes this the secret of the bootstrap key, which is created if there is none. Does nothing if the key has this
   * secret already.
   */
  setBootstrap(key: KeyFields, secret: IssuedSecret, now: Timestamp): Promise<void>;
}
