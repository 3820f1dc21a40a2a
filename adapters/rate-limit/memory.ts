import { type Admission, judge, type RateLimiter, WINDOW_MS } from "../../core/access/rate-limits.ts";
import type { Clock } from "../../core/clock.ts";

/** Requests of one subject: in the minute it was last seen, and in the one before. */
interface Count {
  minute: number;
  current: number;
  previous: number;
}

const CAPACITY = 100_000;

/**
 * The sliding window in this process's memory. Exact under concurrency, as counting never waits. Bounded: when full,
 * the subject that was first seen longest ago makes room.
 */
export const memoryRateLimiter = (clock: Pick<Clock, "nowMs">, capacity = CAPACITY): RateLimiter => {
  const counts = new Map<string, Count>();

  const countOf = (subject: string, minute: number): Count => {
    const known = counts.get(subject);
    if (known === undefined) {
      const oldest = counts.size >= capacity ? counts.keys().next().value : undefined;
      if (oldest !== undefined) counts.delete(oldest);
      const fresh = { minute, current: 0, previous: 0 };
      counts.set(subject, fresh);
      return fresh;
    }
    // A clock that was set back goes on counting in the minute it had reached.
    if (minute > known.minute) {
      known.previous = minute === known.minute + 1 ? known.current : 0;
      known.current = 0;
      known.minute = minute;
      // To the end of the map: what stays in front has been idle longest.
      counts.delete(subject);
      counts.set(subject, known);
    }
    return known;
  };

  return {
    take(subject, limit): Admission {
      const now = clock.nowMs();
      const minute = Math.floor(now / WINDOW_MS);
      const count = countOf(subject, minute);
      const admission = judge(count.previous, count.current, Math.max(0, now - count.minute * WINDOW_MS), limit);
      if (admission.admitted) count.current++;
      return admission;
    },
  };
};
