import { availableParallelism } from "node:os";
import {
  type CurrentDeadline,
  DatabaseUnavailable,
  type Deadline,
  requestAbandoned,
  type Sql,
  type Values,
} from "../query/database.ts";
import { FairLine, isOf } from "../query/fair-line.ts";
import type { Statement } from "../query/statement.ts";
import { type Asked, ReadingThread } from "./reading-thread.ts";

/** A read that waits, or is under way. */
interface Read extends Asked {
  readonly since: number;
  readonly deadline: Deadline | undefined;
  readonly askedBy: string;
}

type Thread = ReadingThread<Read>;

/** How many reads run at once, how many of these for one caller, how many wait and for how long, and when a thread counts as hung; times in ms. */
interface AsideLimits {
  readonly atOnce: number;
  readonly ofOneCaller: number;
  readonly waiting: number;
  readonly waitMs: number;
  readonly hungMs: number;
}

const PROCESSORS = availableParallelism();
const LIMITS: AsideLimits = {
  ...{ atOnce: PROCESSORS, ofOneCaller: Math.max(1, Math.floor(PROCESSORS / 2)) },
  ...{ waiting: 1000, waitMs: 2000, hungMs: 30_000 },
};
const TICK_MS = 50;

const isAbandoned = ({ deadline }: Read): boolean => deadline?.isOver() === true;

/**
 * Long reads of a database file, on threads with connections of their own, so that none of them holds the event loop.
 * Threads are started when they are needed; one caller's reads never have more than half of them, as none can be
 * interrupted. The others wait, fairly among callers (see FairLine), and are refused with
 * DatabaseUnavailable after a while. A read for which nobody waits any more is never begun. One that is under way is
 * finished, as SQLite has no way here to be interrupted: its request is answered at its deadline all the same, and the
 * thread stays taken until it is done, so that there are never more at work than processors. Only a thread that is
 * overdue by far is replaced, and it counts until its read is done: with these there are at most twice as many.
 */
export class AsideReads implements Sql {
  private readonly line: FairLine<Read>;
  private readonly threads = new Set<Thread>();
  /** Those that answer no more and have not ended. */
  private readonly leaving = new Set<Thread>();
  private readonly limits: AsideLimits;
  private timer: Timer | null = null;
  private isClosed = false;

  constructor(
    private readonly file: string,
    private readonly current: CurrentDeadline,
    limits: Partial<AsideLimits> = {},
  ) {
    this.limits = { ...LIMITS, ...limits };
    this.line = new FairLine(this.limits.waiting);
  }

  /** How many reads are under way, how many threads are idle, and how many reads wait. */
  get counts(): { readonly used: number; readonly idle: number; readonly waiting: number } {
    const used = [...this.threads].filter(({ question }) => question !== null).length;
    return { used, idle: this.threads.size - used, waiting: this.line.size };
  }

  all<Row>(statement: Statement<Row>, values: Values): Promise<readonly Row[]> {
    const deadline = this.current();
    const question = { text: statement.text, values: statement.bind(values) };
    return new Promise((resolve, reject) => {
      if (this.isClosed) return reject(new DatabaseUnavailable("SQLite: the database is closed"));
      const read: Read = {
        ...question,
        since: performance.now(),
        deadline,
        askedBy: deadline?.askedBy ?? "",
        resolve: resolve as Asked["resolve"],
        reject,
      };
      this.line.add(read.askedBy, read)?.reject(new DatabaseUnavailable("SQLite: too many long reads wait already"));
      this.goOn();
    });
  }

  /** Refuses what waits, and ends the threads. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const read of this.line.remove(() => true))
      read.reject(new DatabaseUnavailable("SQLite: the database closes"));
    await Promise.all([...this.threads].map((thread) => thread.end()));
    this.stopTimer();
  }

  /** Gives waiting reads to free threads. */
  private goOn(): void {
    while (this.line.size > 0) {
      const thread = this.free();
      if (thread === null) break;
      const read = this.line.take(this.claim);
      if (read === null) break;
      if (isAbandoned(read)) read.reject(requestAbandoned());
      else thread.ask(read);
    }
    this.timer ??= setInterval(() => this.checkLimits(performance.now()), TICK_MS).unref();
  }

  /** A thread with nothing to do, a new one if need be; `null` if all are at work, or too many were given up. */
  private free(): Thread | null {
    for (const thread of this.threads) if (thread.question === null) return thread;
    const { atOnce } = this.limits;
    if (this.threads.size >= atOnce || this.threads.size + this.leaving.size >= 2 * atOnce || this.isClosed)
      return null;
    const thread: Thread = new ReadingThread(
      { file: this.file },
      {
        freed: () => this.goOn(),
        left: () => {
          if (!this.threads.delete(thread)) return;
          this.leaving.add(thread);
          this.goOn();
        },
        ended: () => {
          if (this.leaving.delete(thread)) this.goOn();
        },
      },
    );
    this.threads.add(thread);
    return thread;
  }

  /** How many a caller or a group has under way; whoever has as many as one may have is passed over. */
  private readonly claim = (name: string): number => {
    let count = 0;
    for (const { question } of this.threads) if (question !== null && isOf(question.askedBy, name)) count++;
    return count < this.limits.ofOneCaller ? count : Number.POSITIVE_INFINITY;
  };

  private checkLimits(now: number): void {
    const { waitMs, hungMs } = this.limits;
    for (const read of this.line.remove(isAbandoned)) read.reject(requestAbandoned());
    for (const read of this.line.remove(({ since }) => now - since >= waitMs))
      read.reject(new DatabaseUnavailable("SQLite: no thread came free in time for a long read"));
    let isQuiet = this.line.size === 0;
    for (const thread of [...this.threads]) {
      if (thread.question === null) continue;
      isQuiet = false;
      const { deadline } = thread.question;
      if (now - thread.since >= hungMs && (deadline === undefined || deadline.isOver())) thread.abandon();
    }
    if (isQuiet) this.stopTimer();
  }

  private stopTimer(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
  }
}
