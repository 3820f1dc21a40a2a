import type { AppType } from "../permissions.ts";

/** The limits in requests a minute, by app type (interface 10.1). A key's own `rate_limit` takes precedence. */
export const RATE_LIMITS: Readonly<Record<AppType, number>> = { web: 100, desktop: 300, mobile: 200 };

/** How many times its limit a public key may make requests from all client addresses together. */
export const PUBLIC_KEY_ADDRESSES = 10;

/** The number of failed authentications a minute for which an address gets 401. Further ones get 429. */
export const FAILED_AUTHENTICATIONS = 30;

/** The length of the window in milliseconds. */
export const WINDOW_MS = 60_000;

/** A limiter's answer to one request. */
export interface Admission {
  readonly admitted: boolean;
  /** The number of requests that are left now. */
  readonly remaining: number;
  /**
   * While requests remain, seconds until the current minute of the window ends. When none remains, seconds until one
   * more would be admitted: for a refused request the same as `retrySeconds`.
   */
  readonly resetSeconds: number;
  /** Seconds until a refused request would be admitted. 0 for an admitted request. */
  readonly retrySeconds: number;
}

/** Counts requests in a sliding window of a minute. */
export interface RateLimiter {
  /**
   * Counts one request of `subject` unless its limit is reached. Refused requests do not count. The count is exact even
   * if requests are concurrent.
   */
  take(subject: string, limit: number): Admission | Promise<Admission>;
  /** Takes back one request of `subject` that was just admitted, because it was then refused for another reason. */
  giveBack(subject: string): void;
}

/**
 * The numbers of admitted requests of a subject in this minute, which began `elapsedMs` ago, and in the minute before.
 */
interface WindowCount {
  readonly previous: number;
  readonly current: number;
  readonly elapsedMs: number;
}

/**
 * The rule of the sliding window: the requests of this minute, a share of the previous minute's and this request must
 * not exceed the limit together. The share is the part of the previous minute that the last 60 seconds still cover.
 */
export const judge = (count: WindowCount, limit: number): Admission => {
  const { previous, current, elapsedMs } = count;
  const carried = (previous * (WINDOW_MS - elapsedMs)) / WINDOW_MS;
  const free = Math.floor(limit - carried - current);
  if (free < 1) {
    const retrySeconds = waitSeconds(count, limit);
    return { admitted: false, remaining: 0, resetSeconds: retrySeconds, retrySeconds };
  }
  const resetSeconds =
    free >= 2
      ? Math.max(1, Math.ceil((WINDOW_MS - elapsedMs) / 1000))
      : waitSeconds({ previous, current: current + 1, elapsedMs }, limit);
  return { admitted: true, remaining: free - 1, resetSeconds, retrySeconds: 0 };
};

/** Whole seconds until one more request is admitted. */
const waitSeconds = (count: WindowCount, limit: number): number => Math.max(1, Math.ceil(waitMs(count, limit) / 1000));

/** Milliseconds until one more request is admitted if none comes before. The limit must be used up. */
const waitMs = ({ previous, current, elapsedMs }: WindowCount, limit: number): number => {
  const untilNextMinute = WINDOW_MS - elapsedMs;
  // The previous minute had requests, because its share has used up the limit.
  if (current < limit) return untilNextMinute - ((limit - 1 - current) * WINDOW_MS) / previous;
  return untilNextMinute + Math.max(0, WINDOW_MS - ((limit - 1) * WINDOW_MS) / Math.max(1, current));
};
