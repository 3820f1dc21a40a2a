import type BetterSqlite3 from "better-sqlite3";
import { type CurrentErrand, DatabaseUnavailable, type Errand, NO_ERRAND, type Sql, unwanted } from "./database.ts";
import { sqliteError } from "./sqlite-errors.ts";

interface Job {
  /** Until when it waits for a lock, in the time of `performance.now()`. */
  readonly deadline: number;
  readonly since: number;
  readonly errand: Errand | undefined;
  readonly run: (sql: Sql) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

type Result = { readonly value: unknown } | { readonly error: unknown };

const GROUP_SIZE = 128;
/** How long a write waits for a lock that another process holds, from when it was handed in. */
const PATIENCE_MS = 5000;
const BUSY_PAUSE_MS = 5;
/** To see whether a client is still there costs 2 µs: it is asked of those who have waited. */
const WAITED_MS = 50;

const STEPS = {
  begin: "BEGIN IMMEDIATE",
  guard: "SAVEPOINT job",
  undo: "ROLLBACK TO job",
  keep: "RELEASE job",
  commit: "COMMIT",
  rollback: "ROLLBACK",
} as const;
type Step = keyof typeof STEPS;

/**
 * Group commit: writes that arrive while one is being flushed to disk are run one after the other in the next
 * transaction and become durable together. Each has a savepoint of its own, so that one's failure undoes only itself, and
 * none is acknowledged before the flush. Fairness and order are those of arrival.
 */
export class WriteQueue {
  /** The group at work, `null` when there is none. */
  running: Promise<void> | null = null;
  private working: Promise<void> | null = null;
  private waiting: Job[] = [];
  private readonly steps: Readonly<Record<Step, BetterSqlite3.Statement>>;

  constructor(
    private readonly connection: BetterSqlite3.Database,
    private readonly sql: Sql,
    /** Called between a commit and its acknowledgement; what it throws is told instead. */
    private readonly committed: () => void,
    private readonly patienceMs = PATIENCE_MS,
    private readonly current: CurrentErrand = NO_ERRAND,
  ) {
    this.steps = Object.fromEntries(
      Object.entries(STEPS).map(([step, text]) => [step, connection.prepare(text)]),
    ) as Record<Step, BetterSqlite3.Statement>;
  }

  write<Value>(work: (sql: Sql) => Promise<Value>): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      const since = performance.now();
      this.waiting.push({
        since,
        deadline: since + this.patienceMs,
        errand: this.current(),
        run: work,
        resolve: resolve as (value: unknown) => void,
        reject,
      });
      this.working ??= this.work();
    });
  }

  /** Resolves when everything handed in so far is done. */
  async idle(): Promise<void> {
    while (this.working !== null) await this.working;
  }

  private async work(): Promise<void> {
    while (this.waiting.length > 0) {
      // The event loop takes in what has arrived, reads as well as writes: the writes join this group.
      await new Promise((resume) => setImmediate(resume));
      this.running = this.group(wanted(this.waiting.splice(0, GROUP_SIZE)));
      await this.running;
      this.running = null;
    }
    this.working = null;
  }

  private async group(handedIn: readonly Job[]): Promise<void> {
    let jobs = handedIn;
    const results: Result[] = [];
    try {
      if (jobs.length === 0) return;
      jobs = await this.begin(handedIn);
      if (jobs.length === 0) return;
      for (const job of jobs) results.push(await this.attempt(job, jobs.length > 1));
      this.steps.commit.run();
      this.committed();
      for (const [index, job] of jobs.entries()) settle(job, results[index]);
    } catch (error) {
      if (this.connection.inTransaction) this.steps.rollback.run();
      // What failed by itself is told why: it was not made in any case.
      for (const [index, job] of jobs.entries()) settle(job, failureOf(results[index]) ?? { error });
    }
  }

  /**
   * Takes the write lock, waiting for another process to release it without holding up this one's reads. Returns the
   * jobs that waited: those whose time is over are refused, and without any left the lock is not taken.
   */
  private async begin(jobs: readonly Job[]): Promise<readonly Job[]> {
    for (let patient = jobs; ; ) {
      try {
        this.steps.begin.run();
        return patient;
      } catch (error) {
        const unavailable = sqliteError(error);
        if (!(unavailable instanceof DatabaseUnavailable)) throw unavailable;
        const now = performance.now();
        for (const job of patient) if (job.deadline < now) job.reject(unavailable);
        patient = wanted(patient.filter(({ deadline }) => deadline >= now));
        if (patient.length === 0) return patient;
        await new Promise((resume) => setTimeout(resume, BUSY_PAUSE_MS));
      }
    }
  }

  /** Runs one job; what it did before failing is undone. Throws when the whole transaction is lost, or the job was alone. */
  private async attempt(job: Job, guarded: boolean): Promise<Result> {
    if (job.errand?.begin() === false) return { error: unwanted() };
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

/** The jobs that somebody still waits for; the others are refused. */
const wanted = (jobs: readonly Job[]): readonly Job[] => {
  const now = performance.now();
  return jobs.filter((job) => {
    if (now - job.since < WAITED_MS || job.errand?.isOver() !== true) return true;
    job.reject(unwanted());
    return false;
  });
};

const failureOf = (result: Result | undefined): Result | undefined =>
  result !== undefined && "error" in result ? result : undefined;

const settle = (job: Job, result: Result | undefined): void => {
  if (result !== undefined && "value" in result) job.resolve(result.value);
  else job.reject(sqliteError(result?.error));
};
