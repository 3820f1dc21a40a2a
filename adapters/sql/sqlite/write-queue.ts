import type BetterSqlite3 from "better-sqlite3";
import {
  type CurrentDeadline,
  DatabaseUnavailable,
  type Deadline,
  NO_DEADLINE,
  requestAbandoned,
  type Tx,
} from "../query/database.ts";
import { FairQueue, NO_CALLER } from "../query/fair-queue.ts";
import { nextTurn } from "../query/turns.ts";
import { CountedStatements } from "./counted-statements.ts";
import { sqliteError } from "./errors.ts";

interface QueuedWrite {
  /** When the write stops waiting for a lock, as a `performance.now()` value. */
  readonly lockDeadlineMs: number;
  readonly since: number;
  readonly deadline: Deadline | undefined;
  readonly run: (tx: Tx) => Promise<unknown>;
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
/** The time after which a group begins no further write. All other work of the service waits for the group. */
const GROUP_MS = 12;
/** The time after which a group waits for no further writes to arrive. */
const GATHER_MS = 4;
/** How long a write may wait for another process's lock, counted from its arrival. */
const LOCK_TIMEOUT_MS = 5000;
const BUSY_PAUSE_MS = 5;
/**
 * Only writes that have waited this long are checked for clients that have disconnected, because the check takes time.
 */
const ABANDON_CHECK_MS = 50;
/** The queue's number of running items is always 0 here, as only one write runs at a time. */
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

/** The connection that a queue writes to, and how long a write may wait. */
interface WriteQueueOptions {
  readonly connection: BetterSqlite3.Database;
  readonly sql: Tx;
  /** Is called between a commit and its acknowledgement. If it throws, the writes fail with its error. */
  readonly onCommitted: () => void;
  /** Is called right before a group takes the write lock, and after it has ended. */
  readonly onGroup?: (state: "begins" | "ends") => void;
  /** Is called between two groups. Returns what the next group must wait for, or `null`. */
  readonly beforeNextGroup?: () => Promise<void> | null;
  readonly lockTimeoutMs?: number;
  readonly currentDeadline?: CurrentDeadline;
  readonly nowMs?: () => number;
}

/**
 * Group commit: writes that arrive during a flush to disk run one after another in the next transaction, and become
 * durable together. Each has its own savepoint, so that a failure undoes only that write. No write is acknowledged
 * before the flush. Callers take turns (see FairQueue), so that nobody waits for all the writes of another caller; the
 * writes of each caller run in the order of arrival. If writes are slow, some are left to the next group, so that reads
 * can run in between.
 */
export class WriteQueue {
  /** The group that is running; `null` if there is none. */
  running: Promise<void> | null = null;
  private working: Promise<void> | null = null;
  private readonly waiting = new FairQueue<QueuedWrite>(Number.POSITIVE_INFINITY);
  private readonly connection: BetterSqlite3.Database;
  private readonly sql: Tx;
  private readonly counted: CountedStatements;
  private readonly onCommitted: () => void;
  private readonly onGroup: (state: "begins" | "ends") => void;
  private readonly beforeNextGroup: () => Promise<void> | null;
  private readonly lockTimeoutMs: number;
  private readonly currentDeadline: CurrentDeadline;
  private readonly nowMs: () => number;
  private readonly steps: Readonly<Record<Step, BetterSqlite3.Statement>>;

  constructor({
    connection,
    sql,
    onCommitted,
    onGroup = () => {},
    beforeNextGroup = () => null,
    lockTimeoutMs = LOCK_TIMEOUT_MS,
    currentDeadline = NO_DEADLINE,
    nowMs = () => performance.now(),
  }: WriteQueueOptions) {
    this.connection = connection;
    this.counted = new CountedStatements(sql);
    this.sql = { ...sql, once: this.counted.add };
    this.onCommitted = onCommitted;
    this.onGroup = onGroup;
    this.beforeNextGroup = beforeNextGroup;
    this.lockTimeoutMs = lockTimeoutMs;
    this.currentDeadline = currentDeadline;
    this.nowMs = nowMs;
    this.steps = Object.fromEntries(
      Object.entries(STEPS).map(([step, text]) => [step, connection.prepare(text)]),
    ) as Record<Step, BetterSqlite3.Statement>;
  }

  /** Runs `work` in a transaction. It is rejected if another process holds the lock for `lockTimeoutMs`. */
  write<Value>(work: (tx: Tx) => Promise<Value>, lockTimeoutMs = this.lockTimeoutMs): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      const since = performance.now();
      const deadline = this.currentDeadline();
      this.waiting.add(deadline?.caller ?? NO_CALLER, {
        since,
        lockDeadlineMs: since + lockTimeoutMs,
        deadline,
        run: work,
        resolve: resolve as (value: unknown) => void,
        reject,
      });
      this.working ??= this.work();
    });
  }

  /** Resolves when all writes that were submitted so far are done. */
  async idle(): Promise<void> {
    while (this.working !== null) await this.working;
  }

  private async work(): Promise<void> {
    while (this.waiting.size > 0) {
      await this.gather();
      this.onGroup("begins");
      this.running = this.runGroup();
      await this.running;
      this.running = null;
      this.onGroup("ends");
      await this.pause();
    }
    this.working = null;
  }

  /**
   * Lets the event loop accept the requests that have arrived, so that their writes join the next group. As long as each
   * turn brings some, more are waited for: a group is one flush to disk, however many there are in it.
   */
  private async gather(): Promise<void> {
    const endMs = this.nowMs() + GATHER_MS;
    let before: number;
    do {
      before = this.waiting.size;
      await nextTurn();
    } while (before < this.waiting.size && this.waiting.size < GROUP_SIZE && this.nowMs() < endMs);
  }

  /** Waits for the work between two groups. That work is not a write: if it fails, writes continue. */
  private async pause(): Promise<void> {
    try {
      await this.beforeNextGroup();
    } catch {}
  }

  private async runGroup(): Promise<void> {
    const group: GroupedWrite[] = [];
    try {
      let job = await this.begin();
      // A single write needs no savepoint. Writes that arrive meanwhile are left to the next group.
      const groupSize = this.waiting.size === 0 ? 1 : GROUP_SIZE;
      const endMs = this.nowMs() + GROUP_MS;
      for (; job !== null; job = group.length < groupSize && this.nowMs() < endMs ? this.next() : null) {
        const write: GroupedWrite = { job, outcome: NOT_RUN };
        group.push(write);
        write.outcome = await this.runWrite(job, groupSize > 1);
      }
      if (group.length === 0) return;
      this.counted.run();
      this.steps.commit.run();
      this.onCommitted();
      for (const { job, outcome } of group) settle(job, outcome);
    } catch (error) {
      this.rollBack();
      this.counted.clear();
      // A write that had already failed gets its own error: it would not have been made in any case.
      for (const { job, outcome } of group) settle(job, "error" in outcome ? outcome : { error });
    }
  }

  /** The next write that somebody still waits for; `null` if there is none. Those before it are rejected. */
  private next(): QueuedWrite | null {
    for (let job = this.waiting.take(NOBODY_AT_WORK); job !== null; job = this.waiting.take(NOBODY_AT_WORK)) {
      if (isWanted(job)) return job;
      job.reject(requestAbandoned());
    }
    return null;
  }

  /**
   * Takes the write lock for the next write. Waiting for other processes does not block this process's reads. Writes
   * whose time is over are rejected. If none is left, the lock is not taken, and the result is `null`.
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

  /**
   * Takes the write lock; returns the error if that fails. A transaction that an earlier group could not roll back is
   * ended first.
   */
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

  /** Rolls back the open transaction, if there is one. Returns the error if that fails, or else `null`. */
  private rollBack(): unknown {
    try {
      if (this.connection.inTransaction) this.steps.rollback.run();
      return null;
    } catch (error) {
      return sqliteError(error);
    }
  }

  /**
   * Runs one write, and undoes it if it fails. Throws if the whole transaction is lost, or if the write is the only
   * one.
   */
  private async runWrite(job: QueuedWrite, guarded: boolean): Promise<Outcome> {
    if (job.deadline?.beginChange() === false) return { error: requestAbandoned() };
    if (!guarded) {
      const value = await job.run(this.sql);
      this.counted.keep();
      return { value };
    }
    this.steps.guard.run();
    try {
      const value = await job.run(this.sql);
      this.steps.keep.run();
      this.counted.keep();
      return { value };
    } catch (error) {
      this.counted.drop();
      if (!this.connection.inTransaction) throw error;
      this.steps.undo.run();
      this.steps.keep.run();
      return { error };
    }
  }
}

/** True if somebody still waits for the write. */
const isWanted = ({ since, deadline }: QueuedWrite): boolean =>
  performance.now() - since < ABANDON_CHECK_MS || deadline?.isOver() !== true;

const settle = (job: QueuedWrite, outcome: Outcome): void => {
  if ("value" in outcome) {
    job.deadline?.changeMade();
    job.resolve(outcome.value);
  } else job.reject(sqliteError(outcome.error));
};
