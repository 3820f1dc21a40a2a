import type { RateLimiter } from "../../core/access/rate-limits.ts";
import type { SteadyClock } from "../../core/clock.ts";
import { CAPACITY, WindowCounts } from "./counts.ts";

/**
 * The sliding window in this process's memory, by a clock that nobody sets. Exact under concurrency, as counting never
 * waits. Bounded: when full, the subject that has been idle longest makes room.
 */
export const memoryRateLimiter = (clock: SteadyClock, capacity = CAPACITY): RateLimiter => {
  const counts = new WindowCounts(clock, capacity);
  return {
    take: (subject, limit) => counts.take(counts.at(subject), limit, "current"),
    giveBack: (subject) => counts.giveBack(counts.at(subject)),
  };
};
