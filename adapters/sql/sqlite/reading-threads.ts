import { availableParallelism } from "node:os";
import {
  type CurrentDeadline,
  DatabaseUnavailable,
  type Deadline,
  requestAbandoned,
  type Sql,
} from "../query/database.ts";
import { FairQueue, matchesCaller, NO_CALLER } from "../query/fair-queue.ts";
import type { Statement, Values } from "../query/statement.ts";
import { type PendingRead, ReadingThread } from "./reading-thread.ts";

/** A read that is waiting or running. */
interface QueuedRead extends PendingRead {
  readonly queuedAt: number;
  readonly deadline: Deadline | undefined;
  readonly caller: string;
}

type Thread = ReadingThread<QueuedRead>;

/**
 * How many reads run at the same time, how many of these for one caller, how many reads wait and for how long, when a
 * thread counts as hung, and how long threads are kept after the last read. Times are in milliseconds.
 */
interface ReadingThreadLimits {
  readonly maxConcurrent: number;
  readonly maxPerCaller: number;
  readonly maxWaiting: number;
  readonly waitMs: number;
  readonly hungMs: number;
  readonly keptMs: number;
}

const PROCESSORS = availableParallelism();
const LIMITS: ReadingThreadLimits = {
  ...{ maxConcurrent: PROCESSORS, maxPerCaller: Math.max(1, Math.floor(PROCESSORS / 2)) },
  ...{ maxWaiting: 1000, waitMs: 2000, hungMs: 30_000, keptMs: 60_000 },
};
const TICK_MS = 50;

const isAbandoned = ({ deadline }: QueuedRead): boolean => deadline?.isOver() === true;

/**
 * Runs long reads of a database file on threads with their own connections, so that none of them blocks the event loop.
 *
 * Threads are started when they are needed. Each takes up some 13 MB, so they end after a minute without reads. As no
 * read can be interrupted, one caller's reads may use only half of the threads. Other reads wait, fairly among callers
 * (see FairQueue), and fail with DatabaseUnavailable if they wait too long. A read for which nobody waits any more is
 * never begun.
 *
 * A read that is running is finished, as SQLite cannot be interrupted here. Its request is nevertheless answered at its
 * deadline. The thread stays occupied until the read ends, so that there are never more busy threads than processors.
 * Only a thread that takes much too long is replaced. It still counts until its read ends: including such threads,
 * there are at most twice as many as processors.
 */
export class ReadingThreads implements Sql {
  private readonly queue: FairQueue<QueuedRead>;
  private readonly threads = new Set<Thread>();
  /** Threads that take no more reads, but have not exited yet. */
  private readonly retiring = new Set<Thread>();
  private readonly limits: ReadingThreadLimits;
  private timer: Timer | undefined;
  private endTimer: Timer | undefined;
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
    clearTimeout(this.endTimer);
  }

  /** Gives waiting reads to idle threads. */
  private dispatch(): void {
    clearTimeout(this.endTimer);
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

  /** An idle thread, or a new one. `null` if all threads are busy, or if too many abandoned ones are still running. */
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

  /**
   * The number of running reads of a caller or a group. If it has reached the limit, the result is infinity, so that
   * the queue skips it.
   */
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
    if (!isIdle) return;
    this.stopTimer();
    this.endTimer = setTimeout(() => this.endIdle(), this.limits.keptMs).unref();
  }

  /** Ends the threads. None has a read by then, as each that comes stops the timer. They take no more reads. */
  private endIdle(): void {
    for (const thread of [...this.threads]) {
      this.threads.delete(thread);
      this.retiring.add(thread);
      void thread.end();
    }
  }

  private stopTimer(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
