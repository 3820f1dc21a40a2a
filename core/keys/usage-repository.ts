import type { Visibility } from "../access/visibility.ts";
import type { Timestamp } from "../clock.ts";

/**
 * The outcome of a request with a key: `served`, `denied` by a rule, `limited` by the rate limit, `failed` in the
 * service, or `unauthorized` because the key or its secret has ended.
 */
export const OUTCOMES = ["served", "denied", "limited", "failed", "unauthorized"] as const;
export type UsageOutcome = (typeof OUTCOMES)[number];

/** Numbers of requests by outcome. */
export type UsageCounts = Readonly<Record<UsageOutcome, number>>;

/** The requests of one hour, which is named by its start. */
export interface UsageHour extends UsageCounts {
  readonly hour: Timestamp;
}

/** When and from which address a key was last used. */
export interface LastUse {
  readonly at: Timestamp;
  /** `null` for a use before addresses were recorded. */
  readonly address: string | null;
  readonly user_agent: string | null;
}

/** A refused request. It has the route, never the path. */
export interface Denial {
  readonly at: Timestamp;
  readonly status: number;
  readonly code: string;
  readonly method: string;
  readonly route: string;
  readonly address: string;
}

/** The number of denials that are kept for each key, the latest ones. */
export const MAX_STORED_DENIALS = 20;
/** How long counts and denials are kept. */
export const RETENTION_DAYS = 90;

/** A client is recorded only once in this time, because reading its headers costs as much as counting. */
export const CLIENT_RECORDED_EVERY_MS = 1000;

/** Counts the requests of keys in memory when they are answered. */
export interface UsageMeter {
  /**
   * Counts one request. Returns true if the client should be recorded too, which is only the case from time to time.
   */
  count(keyId: number, outcome: UsageOutcome): boolean;
  /** Records the client of the request that was just counted. */
  recordClient(keyId: number, address: string, userAgent: string | null): void;
  /** Counts one use of the old secret that has this hash. */
  countOldSecret(hash: string): void;
  deny(keyId: number, denial: Omit<Denial, "at">): void;
}

/** A range of whole hours, including the first and the last. */
export interface UsageWindow {
  readonly first: Timestamp;
  readonly last: Timestamp;
}

/** The recorded use of one key. */
interface KeyUsage {
  /** Oldest first. Hours without requests are left out. */
  readonly hours: readonly UsageHour[];
  readonly lastUse: LastUse | null;
  /** Newest first. */
  readonly denials: readonly Denial[];
}

/** The number of requests of one key in one hour, and how many of them were refused. */
interface HourOfKey {
  readonly keyId: number;
  readonly hour: Timestamp;
  readonly requests: number;
  readonly refused: number;
}

/** The requests of one key in a window. */
interface CountsOfKey extends UsageCounts {
  readonly keyId: number;
}

/** A key that the caller sees, and the time from which on its usage may be shown. */
export interface VisibleKey {
  readonly id: number;
  /**
   * Usage up to this time is hidden, because the key belonged to another dealer then. The whole hour of the change is
   * hidden. Empty for super-admins and for keys that never moved, as the empty text sorts before every time.
   */
  readonly after: Timestamp | "";
}

/** The usage of keys, limited to the keys that the caller sees. */
export interface UsageRepository {
  of(key: VisibleKey, window: UsageWindow): Promise<KeyUsage>;
  /** Those of these keys that exist and are visible. */
  visibleKeys(visibility: Visibility, keyIds: readonly number[]): Promise<readonly VisibleKey[]>;
  /** Requests by key and hour. */
  byKey(keys: readonly VisibleKey[], window: UsageWindow): Promise<readonly HourOfKey[]>;
  /** Requests by key, without keys that had none. */
  sums(keys: readonly VisibleKey[], window: UsageWindow): Promise<readonly CountsOfKey[]>;
  /**
   * The requests by hour over all visible keys, oldest first, without empty hours. The totals of a dealer include the
   * usage of keys before they left the dealer.
   */
  totals(visibility: Visibility, window: UsageWindow): Promise<readonly UsageHour[]>;
}

/** Uses of an old secret during its grace period. */
export interface OldSecretUse {
  readonly hash: string;
  /** The start of the day of the last use, in UTC. `uses` counts the uses on that day. */
  readonly day: Timestamp;
  readonly uses: number;
  readonly at: Timestamp;
}

/** The usage of keys since the previous batch. */
export interface UsageBatch {
  /** Each writer numbers its batches from 1 without gaps. */
  readonly number: number;
  readonly hours: readonly (UsageHour & { readonly keyId: number })[];
  readonly uses: readonly (LastUse & { readonly keyId: number })[];
  readonly denials: readonly (Denial & { readonly keyId: number })[];
  /** At most one for each old secret. */
  readonly oldSecrets: readonly OldSecretUse[];
}

/** Stores the usage of keys. */
export interface UsageStore {
  /**
   * Adds a batch in one transaction, as a whole or not at all. A batch that is passed twice is added only once. Counts
   * of removed keys are left out.
   */
  add(writer: string, batch: UsageBatch, now: Timestamp): Promise<void>;
  /** Deletes everything older than this time. */
  removeBefore(moment: Timestamp): Promise<void>;
}
