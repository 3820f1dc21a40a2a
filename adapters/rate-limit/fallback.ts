import type { RateLimiter } from "../../core/access/rate-limits.ts";
import type { SharedRateLimiter } from "./redis.ts";

const PROBE_MS = 250;

/** What a limiter with a fallback works with. */
export interface FallbackParts {
  /** Connects to the shared store; fails when it cannot be used. */
  readonly connect: () => Promise<SharedRateLimiter>;
  /** Counts while the shared store cannot. */
  readonly local: RateLimiter;
  /** Hears once that the store was lost, and why. */
  readonly onLost: (error: unknown) => void;
  /** Hears once that a lost store is used again. */
  readonly onRegained: () => void;
}

/** A limiter that never fails, and what ends it. */
export interface FallbackRateLimiter extends RateLimiter {
  close(): void;
}

/**
 * Limits in the shared store, and in this process alone while the store is out of reach or slow. Only the requests
 * that are under way when the store fails wait for it; the later ones are counted here at once, until a probe in the
 * background finds the store answering again. Resolves when the store was tried once, whatever the outcome.
 */
export const openFallbackRateLimiter = async ({
  connect,
  local,
  onLost,
  onRegained,
}: FallbackParts): Promise<FallbackRateLimiter> => {
  let shared: SharedRateLimiter | null = null;
  let lost = false;
  let closed = false;
  let timer: Timer | undefined;

  const lose = (error: unknown): void => {
    shared?.close();
    shared = null;
    if (!lost && !closed) onLost(error);
    lost = true;
    clearTimeout(timer);
    if (!closed) timer = setTimeout(() => void probe(), PROBE_MS);
  };

  const probe = async (): Promise<void> => {
    try {
      const found = await connect();
      if (closed) return found.close();
      shared = found;
    } catch (error) {
      return lose(error);
    }
    if (lost) onRegained();
    lost = false;
  };

  await probe();
  return {
    async take(subject, limit) {
      const used = shared;
      if (used === null) return local.take(subject, limit);
      try {
        return await used.take(subject, limit);
      } catch (error) {
        // Of the many requests that see a store fail the first one closes it; the others come too late to close the next.
        if (shared === used) lose(error);
        return local.take(subject, limit);
      }
    },
    close() {
      closed = true;
      clearTimeout(timer);
      shared?.close();
      shared = null;
    },
  };
};
