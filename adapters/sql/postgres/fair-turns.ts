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

/**
 * How many pieces of work may run at the same time, how many of these for one caller, how many more may wait, and for
 * how many milliseconds.
 */
interface TurnLimits {
  readonly maxConcurrent: number;
  readonly maxPerCaller: number;
  readonly maxWaiting: number;
  readonly waitMs: number;
  /** How long work waits as long as other work ends meanwhile; `waitMs` if it is left out. */
  readonly longestMs?: number;
}

const WAITING_LIMITS = { maxWaiting: 1000, waitMs: 2000 } as const;
const TICK_MS = 50;

const halfOf = (connections: number): number => Math.max(1, Math.floor(connections / 2));

/** Long reads may use half of the connections, and one caller's long reads half of these. */
export const longReadLimits = (connections: number): TurnLimits => {
  const maxConcurrent = halfOf(connections);
  return { maxConcurrent, maxPerCaller: halfOf(maxConcurrent), ...WAITING_LIMITS };
};

/** As long as changes get on, one waits so many times longer. */
const PATIENCE = 10;

/**
 * Changes may use all connections, and one caller's changes half of them. A change does not share its connection.
 * Changes of one dealer run one after another, as each counts its vehicles: on a busy machine many of them wait long,
 * though the database answers.
 */
export const changeLimits = (connections: number, waitMs: number): TurnLimits => ({
  ...{ maxConcurrent: connections, maxPerCaller: halfOf(connections) },
  ...{ maxWaiting: Number.POSITIVE_INFINITY, waitMs, longestMs: waitMs * PATIENCE },
});

/**
 * Limits work that does not share its connection, so that one caller's work never takes all connections that such work
 * may use. Other work waits, fairly among callers (see FairQueue), and fails with DatabaseUnavailable if it waits too
 * long.
 */
export class FairTurns {
  private readonly queue: FairQueue<QueuedRead>;
  /** The callers of the work that runs, each as often as it has some. */
  private readonly running: string[] = [];
  private timer: Timer | undefined;
  /** When the last work ended. */
  private endedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly limits: TurnLimits,
    private readonly currentDeadline: CurrentDeadline,
  ) {
    this.queue = new FairQueue(limits.maxWaiting);
  }

  /** The number of pieces of work that are waiting. */
  get waiting(): number {
    return this.queue.size;
  }

  /** Runs work when its turn comes. */
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
      this.endedAt = performance.now();
      this.dispatch();
    }
  }

  /** A caller or group that has reached its limit counts as infinitely busy, so that the queue skips it. */
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
    const { waitMs, longestMs = waitMs } = this.limits;
    const isRefused = ({ queuedAt }: QueuedRead): boolean =>
      now - queuedAt >= longestMs || now - Math.max(queuedAt, this.endedAt) >= waitMs;
    for (const { reject } of this.queue.remove(isRefused))
      reject(new DatabaseUnavailable("no turn came in time to have a connection alone"));
    if (this.queue.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
