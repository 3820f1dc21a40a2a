import type { Timestamp } from "../clock.ts";
import type { Sight } from "./key-repository.ts";

/**
 * What became of a request of a key: answered as the service answers (`served`), refused for what the key may not do,
 * for its limit of requests, for a failure of the service, or because the key or its secret has ended (`unauthorized`).
 */
export const OUTCOMES = ["served", "denied", "limited", "failed", "unauthorized"] as const;
export type UsageOutcome = (typeof OUTCOMES)[number];

/** Requests by what became of them. */
export type UsageCounts = Readonly<Record<UsageOutcome, number>>;

/** Requests of one hour, which is named by the moment it began. */
export interface UsageHour extends UsageCounts {
  readonly hour: Timestamp;
}

/** When and from where a key was last used. */
export interface LastUse {
  readonly at: Timestamp;
  /** `null` for a use before addresses were noted. */
  readonly address: string | null;
  readonly user_agent: string | null;
}

/** A request that was refused, as far as it may be told: its route, never its path. */
export interface Denial {
  readonly at: Timestamp;
  readonly status: number;
  readonly code: string;
  readonly method: string;
  readonly route: string;
  readonly address: string;
}

/** How many denials are kept of each key: the latest. */
export const KEPT_DENIALS = 20;
/** How long counts and denials are kept. */
export const KEPT_DAYS = 90;

/** Where a key's requests come from is asked for once in this time, and holds for those in between:
 * reading a header costs as much as counting. */
export const HEARD_EVERY_MS = 1000;

/** Counts the requests of keys as they are answered; does no more than that at once. */
export interface UsageMeter {
  /** Counts one request. True when it would be told where it came from, which is asked for now and then only. */
  count(keyId: number, outcome: UsageOutcome): boolean;
  /** Where the request that was just counted came from. */
  hear(keyId: number, address: string, userAgent: string | null): void;
  deny(keyId: number, denial: Omit<Denial, "at">): void;
}

/** Whole hours, the first and the last included. */
export interface UsageWindow {
  readonly first: Timestamp;
  readonly last: Timestamp;
}

/** What is known of one key's use. */
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

/** A key that the caller was found to see, and from when on its use is told to them. */
export interface SeenKey {
  readonly id: number;
  /**
   * What was at this moment or before is not told: the key was bound to another dealer then. Of hours, the one in which
   * that changed is left out as well. The empty text, which is before all, for super-admins and keys that never moved.
   */
  readonly after: Timestamp | "";
}

/** The use of keys, as it was counted. What the sight hides is left out. */
export interface UsageRepository {
  of(key: SeenKey, window: UsageWindow): Promise<KeyUsage>;
  /** Those of these keys that are there and in sight. */
  among(sight: Sight, keyIds: readonly number[]): Promise<readonly SeenKey[]>;
  /** Requests by key and hour. */
  byKey(keys: readonly SeenKey[], window: UsageWindow): Promise<readonly HourOfKey[]>;
  /**
   * Requests by hour over all keys in sight, oldest first; hours without a request are left out. A dealer's totals keep
   * what keys that left it since were used for until then.
   */
  totals(sight: Sight, window: UsageWindow): Promise<readonly UsageHour[]>;
}

/** What one key was used for since the batch before. */
export interface UsageBatch {
  /** Of one writer, the first is 1 and each is one more than the one before. */
  readonly number: number;
  readonly hours: readonly (UsageHour & { readonly keyId: number })[];
  readonly uses: readonly (LastUse & { readonly keyId: number })[];
  readonly denials: readonly (Denial & { readonly keyId: number })[];
}

/** Where counts are kept. */
export interface UsageStore {
  /**
   * Adds a batch to what is there, in one transaction: all of it or nothing, and never twice, however often it is
   * handed in. What is about a key that has been removed is left out.
   */
  add(writer: string, batch: UsageBatch, now: Timestamp): Promise<void>;
  /** Removes what is older than a moment. */
  removeBefore(moment: Timestamp): Promise<void>;
}
