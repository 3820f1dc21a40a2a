import type { AppType } from "../access/permissions.ts";
import type { Actor, Association } from "../access/principal.ts";
import type { Visibility } from "../access/visibility.ts";
import type { Timestamp } from "../clock.ts";
import type { Failure } from "../failure.ts";
import type { Slice } from "../long-items.ts";
import type { Listing, ListOrder, Page } from "../page.ts";
import type { KeyRecord, KeySort, KeyStatus } from "./key.ts";
import type { IssuedSecret } from "./secrets.ts";

export interface KeyFilter {
  readonly dealerId?: number;
  readonly userId?: number;
  readonly appType?: AppType;
  readonly active?: boolean;
  /** Keys that have this status at that moment. */
  readonly status?: { readonly is: KeyStatus; readonly at: Timestamp };
  readonly association?: Association;
  /** Keys that expire before this moment. */
  readonly expiresBefore?: Timestamp;
  /** Keys neither used nor created since this moment. */
  readonly idleSince?: Timestamp;
  readonly search?: KeySearch;
}

/**
 * Every word of `q` is part of a word of the key's name, description, app id or beginning, or begins a word of the
 * names that may be looked into.
 */
export interface KeySearch {
  readonly q: string;
  readonly inDealerNames: boolean;
  readonly inUserNames: boolean;
}

/** What is stored of a key besides its id and secret. */
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
 * Keys in the database. What the caller does not see is `null`. A dealer or user who would have more keys than the
 * quota allows is a Failure. Every change reaches all caches of credentials.
 */
export interface KeyRepository {
  /** Newest first by default. */
  list(query: WantedKeys & { readonly page: Page; readonly order?: ListOrder<KeySort> }): Promise<Listing<KeyRecord>>;
  /**
   * All of them, newest first, as they were at one moment: when the first slice was read. Until the iteration ends or
   * is given up, it holds a connection of its own and what the database keeps of that moment. Slices are small.
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
   * Replaces the fields of a key that is still as `seen`, and its secrets where there is a new one; `null` when it has
   * changed or gone since.
   */
  update(change: {
    readonly seen: KeyRecord;
    readonly visibility: Visibility;
    readonly fields: KeyFields;
    readonly now: Timestamp;
    readonly by: Actor;
    readonly secret?: IssuedSecret | null;
  }): Promise<KeyRecord | null | typeof UNKNOWN_HOLDER | Failure>;
  /** Rotates a key that is still as `seen`; the previous secret ends at `previousEndsAt`, older ones now. */
  rotate(rotation: {
    readonly seen: KeyRecord;
    readonly visibility: Visibility;
    readonly secret: IssuedSecret;
    readonly previousEndsAt: Timestamp;
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<KeyRecord | null>;
  /** Ends the old secret of a key that is still as `seen`, now. Changes nothing where none works. */
  endGrace(end: {
    readonly seen: KeyRecord;
    readonly visibility: Visibility;
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<KeyRecord | null>;
  /** Removes a key that is still as `seen`, with its secrets and links. */
  remove(removal: {
    readonly seen: KeyRecord;
    readonly visibility: Visibility;
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<boolean>;
}

/** The keys an installation starts with. */
export interface FirstKeys {
  /**
   * Stores this key if the database has none; true when it did. Safe when several processes start at once. Calls `show`
   * before the commit: a stored key was always shown, even if the process ends in between.
   */
  insertIfNone(first: {
    readonly key: KeyFields;
    readonly secret: IssuedSecret;
    readonly now: Timestamp;
    readonly show: () => void;
  }): Promise<boolean>;
  /** Makes this the secret of the bootstrap key, which is created if needed; does nothing when it already is. */
  setBootstrap(key: KeyFields, secret: IssuedSecret, now: Timestamp): Promise<void>;
}
