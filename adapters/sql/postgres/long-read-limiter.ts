import { type CurrentDeadline, DatabaseUnavailable, type Deadline, requestAbandoned } from "../query/database.ts";
import { FairQueue, matchesCaller } from "../query/fair-queue.ts";

/** A read that waits to start. */
interface QueuedRead {
  readonly askedBy: string;
  readonly queuedAt: number;
  readonly deadline: Deadline | undefined;
  readonly start: () => void;
  readonly reject: (error: Error) => void;
}

/** How many long reads run at once, how many of them for one caller, how many others wait, and how long in ms. */
interface LongReadLimits {
  readonly maxConcurrent: number;
  readonly maxPerCaller: number;
  readonly maxWaiting: number;
  readonly waitMs: number;
}

const WAITING_LIMITS = { maxWaiting: 1000, waitMs: 2000 } as const;
const TICK_MS = 50;

/** Long reads get half of the connections, and one caller half of these. */
export const longReadLimits = (connections: number): LongReadLimits => {
  const maxConcurrent = Math.max(1, Math.floor(connections / 2));
  return { maxConcurrent, maxPerCaller: Math.max(1, Math.floor(maxConcurrent / 2)), ...WAITING_LIMITS };
};

/**
 * Limits how many long reads run at once: they never use all connections, and one caller never uses all that long reads
 * may have. Further reads wait, fairly among callers (see FairQueue), and fail with DatabaseUnavailable after a while.
 */
export class LongReadLimiter {
  private readonly queue: FairQueue<QueuedRead>;
  private readonly runningByCaller = new Map<string, number>();
  private running = 0;
  private timer: Timer | null = null;

  constructor(
    private readonly limits: LongReadLimits,
    private readonly currentDeadline: CurrentDeadline,
  ) {
    this.queue = new FairQueue(limits.maxWaiting);
  }

  /** The number of waiting reads. */
  get waiting(): number {
    return this.queue.size;
  }

  /** Runs a read as soon as the limits allow it. */
  async run<Result>(read: () => Promise<Result>): Promise<Result> {
    const deadline = this.currentDeadline();
    const askedBy = deadline?.askedBy ?? "";
    const started = new Promise<void>((start, reject) => {
      const read = { askedBy, queuedAt: performance.now(), deadline, start, reject };
      this.queue.add(askedBy, read)?.reject(new DatabaseUnavailable("too many long reads wait already"));
    });
    this.dispatch();
    await started;
    try {
      return await read();
    } finally {
      this.running--;
      const others = (this.runningByCaller.get(askedBy) ?? 0) - 1;
      if (others > 0) this.runningByCaller.set(askedBy, others);
      else this.runningByCaller.delete(askedBy);
      this.dispatch();
    }
  }

  private runningOf(name: string): number {
    let count = 0;
    for (const [caller, running] of this.runningByCaller) if (matchesCaller(caller, name)) count += running;
    return count;
  }

  /** A caller or group at its limit counts as infinitely busy, so that the queue skips it. */
  private readonly loadOf = (name: string): number => {
    const count = this.runningOf(name);
    return count < this.limits.maxPerCaller ? count : Number.POSITIVE_INFINITY;
  };

  private dispatch(): void {
    while (this.running < this.limits.maxConcurrent) {
      const next = this.queue.take(this.loadOf);
      if (next === null) break;
      if (next.deadline?.isOver() === true) {
        next.reject(requestAbandoned());
        continue;
      }
      this.running++;
      this.runningByCaller.set(next.askedBy, (this.runningByCaller.get(next.askedBy) ?? 0) + 1);
      next.start();
    }
    if (this.queue.size > 0) this.timer ??= setInterval(() => this.checkLimits(performance.now()), TICK_MS).unref();
  }

  private checkLimits(now: number): void {
    for (const { reject } of this.queue.remove(({ deadline }) => deadline?.isOver() === true))
      reject(requestAbandoned());
    for (const { reject } of this.queue.remove(({ queuedAt }) => now - queuedAt >= this.limits.waitMs))
      reject(new DatabaseUnavailable("no turn came in time for a long read"));
    if (this.queue.size > 0 || this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
  }
}
