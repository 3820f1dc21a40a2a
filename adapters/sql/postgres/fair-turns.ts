import { type CurrentDeadline, DatabaseUnavailable, type Deadline, requestAbandoned } from "../query/database.ts";
import { FairQueue, matchesCaller, NO_CALLER } from "../query/fair-queue.ts";

/** Work that waits for its turn. */
interface QueuedRead {
  readonly caller: string;
  readonly queuedAt: number;
  readonly deadline: Deadline | undefined;
  readonly start: () => void;
  readonly reject: (error: Error) => void;
}

/** How much runs at once, how much of it for one caller, and how much else waits for how long in ms. */
interface TurnLimits {
  readonly maxConcurrent: number;
  readonly maxPerCaller: number;
  readonly maxWaiting: number;
  readonly waitMs: number;
}

const WAITING_LIMITS = { maxWaiting: 1000, waitMs: 2000 } as const;
const TICK_MS = 50;

const halfOf = (connections: number): number => Math.max(1, Math.floor(connections / 2));

/** Half of the connections are for long reads, and half of these for those of one caller. */
export const longReadLimits = (connections: number): TurnLimits => {
  const maxConcurrent = halfOf(connections);
  return { maxConcurrent, maxPerCaller: halfOf(maxConcurrent), ...WAITING_LIMITS };
};

/** Changes may take all connections, those of one caller half of them: each has a connection alone until it is made. */
export const changeLimits = (connections: number, waitMs: number): TurnLimits => ({
  ...{ maxConcurrent: connections, maxPerCaller: halfOf(connections) },
  ...{ maxWaiting: Number.POSITIVE_INFINITY, waitMs },
});

/**
 * Lets work in that has a connection alone, so that one caller's never has all that there are for such work. The rest
 * waits, fairly among callers (see FairQueue), and is refused with DatabaseUnavailable after a while.
 */
export class FairTurns {
  private readonly queue: FairQueue<QueuedRead>;
  /** The callers of the work that runs, each as often as it has some. */
  private readonly running: string[] = [];
  private timer: Timer | undefined;

  constructor(
    private readonly limits: TurnLimits,
    private readonly currentDeadline: CurrentDeadline,
  ) {
    this.queue = new FairQueue(limits.maxWaiting);
  }

  /** How much waits. */
  get waiting(): number {
    return this.queue.size;
  }

  /** Runs work when it is its turn. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const deadline = this.currentDeadline();
    const caller = deadline?.caller ?? NO_CALLER;
    const started = new Promise<void>((start, reject) => {
      const waiting = { caller, queuedAt: performance.now(), deadline, start, reject };
      this.queue
        .add(caller, waiting)
        ?.reject(new DatabaseUnavailable("too many wait already for a connection of their own"));
    });
    this.dispatch();
    await started;
    try {
      return await work();
    } finally {
      this.running.splice(this.running.indexOf(caller), 1);
      this.dispatch();
    }
  }

  /** A caller or group at its limit counts as infinitely busy, so that the queue skips it. */
  private readonly loadOf = (name: string): number => {
    const count = this.running.filter((caller) => matchesCaller(caller, name)).length;
    return name === NO_CALLER || count < this.limits.maxPerCaller ? count : Number.POSITIVE_INFINITY;
  };

  private dispatch(): void {
    while (this.running.length < this.limits.maxConcurrent) {
      const next = this.queue.take(this.loadOf);
      if (next === null) break;
      if (next.deadline?.isOver() === true) {
        next.reject(requestAbandoned());
        continue;
      }
      this.running.push(next.caller);
      next.start();
    }
    if (this.queue.size > 0) this.timer ??= setInterval(() => this.checkLimits(performance.now()), TICK_MS).unref();
  }

  private checkLimits(now: number): void {
    for (const { reject } of this.queue.remove(({ deadline }) => deadline?.isOver() === true))
      reject(requestAbandoned());
    for (const { reject } of this.queue.remove(({ queuedAt }) => now - queuedAt >= this.limits.waitMs))
      reject(new DatabaseUnavailable("no turn came in time to have a connection alone"));
    if (this.queue.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
