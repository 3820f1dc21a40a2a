import { type Admission, judge, WINDOW_MS } from "../../core/access/rate-limits.ts";
import type { SteadyClock } from "../../core/clock.ts";

/** The counts of one subject: requests in the minute that began at `startMs`, and in the minute before. */
export interface Count {
  startMs: number;
  current: number;
  previous: number;
  /** The number of the minute in the shared store. */
  minute: number;
  /** Requests of both minutes that were admitted here and have not been reported to the store yet. */
  unreported: number;
  unreportedBefore: number;
  /** The connection on which the store was last asked about the subject. */
  connection: number;
}

/** The store's counts of a subject just before a request. They are the input of `judge`. */
export interface StoredCounts {
  readonly previous: number;
  readonly current: number;
  readonly elapsedMs: number;
  readonly minute: number;
}

/** The maximum number of subjects that are counted. */
export const CAPACITY = 100_000;

/**
 * The sliding windows of all subjects, in the memory of this process. If there are too many subjects, the one that was
 * idle for longest is dropped.
 */
export class WindowCounts {
  private readonly counts = new Map<string, Count>();
  /** The start and number of a minute in the shared store. Without a store, any minute will do. */
  private reference: Pick<Count, "startMs" | "minute"> = { startMs: 0, minute: 0 };

  constructor(
    private readonly clock: SteadyClock,
    private readonly capacity: number,
  ) {}

  /** The present counts of a subject. */
  countOf(subject: string, connection = 0): Count {
    const now = this.clock.steadyMs();
    const known = this.counts.get(subject);
    if (known === undefined) return this.addSubject(subject, now, connection);
    const minutes = Math.floor((now - known.startMs) / WINDOW_MS);
    // If the clock is slightly behind, requests are counted in the minute that was already reached. If it is further
    // behind, counting starts over.
    if (minutes === 0 || minutes === -1) return known;
    known.previous = minutes === 1 ? known.current : 0;
    known.unreportedBefore = minutes === 1 ? known.unreported : 0;
    known.current = 0;
    known.unreported = 0;
    known.startMs += minutes * WINDOW_MS;
    known.minute += minutes;
    // The subject moves to the end of the map, so that the first entry is the one that was idle for longest.
    this.counts.delete(subject);
    this.counts.set(subject, known);
    return known;
  }

  /** Judges one request. If it is admitted, counts it as `as`. */
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

  /** Uses the store's counts from now on, plus `admitted` requests. */
  adopt(count: Count, { previous, current, elapsedMs, minute }: StoredCounts, admitted: number): void {
    count.previous = previous;
    count.current = current + admitted;
    count.startMs = this.clock.steadyMs() - elapsedMs;
    count.minute = minute;
    this.reference = { startMs: count.startMs, minute };
  }

  /** The subjects that have counts, or those with admitted requests that have not been reported to the store. */
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
