import type BetterSqlite3 from "better-sqlite3";
import {
  type CurrentDeadline,
  DatabaseUnavailable,
  type Deadline,
  NO_DEADLINE,
  requestAbandoned,
  type Sql,
} from "../query/database.ts";
import { FairQueue, NO_CALLER } from "../query/fair-queue.ts";
import { sqliteError } from "./errors.ts";

interface QueuedWrite {
  /** When it stops waiting for a lock, as a `performance.now()` value. */
  readonly lockDeadlineMs: number;
  readonly since: number;
  readonly deadline: Deadline | undefined;
  readonly run: (sql: Sql) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** A write of the group that is running, and how it went so far. */
interface GroupedWrite {
  readonly job: QueuedWrite;
  outcome: Outcome;
}
const NOT_RUN: Outcome = { value: undefined };

const GROUP_SIZE = 128;
/** A group begins no further write after this time: all else that the service does waits for the group. */
const GROUP_MS = 20;
/** How long a write waits for another process's lock, counted from its arrival. */
const LOCK_TIMEOUT_MS = 5000;
const BUSY_PAUSE_MS = 5;
/** Checking whether a client is still connected is not free: check only those that waited this long. */
const ABANDON_CHECK_MS = 50;
/** One write is under way at a time. */
const NOBODY_AT_WORK = (): number => 0;

const STEPS = {
  begin: "BEGIN IMMEDIATE",
  guard: "SAVEPOINT job",
  undo: "ROLLBACK TO job",
  keep: "RELEASE job",
  commit: "COMMIT",
  rollback: "ROLLBACK",
} as const;
type Step = keyof typeof STEPS;

/** What a queue writes to, and how long a write may wait there. */
interface WriteQueueOptions {
  readonly connection: BetterSqlite3.Database;
  readonly sql: Sql;
  /** Called between a commit and its acknowledgement; its error replaces the acknowledgement. */
  readonly onCommitted: () => void;
  /** Called between two groups: what the next one waits for; `null` for nothing. */
  readonly beforeNextGroup?: () => Promise<void> | null;
  readonly lockTimeoutMs?: number;
  readonly currentDeadline?: CurrentDeadline;
  readonly nowMs?: () => number;
}

/**
 * Group commit: writes that arrive during a flush to disk run one after the other in the next transaction and become
 * durable together. Each has its own savepoint, so that a failure undoes only that write. None is acknowledged before
 * the flush. Callers take turns (see FairQueue), so that nobody waits for all that another asked for; each one's writes
 * run in the order of arrival. Of many slow ones some are left to the next group, so that reads come between.
 */
export class WriteQueue {
  /** The group that is running; `null` if none is. */
  running: Promise<void> | null = null;
  private working: Promise<void> | null = null;
  private readonly waiting = new FairQueue<QueuedWrite>(Number.POSITIVE_INFINITY);
  private readonly connection: BetterSqlite3.Database;
  private readonly sql: Sql;
  private readonly onCommitted: () => void;
  private readonly beforeNextGroup: () => Promise<void> | null;
  private readonly lockTimeoutMs: number;
  private readonly currentDeadline: CurrentDeadline;
  private readonly nowMs: () => number;
  private readonly steps: Readonly<Record<Step, BetterSqlite3.Statement>>;

  constructor({
    connection,
    sql,
    onCommitted,
    beforeNextGroup = () => null,
    lockTimeoutMs = LOCK_TIMEOUT_MS,
    currentDeadline = NO_DEADLINE,
    nowMs = () => performance.now(),
  }: WriteQueueOptions) {
    this.connection = connection;
    this.sql = sql;
    this.onCommitted = onCommitted;
    this.beforeNextGroup = beforeNextGroup;
    this.lockTimeoutMs = lockTimeoutMs;
    this.currentDeadline = currentDeadline;
    this.nowMs = nowMs;
    this.steps = Object.fromEntries(
      Object.entries(STEPS).map(([step, text]) => [step, connection.prepare(text)]),
    ) as Record<Step, BetterSqlite3.Statement>;
  }

  write<Value>(work: (sql: Sql) => Promise<Value>): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      const since = performance.now();
      const deadline = this.currentDeadline();
      this.waiting.add(deadline?.caller ?? NO_CALLER, {
        since,
        lockDeadlineMs: since + this.lockTimeoutMs,
        deadline,
        run: work,
        resolve: resolve as (value: unknown) => void,
        reject,
      });
      this.working ??= this.work();
    });
  }

  /** Resolves once all writes submitted so far are done. */
  async idle(): Promise<void> {
    while (this.working !== null) await this.working;
  }

  private async work(): Promise<void> {
    while (this.waiting.size > 0) {
      // Let the event loop accept what has arrived: waiting writes join this group.
      await new Promise((resume) => setImmediate(resume));
      this.running = this.runGroup();
      await this.running;
      this.running = null;
      await this.pause();
    }
    this.working = null;
  }

  /** Waits for what runs between two groups. That is no write: if it fails, the writes go on. */
  private async pause(): Promise<void> {
    try {
      await this.beforeNextGroup();
    } catch {}
  }

  private async runGroup(): Promise<void> {
    const group: GroupedWrite[] = [];
    try {
      let job = await this.begin();
      // A single write needs no savepoint; writes that arrive meanwhile are left to the next group.
      const groupSize = this.waiting.size === 0 ? 1 : GROUP_SIZE;
      const endMs = this.nowMs() + GROUP_MS;
      for (; job !== null; job = group.length < groupSize && this.nowMs() < endMs ? this.next() : null) {
        const write: GroupedWrite = { job, outcome: NOT_RUN };
        group.push(write);
        write.outcome = await this.runWrite(job, groupSize > 1);
      }
      if (group.length === 0) return;
      this.steps.commit.run();
      this.onCommitted();
      for (const { job, outcome } of group) settle(job, outcome);
    } catch (error) {
      this.rollBack();
      // A job that failed on its own gets its own error: it was not made in any case.
      for (const { job, outcome } of group) settle(job, "error" in outcome ? outcome : { error });
    }
  }

  /** The next job that somebody still waits for; rejects those before it. `null` if there is none. */
  private next(): QueuedWrite | null {
    for (let job = this.waiting.take(NOBODY_AT_WORK); job !== null; job = this.waiting.take(NOBODY_AT_WORK)) {
      if (isWanted(job)) return job;
      job.reject(requestAbandoned());
    }
    return null;
  }

  /**
   * Takes the write lock for the next job, waiting for other processes without blocking this one's reads. Jobs whose
   * time is over are rejected; if none is left, the result is `null` and the lock is not taken.
   */
  private async begin(): Promise<QueuedWrite | null> {
    for (let job = this.next(); job !== null; ) {
      const failure = this.lock();
      if (failure === null) return job;
      const now = performance.now();
      const isRefused = ({ lockDeadlineMs }: QueuedWrite): boolean =>
        lockDeadlineMs < now || !(failure instanceof DatabaseUnavailable);
      for (const refused of this.waiting.remove(isRefused)) refused.reject(failure);
      if (isRefused(job)) job.reject(failure);
      else if (!isWanted(job)) job.reject(requestAbandoned());
      else {
        await new Promise((resume) => setTimeout(resume, BUSY_PAUSE_MS));
        continue;
      }
      job = this.next();
    }
    return null;
  }

  /** Takes the write lock, or says why not. Ends first what an earlier group could not roll back. */
  private lock(): unknown {
    const failure = this.rollBack();
    if (failure !== null) return failure;
    try {
      this.steps.begin.run();
      return null;
    } catch (error) {
      return sqliteError(error);
    }
  }

  /** Undoes the transaction that is open, if any; returns why it could not, else `null`. */
  private rollBack(): unknown {
    try {
      if (this.connection.inTransaction) this.steps.rollback.run();
      return null;
    } catch (error) {
      return sqliteError(error);
    }
  }

  /** Runs one job and undoes it if it fails. Throws if the whole transaction is lost, or if the job is the only one. */
  private async runWrite(job: QueuedWrite, guarded: boolean): Promise<Outcome> {
    if (job.deadline?.beginChange() === false) return { error: requestAbandoned() };
    if (!guarded) return { value: await job.run(this.sql) };
    this.steps.guard.run();
    try {
      const value = await job.run(this.sql);
      this.steps.keep.run();
      return { value };
    } catch (error) {
      if (!this.connection.inTransaction) throw error;
      this.steps.undo.run();
      this.steps.keep.run();
      return { error };
    }
  }
}

/** True for a job that somebody still waits for. */
const isWanted = ({ since, deadline }: QueuedWrite): boolean =>
  performance.now() - since < ABANDON_CHECK_MS || deadline?.isOver() !== true;

const settle = (job: QueuedWrite, outcome: Outcome): void => {
  if ("value" in outcome) {
    job.deadline?.changeMade();
    job.resolve(outcome.value);
  } else job.reject(sqliteError(outcome.error));
};
