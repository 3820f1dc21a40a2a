import type BetterSqlite3 from "better-sqlite3";
import {
  type CurrentDeadline,
  DatabaseUnavailable,
  type Deadline,
  NO_DEADLINE,
  requestAbandoned,
  type Sql,
} from "../query/database.ts";
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

const GROUP_SIZE = 128;
/** A group begins no further write after this time: all else that the service does waits for the group. */
const GROUP_MS = 20;
/** How long a write waits for another process's lock, counted from its arrival. */
const LOCK_TIMEOUT_MS = 5000;
const BUSY_PAUSE_MS = 5;
/** Checking whether a client is still connected is not free: check only those that waited this long. */
const ABANDON_CHECK_MS = 50;

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
 * the flush. Writes run in the order of arrival. Of many slow ones some are left to the next group, so that reads come
 * between.
 */
export class WriteQueue {
  /** The group that is running; `null` if none is. */
  running: Promise<void> | null = null;
  private working: Promise<void> | null = null;
  private waiting: QueuedWrite[] = [];
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
    onCommitted: committed,
    beforeNextGroup: between = () => null,
    lockTimeoutMs = LOCK_TIMEOUT_MS,
    currentDeadline: current = NO_DEADLINE,
    nowMs = () => performance.now(),
  }: WriteQueueOptions) {
    this.connection = connection;
    this.sql = sql;
    this.onCommitted = committed;
    this.beforeNextGroup = between;
    this.lockTimeoutMs = lockTimeoutMs;
    this.currentDeadline = current;
    this.nowMs = nowMs;
    this.steps = Object.fromEntries(
      Object.entries(STEPS).map(([step, text]) => [step, connection.prepare(text)]),
    ) as Record<Step, BetterSqlite3.Statement>;
  }

  write<Value>(work: (sql: Sql) => Promise<Value>): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      const since = performance.now();
      this.waiting.push({
        since,
        lockDeadlineMs: since + this.lockTimeoutMs,
        deadline: this.currentDeadline(),
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
    while (this.waiting.length > 0) {
      // Let the event loop accept what has arrived: waiting writes join this group.
      await new Promise((resume) => setImmediate(resume));
      this.running = this.runGroup(withoutAbandoned(this.waiting.splice(0, GROUP_SIZE)));
      await this.running;
      this.running = null;
      await this.beforeNextGroup();
    }
    this.working = null;
  }

  private async runGroup(handedIn: readonly QueuedWrite[]): Promise<void> {
    let jobs = handedIn;
    const results: Outcome[] = [];
    try {
      if (jobs.length === 0) return;
      jobs = await this.begin(handedIn);
      if (jobs.length === 0) return;
      const endMs = this.nowMs() + GROUP_MS;
      for (const job of jobs) {
        results.push(await this.runWrite(job, jobs.length > 1));
        if (this.nowMs() >= endMs) break;
      }
      this.waiting.unshift(...jobs.slice(results.length));
      jobs = jobs.slice(0, results.length);
      this.steps.commit.run();
      this.onCommitted();
      for (const [index, job] of jobs.entries()) settle(job, results[index]);
    } catch (error) {
      if (this.connection.inTransaction) this.steps.rollback.run();
      // A job that failed on its own gets its own error: it was not made in any case.
      for (const [index, job] of jobs.entries()) settle(job, failureOf(results[index]) ?? { error });
    }
  }

  /**
   * Takes the write lock, waiting for other processes without blocking this one's reads. Returns the jobs that still
   * wait: jobs whose time is over are rejected, and if none is left the lock is not taken.
   */
  private async begin(jobs: readonly QueuedWrite[]): Promise<readonly QueuedWrite[]> {
    for (let patient = jobs; ; ) {
      try {
        this.steps.begin.run();
        return patient;
      } catch (error) {
        const unavailable = sqliteError(error);
        if (!(unavailable instanceof DatabaseUnavailable)) throw unavailable;
        const now = performance.now();
        for (const job of patient) if (job.lockDeadlineMs < now) job.reject(unavailable);
        patient = withoutAbandoned(patient.filter(({ lockDeadlineMs }) => lockDeadlineMs >= now));
        if (patient.length === 0) return patient;
        await new Promise((resume) => setTimeout(resume, BUSY_PAUSE_MS));
      }
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

/** The jobs that somebody still waits for; rejects the others. */
const withoutAbandoned = (jobs: readonly QueuedWrite[]): readonly QueuedWrite[] => {
  const now = performance.now();
  return jobs.filter((job) => {
    if (now - job.since < ABANDON_CHECK_MS || job.deadline?.isOver() !== true) return true;
    job.reject(requestAbandoned());
    return false;
  });
};

const failureOf = (result: Outcome | undefined): Outcome | undefined =>
  result !== undefined && "error" in result ? result : undefined;

const settle = (job: QueuedWrite, result: Outcome | undefined): void => {
  if (result !== undefined && "value" in result) {
    job.deadline?.changeMade();
    job.resolve(result.value);
  } else job.reject(sqliteError(result?.error));
};
