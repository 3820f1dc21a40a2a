import { availableParallelism } from "node:os";
import {
  type CurrentDeadline,
  DatabaseUnavailable,
  type Deadline,
  requestAbandoned,
  type Sql,
  type Values,
} from "../query/database.ts";
import { FairQueue, matchesCaller, NO_CALLER } from "../query/fair-queue.ts";
import type { Statement } from "../query/statement.ts";
import { type PendingRead, ReadingThread } from "./reading-thread.ts";

/** A read that waits or runs. */
interface QueuedRead extends PendingRead {
  readonly queuedAt: number;
  readonly deadline: Deadline | undefined;
  readonly caller: string;
}

type Thread = ReadingThread<QueuedRead>;

/**
 * How many reads run at once, how many of these for one caller, how many wait and for how long, and when a thread
 * counts as hung; times in ms.
 */
interface ReadingThreadLimits {
  readonly maxConcurrent: number;
  readonly maxPerCaller: number;
  readonly maxWaiting: number;
  readonly waitMs: number;
  readonly hungMs: number;
}

const PROCESSORS = availableParallelism();
const LIMITS: ReadingThreadLimits = {
  ...{ maxConcurrent: PROCESSORS, maxPerCaller: Math.max(1, Math.floor(PROCESSORS / 2)) },
  ...{ maxWaiting: 1000, waitMs: 2000, hungMs: 30_000 },
};
const TICK_MS = 50;

const isAbandoned = ({ deadline }: QueuedRead): boolean => deadline?.isOver() === true;

/**
 * Long reads of a database file, on threads with connections of their own, so that none of them holds the event loop.
 * Threads are started when they are needed; one caller's reads never have more than half of them, as none can be
 * interrupted. The others wait, fairly among callers (see FairQueue), and are refused with DatabaseUnavailable after a
 * while. A read for which nobody waits any more is never begun. One that is under way is
 * finished, as SQLite has no way here to be interrupted: its request is answered at its deadline all the same, and the
 * thread stays taken until it is done, so that there are never more at work than processors. Only a thread that is
 * overdue by far is replaced, and it counts until its read is done: with these there are at most twice as many.
 */
export class ReadingThreads implements Sql {
  private readonly queue: FairQueue<QueuedRead>;
  private readonly threads = new Set<Thread>();
  /** Threads that take no more reads and have not exited yet. */
  private readonly retiring = new Set<Thread>();
  private readonly limits: ReadingThreadLimits;
  private timer: Timer | undefined;
  private isClosed = false;

  constructor(
    private readonly file: string,
    private readonly currentDeadline: CurrentDeadline,
    limits: Partial<ReadingThreadLimits> = {},
  ) {
    this.limits = { ...LIMITS, ...limits };
    this.queue = new FairQueue(this.limits.maxWaiting);
  }

  /** The numbers of running reads, idle threads and waiting reads. */
  get counts(): { readonly used: number; readonly idle: number; readonly waiting: number } {
    const used = [...this.threads].filter(({ currentRead }) => currentRead !== null).length;
    return { used, idle: this.threads.size - used, waiting: this.queue.size };
  }

  all<Row>(statement: Statement<Row>, values: Values): Promise<readonly Row[]> {
    const deadline = this.currentDeadline();
    const request = { text: statement.text, values: statement.bind(values) };
    return new Promise((resolve, reject) => {
      if (this.isClosed) return reject(new DatabaseUnavailable("SQLite: the database is closed"));
      const read: QueuedRead = {
        ...request,
        queuedAt: performance.now(),
        deadline,
        caller: deadline?.caller ?? NO_CALLER,
        resolve: resolve as PendingRead["resolve"],
        reject,
      };
      this.queue.add(read.caller, read)?.reject(new DatabaseUnavailable("SQLite: too many long reads wait already"));
      this.dispatch();
    });
  }

  /** Rejects waiting reads, and ends the threads. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const read of this.queue.remove(() => true))
      read.reject(new DatabaseUnavailable("SQLite: the database closes"));
    await Promise.all([...this.threads].map((thread) => thread.end()));
    this.stopTimer();
  }

  /** Gives waiting reads to idle threads. */
  private dispatch(): void {
    while (this.queue.size > 0) {
      const thread = this.idleThread();
      if (thread === null) break;
      const read = this.queue.take(this.loadOf);
      if (read === null) break;
      if (isAbandoned(read)) read.reject(requestAbandoned());
      else thread.start(read);
    }
    this.timer ??= setInterval(() => this.checkLimits(performance.now()), TICK_MS).unref();
  }

  /** An idle thread, or a new one; `null` if all are busy, or if too many abandoned ones still run. */
  private idleThread(): Thread | null {
    for (const thread of this.threads) if (thread.currentRead === null) return thread;
    const { maxConcurrent } = this.limits;
    if (this.threads.size >= maxConcurrent || this.threads.size + this.retiring.size >= 2 * maxConcurrent) return null;
    const thread: Thread = new ReadingThread(
      { file: this.file },
      {
        onIdle: () => this.dispatch(),
        onRetired: () => {
          this.threads.delete(thread);
          this.retiring.add(thread);
          this.dispatch();
        },
        onExit: () => {
          this.retiring.delete(thread);
          this.dispatch();
        },
      },
    );
    this.threads.add(thread);
    return thread;
  }

  /** How many a caller or a group has under way; whoever has as many as one may have is passed over. */
  private readonly loadOf = (name: string): number => {
    let count = 0;
    for (const { currentRead } of this.threads)
      if (currentRead !== null && matchesCaller(currentRead.caller, name)) count++;
    return name === NO_CALLER || count < this.limits.maxPerCaller ? count : Number.POSITIVE_INFINITY;
  };

  private checkLimits(now: number): void {
    const { waitMs, hungMs } = this.limits;
    for (const read of this.queue.remove(isAbandoned)) read.reject(requestAbandoned());
    for (const read of this.queue.remove(({ queuedAt }) => now - queuedAt >= waitMs))
      read.reject(new DatabaseUnavailable("SQLite: no thread came free in time for a long read"));
    let isIdle = this.queue.size === 0;
    for (const thread of [...this.threads]) {
      if (thread.currentRead === null) continue;
      isIdle = false;
      const { deadline } = thread.currentRead;
      if (now - thread.startedAt >= hungMs && (deadline === undefined || deadline.isOver())) thread.abandon();
    }
    if (isIdle) this.stopTimer();
  }

  private stopTimer(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
