import { FAILED_AUTHENTICATIONS, type RateLimiter, WINDOW_MS } from "../../../core/access/rate-limits.ts";
import type { Clock } from "../../../core/clock.ts";
import { type ErrorCode, Problem } from "../protocol/problem.ts";

/** The endpoints that need no key, with the number of requests a minute that one address may make to each. */
const OPEN_LIMITS = {
  "sign-in": [FAILED_AUTHENTICATIONS, "locked_out"],
  "second-factor": [FAILED_AUTHENTICATIONS, "locked_out"],
  invitation: [60, "rate_limit_exceeded"],
  page: [600, "rate_limit_exceeded"],
  // The portal's first page loads some twenty parts, and everybody in an office may share an address.
  asset: [3000, "rate_limit_exceeded"],
  documentation: [600, "rate_limit_exceeded"],
} as const satisfies Record<string, readonly [perMinute: number, code: ErrorCode]>;
export type OpenLimit = keyof typeof OPEN_LIMITS;

/**
 * The maximum number of attempts over the limit that successful sign-ins allow their address, as many people may share
 * one address.
 */
const MAX_SUCCESSES = 90;
const MAX_ADDRESSES = 10_000;

const tooMany = (code: ErrorCode, retrySeconds: number): Problem =>
  new Problem(code, "Too many requests from this address; wait before you try again", {
    headers: { "retry-after": String(retrySeconds) },
  });

/** Limits requests without a key by the client's address, before anything else is done. */
export interface OpenLimits {
  /** Counts a request. Returns the answer if it is over the limit, or else `null`. */
  take(limit: OpenLimit, address: string): Promise<Problem | null>;
  /** Counts an attempt of a browser that has signed in before. It does not count for its address. */
  takeForDevice(limit: OpenLimit, id: string): Promise<Problem | null>;
  /** Records a success, so that the attempt does not count for the address. */
  recordSuccess(limit: OpenLimit, address: string): void;
}

/** Limits that use the service's rate limiter. Successes are known only to this process. */
export const openLimits = (limiter: RateLimiter, clock: Pick<Clock, "steadyMs">): OpenLimits => {
  const successes = new Map<string, { readonly sinceMs: number; count: number }>();

  const successesOf = (subject: string): number => {
    const known = successes.get(subject);
    return known === undefined || Math.abs(clock.steadyMs() - known.sinceMs) > 2 * WINDOW_MS ? 0 : known.count;
  };

  const take = async (subject: string, limit: OpenLimit): Promise<Problem | null> => {
    const [perMinute, code] = OPEN_LIMITS[limit];
    const { admitted, retrySeconds } = await limiter.take(subject, perMinute + successesOf(subject));
    return admitted ? null : tooMany(code, retrySeconds);
  };

  const subjectOf = (limit: OpenLimit, address: string): string => `open:${limit}:${address}`;

  return {
    take: (limit, address) => take(subjectOf(limit, address), limit),
    takeForDevice: (limit, id) => take(`device:${limit}:${id}`, limit),
    recordSuccess(limit, address) {
      const subject = subjectOf(limit, address);
      const known = successes.get(subject);
      if (known !== undefined && successesOf(subject) > 0) known.count = Math.min(known.count + 1, MAX_SUCCESSES);
      else {
        if (successes.size >= MAX_ADDRESSES) successes.clear();
        successes.set(subject, { sinceMs: clock.steadyMs(), count: 1 });
      }
    },
  };
};
