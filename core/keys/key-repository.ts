import type { Actor, Association } from "../access/principal.ts";
import type { Visibility } from "../access/visibility.ts";
import type { Timestamp } from "../clock.ts";
import type { Failure, Outcome } from "../failure.ts";
import type { Slice } from "../long-items.ts";
import type { Listing, ListOrder, Page } from "../page.ts";
import type { AppType } from "../permissions.ts";
import type { Holder, KeyRecord, KeySort, KeyStatus } from "./key.ts";
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
  /** Keys with requests that were refused in this hour or later, as far as the reader may see their usage. */
  readonly refusedSince?: Timestamp;
  /** Keys that the service switches off because nobody uses them, after a notice, or has switched off. */
  readonly isUnused?: true;
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
  "id" | "keyStart" | "holder" | "idleNoticedAt" | "lastUsedAt" | "oldSecret" | "createdAt" | "updatedAt"
>;

/** What becomes of a key. `null` in its place changes nothing. */
export type KeyDecision =
  /** Replaces the fields, and the secrets if there is a new one. The previous secrets end at once. */
  | { readonly does: "change"; readonly fields: KeyFields; readonly secret?: IssuedSecret | null }
  /** The previous secret ends at `previousEndsAt`, older ones end now. */
  | { readonly does: "rotate"; readonly secret: IssuedSecret; readonly previousEndsAt: Timestamp }
  /** Ends the old secret. */
  | { readonly does: "end-grace" }
  /** Removes the key with its secrets and links. */
  | { readonly does: "remove" };

/** A changed or removed key, and its new secret if it was rotated. */
export interface ChangedKey {
  readonly record: KeyRecord;
  readonly apiKey: string | null;
}

/** Which key is changed, and by whom. */
interface KeyChangeContext {
  readonly id: number;
  readonly visibility: Visibility;
  /** The user that the change names, if the caller sees them. */
  readonly user?: { readonly id: number; readonly visibility: Visibility } | null;
  readonly now: Timestamp;
  readonly by: Actor;
}

/** The dealer or user does not exist. */
export const UNKNOWN_HOLDER = Symbol("unknown dealer or user");

/** Which keys are read. */
export interface WantedKeys {
  readonly visibility: Visibility;
  readonly filter: KeyFilter;
}

/** A page of keys. */
export interface ListedKeys extends WantedKeys {
  readonly page: Page;
  readonly order?: ListOrder<KeySort>;
  /** The hour from which on requests count for the order. It must be given for an order by requests. */
  readonly usageFrom?: Timestamp;
}

/**
 * Keys in the database. A key that the caller cannot see is `null`. If a dealer or user would have more keys than the
 * quota allows, the result is a Failure. Every change reaches all caches of credentials.
 */
export interface KeyRepository {
  /** Newest first by default. */
  list(query: ListedKeys): Promise<Listing<KeyRecord>>;
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
   * Changes a key as `decide` says of its present state, which stays locked. `decide` also gets the user that the change
   * names, if there is one whom the caller sees.
   */
  change(
    change: KeyChangeContext,
    decide: (key: KeyRecord, user: Holder | null) => Outcome<KeyDecision | null>,
  ): Promise<Outcome<ChangedKey> | null | typeof UNKNOWN_HOLDER>;
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
