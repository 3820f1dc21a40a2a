import { type Admission, judge, WINDOW_MS } from "../../core/access/rate-limits.ts";
import type { SteadyClock } from "../../core/clock.ts";

/** What is known of one subject: requests counted in the minute that began at `startMs`, and in the one before. */
export interface Count {
  startMs: number;
  current: number;
  previous: number;
  /** The number that the shared store gives to the minute. */
  minute: number;
  /** What was admitted here, in either minute, that the store has not heard of yet. */
  owed: number;
  owedBefore: number;
  /** The connection over which the store was last asked about it. */
  connection: number;
}

/** How a store stood towards a subject just before a request: what `judge` is asked with. */
export interface Standing {
  readonly previous: number;
  readonly current: number;
  readonly elapsedMs: number;
  readonly minute: number;
}

/** Subjects remembered at most. */
export const CAPACITY = 100_000;

/**
 * The sliding windows of all subjects, in this process's memory. Bounded: when full, the subject that has been idle
 * longest makes room.
 */
export class WindowCounts {
  private readonly counts = new Map<string, Count>();
  /** When minutes begin and what their numbers are, as the shared store has them; any will do without one. */
  private reference: Pick<Count, "startMs" | "minute"> = { startMs: 0, minute: 0 };

  constructor(
    private readonly clock: SteadyClock,
    private readonly capacity: number,
  ) {}

  /** What is known of a subject, as of now. */
  at(subject: string, connection = 0): Count {
    const now = this.clock.steadyMs();
    const known = this.counts.get(subject);
    if (known === undefined) return this.added(subject, now, connection);
    const minutes = Math.floor((now - known.startMs) / WINDOW_MS);
    // A clock that is a moment behind goes on counting in the minute it had reached; further ahead nothing holds.
    if (minutes === 0 || minutes === -1) return known;
    known.previous = minutes === 1 ? known.current : 0;
    known.owedBefore = minutes === 1 ? known.owed : 0;
    known.current = 0;
    known.owed = 0;
    known.startMs += minutes * WINDOW_MS;
    known.minute += minutes;
    // To the end of the map: what stays in front has been idle longest.
    this.counts.delete(subject);
    this.counts.set(subject, known);
    return known;
  }

  /** Judges one request and, if it is admitted, counts it under `as`. */
  take(count: Count, limit: number, as: "current" | "owed"): Admission {
    const previous = Math.max(0, count.previous + count.owedBefore);
    const current = Math.max(0, count.current + count.owed);
    const elapsedMs = Math.max(0, this.clock.steadyMs() - count.startMs);
    const admission = judge(previous, current, Math.min(elapsedMs, WINDOW_MS), limit);
    if (admission.admitted) count[as]++;
    return admission;
  }

  /** Takes one back that was counted, in this minute or the one before. */
  giveBack(count: Count): void {
    if (count.current > 0) count.current--;
    else if (count.previous > 0) count.previous--;
  }

  /** Takes over what the store has counted, `admitted` requests more than it stood at. */
  adopt(count: Count, { previous, current, elapsedMs, minute }: Standing, admitted: number): void {
    count.previous = previous;
    count.current = current + admitted;
    count.startMs = this.clock.steadyMs() - elapsedMs;
    count.minute = minute;
    this.reference = { startMs: count.startMs, minute };
  }

  /** The subjects of which anything is counted, or was admitted here without the store's hearing of it. */
  subjects(of: "counted" | "owed"): string[] {
    const wanted = ({ owed, owedBefore, current, previous }: Count): boolean =>
      owed !== 0 || owedBefore !== 0 || (of === "counted" && (current !== 0 || previous !== 0));
    return [...this.counts].filter(([, count]) => wanted(count)).map(([name]) => name);
  }

  private added(subject: string, now: number, connection: number): Count {
    const oldest = this.counts.size >= this.capacity ? this.counts.keys().next().value : undefined;
    if (oldest !== undefined) this.counts.delete(oldest);
    const minutes = Math.floor((now - this.reference.startMs) / WINDOW_MS);
    const startMs = this.reference.startMs + minutes * WINDOW_MS;
    const minute = this.reference.minute + minutes;
    const fresh = { startMs, minute, current: 0, previous: 0, owed: 0, owedBefore: 0, connection };
    this.counts.set(subject, fresh);
    return fresh;
  }
}
