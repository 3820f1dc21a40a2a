import type { Visibility } from "../access/visibility.ts";
import type { Timestamp } from "../clock.ts";

/**
 * The outcome of a key's request: `served`, `denied` by a rule, `limited` by the rate limit, `failed` in the service,
 * or `unauthorized` because the key or its secret has ended.
 */
export const OUTCOMES = ["served", "denied", "limited", "failed", "unauthorized"] as const;
export type UsageOutcome = (typeof OUTCOMES)[number];

/** Numbers of requests by outcome. */
export type UsageCounts = Readonly<Record<UsageOutcome, number>>;

/** Requests of one hour, named by its start. */
export interface UsageHour extends UsageCounts {
  readonly hour: Timestamp;
}

/** When and from where a key was last used. */
export interface LastUse {
  readonly at: Timestamp;
  /** `null` for a use before addresses were recorded. */
  readonly address: string | null;
  readonly user_agent: string | null;
}

/** A refused request: its route, never its path. */
export interface Denial {
  readonly at: Timestamp;
  readonly status: number;
  readonly code: string;
  readonly method: string;
  readonly route: string;
  readonly address: string;
}

/** How many of the latest denials are kept for each key. */
export const MAX_STORED_DENIALS = 20;
/** How long counts and denials are kept. */
export const RETENTION_DAYS = 90;

/** How often the client of a key is recorded, as reading its headers costs as much as counting. */
export const CLIENT_RECORDED_EVERY_MS = 1000;

/** Counts the requests of keys in memory as they are answered. */
export interface UsageMeter {
  /** Counts one request. True when the client shall be recorded too, which is only now and then. */
  count(keyId: number, outcome: UsageOutcome): boolean;
  /** Records the client of the request that was just counted. */
  recordClient(keyId: number, address: string, userAgent: string | null): void;
  /** Counts a use of the old secret with this hash. */
  countOldSecret(hash: string): void;
  deny(keyId: number, denial: Omit<Denial, "at">): void;
}

/** Whole hours, including the first and the last. */
export interface UsageWindow {
  readonly first: Timestamp;
  readonly last: Timestamp;
}

/** The recorded use of one key. */
interface KeyUsage {
  /** Oldest first; hours without a request are left out. */
  readonly hours: readonly UsageHour[];
  readonly lastUse: LastUse | null;
  /** Newest first. */
  readonly denials: readonly Denial[];
}

/** All requests of one key in one hour. */
interface HourOfKey {
  readonly keyId: number;
  readonly hour: Timestamp;
  readonly requests: number;
}

/** A visible key, and the moment since when its use is visible. */
export interface VisibleKey {
  readonly id: number;
  /**
   * Use up to this moment is hidden, as the key belonged to another dealer then. The hour of the change is hidden as a
   * whole. Empty, which sorts before every moment, for super-admins and keys that never moved.
   */
  readonly after: Timestamp | "";
}

/** The counted use of keys, limited to the visible ones. */
export interface UsageRepository {
  of(key: VisibleKey, window: UsageWindow): Promise<KeyUsage>;
  /** The existing and visible ones of these keys. */
  visibleKeys(visibility: Visibility, keyIds: readonly number[]): Promise<readonly VisibleKey[]>;
  /** Requests by key and hour. */
  byKey(keys: readonly VisibleKey[], window: UsageWindow): Promise<readonly HourOfKey[]>;
  /**
   * Requests by hour over all visible keys, oldest first, without empty hours. A dealer's totals include the use of
   * keys from before they left the dealer.
   */
  totals(visibility: Visibility, window: UsageWindow): Promise<readonly UsageHour[]>;
}

/** Uses of an old secret in its grace period. */
export interface OldSecretUse {
  readonly hash: string;
  /** The start of the day of the last use, in UTC, and the uses on that day. */
  readonly day: Timestamp;
  readonly uses: number;
  readonly at: Timestamp;
}

/** The use of one key since the previous batch. */
export interface UsageBatch {
  /** Consecutive for each writer, from 1. */
  readonly number: number;
  readonly hours: readonly (UsageHour & { readonly keyId: number })[];
  readonly uses: readonly (LastUse & { readonly keyId: number })[];
  readonly denials: readonly (Denial & { readonly keyId: number })[];
  /** At most one for each old secret. */
  readonly oldSecrets: readonly OldSecretUse[];
}

/** Stores counts. */
export interface UsageStore {
  /**
   * Adds a batch in one transaction, as a whole or not at all. A batch that is handed in again is not added twice.
   * Counts of removed keys are left out.
   */
  add(writer: string, batch: UsageBatch, now: Timestamp): Promise<void>;
  /** Deletes what is older than a moment. */
  removeBefore(moment: Timestamp): Promise<void>;
}
