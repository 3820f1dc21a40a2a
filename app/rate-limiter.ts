import type { Logger } from "pino";
import { type FallbackRateLimiter, openFallbackRateLimiter } from "../adapters/rate-limit/fallback.ts";
import { memoryRateLimiter } from "../adapters/rate-limit/memory.ts";
import { connectRedisRateLimiter } from "../adapters/rate-limit/redis.ts";
import type { Clock } from "../core/clock.ts";

/**
 * The rate limiter. Without a URL, it counts in this process alone. With a URL, it shares counts with other processes
 * while the store answers.
 */
export const openRateLimiter = async ({
  url,
  clock,
  windows,
  log,
}: {
  readonly url: string | null;
  readonly clock: Clock;
  /** Counts minutes in place of the shared store's own clock. */
  readonly windows?: Clock | undefined;
  readonly log: Logger;
}): Promise<FallbackRateLimiter> => {
  if (url === null) return { ...memoryRateLimiter(clock), isAlone: false, close() {} };
  return openFallbackRateLimiter({
    connect: () => connectRedisRateLimiter(url, clock, windows),
    clock,
    onPaused: () =>
      log.warn(
        "the store of RATE_LIMIT_URL pauses: this instance goes on from the counts it knows, and tells it what it admits meanwhile",
      ),
    onResumed: (pausedMs) =>
      log.info({ ms: Math.round(pausedMs) }, "the store of RATE_LIMIT_URL answers again after a pause"),
    onLost: (error) =>
      log.warn(
        { err: error },
        "the store of RATE_LIMIT_URL is out of reach, too slow or refuses the password: this instance counts requests alone, from the counts it knows, until it answers",
      ),
    onRegained: () => log.info("the store of RATE_LIMIT_URL answers: instances count requests together"),
  });
};
