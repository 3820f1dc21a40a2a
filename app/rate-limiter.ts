import type { Logger } from "pino";
import { type FallbackRateLimiter, openFallbackRateLimiter } from "../adapters/rate-limit/fallback.ts";
import { memoryRateLimiter } from "../adapters/rate-limit/memory.ts";
import { connectRedisRateLimiter } from "../adapters/rate-limit/redis.ts";
import type { Clock } from "../core/clock.ts";

/** The limiter of this process alone; or, with an address, the one it shares with others, as long as that answers. */
export const openRateLimiter = async (url: string | null, clock: Clock, log: Logger): Promise<FallbackRateLimiter> => {
  const local = memoryRateLimiter(clock);
  if (url === null) return { ...local, close() {} };
  return openFallbackRateLimiter({
    connect: () => connectRedisRateLimiter(url),
    local,
    onLost: (error) =>
      log.warn(
        { err: error },
        "the store of RATE_LIMIT_URL is out of reach, too slow or refuses the password: this instance counts requests alone until it answers",
      ),
    onRegained: () => log.info("the store of RATE_LIMIT_URL answers: instances count requests together"),
  });
};
