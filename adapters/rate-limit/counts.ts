import { type Admission, judge, WINDOW_MS } from "../../core/access/rate-limits.ts";
import type { SteadyClock } from "../../core/clock.ts";

/** The counts of one subject: requests in the minute that began at `startMs`, and in the one before. */
export interface Count {
  startMs: number;
  current: number;
  previous: number;
  /** The minute's number in the shared store. */
  minute: number;
  /** Requests of either minute that were admitted here and not reported to the store yet. */
  unreported: number;
  unreportedBefore: number;
  /** The connection on which the store was last asked about the subject. */
  connection: number;
}

/** The store's counts of a subject just before a request: what `judge` judges by. */
export interface StoredCounts {
  readonly previous: number;
  readonly current: number;
  readonly elapsedMs: number;
  readonly minute: number;
}

/** The maximum number of subjects. */
export const CAPACITY = 100_000;

/**
 * The sliding windows of all subjects, in this process's memory. Bounded: when full, the subject that has been idle
 * longest makes room.
 */
export class WindowCounts {
  private readonly counts = new Map<string, Count>();
  /** The start and number of a minute in the shared store; without one, any will do. */
  private reference: Pick<Count, "startMs" | "minute"> = { startMs: 0, minute: 0 };

  constructor(
    private readonly clock: SteadyClock,
    private readonly capacity: number,
  ) {}

  /** The counts of a subject, as of now. */
  countOf(subject: string, connection = 0): Count {
    const now = this.clock.steadyMs();
    const known = this.counts.get(subject);
    if (known === undefined) return this.addSubject(subject, now, connection);
    const minutes = Math.floor((now - known.startMs) / WINDOW_MS);
    // If the clock is slightly behind, keep counting in the minute already reached; if further, start over.
    if (minutes === 0 || minutes === -1) return known;
    known.previous = minutes === 1 ? known.current : 0;
    known.unreportedBefore = minutes === 1 ? known.unreported : 0;
    known.current = 0;
    known.unreported = 0;
    known.startMs += minutes * WINDOW_MS;
    known.minute += minutes;
    // Move to the end of the map: the first entry has been idle longest.
    this.counts.delete(subject);
    this.counts.set(subject, known);
    return known;
  }

  /** Judges one request and, if admitted, counts it as `as`. */
  take(count: Count, limit: number, as: "current" | "unreported"): Admission {
    const previous = Math.max(0, count.previous + count.unreportedBefore);
    const current = Math.max(0, count.current + count.unreported);
    const elapsedMs = Math.max(0, this.clock.steadyMs() - count.startMs);
    const admission = judge({ previous, current, elapsedMs: Math.min(elapsedMs, WINDOW_MS) }, limit);
    if (admission.admitted) count[as]++;
    return admission;
  }

  /** Takes back one counted request, in this minute or the one before. */
  giveBack(count: Count): void {
    if (count.current > 0) count.current--;
    else if (count.previous > 0) count.previous--;
  }

  /** Adopts the store's counts, plus `admitted` requests. */
  adopt(count: Count, { previous, current, elapsedMs, minute }: StoredCounts, admitted: number): void {
    count.previous = previous;
    count.current = current + admitted;
    count.startMs = this.clock.steadyMs() - elapsedMs;
    count.minute = minute;
    this.reference = { startMs: count.startMs, minute };
  }

  /** The subjects with counts, or with admitted requests that were not reported to the store. */
  subjects(of: "counted" | "unreported"): string[] {
    const wanted = ({ unreported, unreportedBefore, current, previous }: Count): boolean =>
      unreported !== 0 || unreportedBefore !== 0 || (of === "counted" && (current !== 0 || previous !== 0));
    return [...this.counts].filter(([, count]) => wanted(count)).map(([name]) => name);
  }

  private addSubject(subject: string, now: number, connection: number): Count {
    const oldest = this.counts.size >= this.capacity ? this.counts.keys().next().value : undefined;
    if (oldest !== undefined) this.counts.delete(oldest);
    const minutes = Math.floor((now - this.reference.startMs) / WINDOW_MS);
    const startMs = this.reference.startMs + minutes * WINDOW_MS;
    const minute = this.reference.minute + minutes;
    const fresh = { startMs, minute, current: 0, previous: 0, unreported: 0, unreportedBefore: 0, connection };
    this.counts.set(subject, fresh);
    return fresh;
  }
}
