import { sql } from "kysely";
import type { Clock, Timers, Timestamp } from "../../../core/clock.ts";
import { JOB_KINDS, type JobKind } from "../../../core/jobs/job.ts";
import type { SqlDatabase } from "../query/database.ts";

/** How often they are counted. */
const COUNT_MS = 2000;

/** The jobs of one kind: how many wait for a process, or how many processes work on. */
interface JobCount {
  readonly kind: JobKind;
  readonly state: "waiting" | "running";
  readonly count: number;
}

/** The number of jobs of each kind in the database, whichever process works on them. */
export const jobCounts = async (db: SqlDatabase, now: Timestamp): Promise<readonly JobCount[]> => {
  const rows = await db
    .selectFrom("jobs")
    .select((jobs) => [
      "kind",
      jobs.fn.countAll<number>().as("all"),
      sql<number>`count(CASE WHEN lease_until >= ${now} THEN 1 END)`.as("running"),
    ])
    .groupBy("kind")
    .execute();
  return JOB_KINDS.flatMap((kind) => {
    const { all = 0, running = 0 } = rows.find((row) => row.kind === kind) ?? {};
    return [
      { kind, state: "waiting", count: Number(all) - Number(running) },
      { kind, state: "running", count: Number(running) },
    ] as const;
  });
};

/** The latest counts. */
interface JobWatch {
  /** `null` until they were counted, and while the database does not answer. */
  readonly counts: readonly JobCount[] | null;
  stop(): void;
}

/** Counts the jobs now, and again and again. */
export const watchJobs = (db: SqlDatabase, clock: Clock & Timers): JobWatch => {
  let counts: readonly JobCount[] | null = null;
  const count = async (): Promise<void> => {
    try {
      counts = await jobCounts(db, clock.now());
    } catch {
      // A database that does not answer is reported elsewhere.
      counts = null;
    }
  };
  void count();
  const stop = clock.every(COUNT_MS, count);
  return {
    get counts() {
      return counts;
    },
    stop,
  };
};
