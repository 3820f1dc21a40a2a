import type { RateLimiter } from "../../core/access/rate-limits.ts";
import type { SteadyClock } from "../../core/clock.ts";
import { CAPACITY, WindowCounts } from "./counts.ts";

/**
 * The sliding window in the memory of this process, on a monotonic clock. It is exact even if requests are concurrent,
 * because counting is synchronous. If there are too many subjects, the one that was idle for longest is dropped.
 */
export const memoryRateLimiter = (clock: SteadyClock, capacity = CAPACITY): RateLimiter => {
  const counts = new WindowCounts(clock, capacity);
  return {
    take: (subject, limit) => counts.take(counts.countOf(subject), limit, "current"),
    giveBack: (subject) => counts.giveBack(counts.countOf(subject)),
  };
};
