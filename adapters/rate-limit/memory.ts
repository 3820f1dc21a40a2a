import type { RateLimiter } from "../../core/access/rate-limits.ts";
import type { SteadyClock } from "../../core/clock.ts";
import { CAPACITY, WindowCounts } from "./counts.ts";

/**
 * The sliding window in this process's memory, on a monotonic clock. Exact under concurrency, as counting is
 * synchronous. Bounded: when full, the subject that has been idle longest is dropped.
 */
export const memoryRateLimiter = (clock: SteadyClock, capacity = CAPACITY): RateLimiter => {
  const counts = new WindowCounts(clock, capacity);
  return {
    take: (subject, limit) => counts.take(counts.countOf(subject), limit, "current"),
    giveBack: (subject) => counts.giveBack(counts.countOf(subject)),
  };
};
