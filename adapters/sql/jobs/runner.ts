import type { Claim, JobKind } from "../../../core/jobs/job.ts";
import type { Jobs } from "./jobs.ts";

/** The time after which a process looks for jobs that other processes have added. */
const POLL_MS = 1000;
/** The number of jobs of each kind that run at once in a process. Kinds do not wait for each other. */
const MAX_CONCURRENT: Readonly<Record<JobKind, number>> = {
  // Imports mostly wait for the database.
  import: 2,
  // Sources mostly wait for the network.
  source: 4,
  // One sweep at a time, wherever it runs.
  photos: 1,
  // Their steps wait for the database.
  schedule: 2,
  // They mostly wait for the network. Each has a few photos in memory.
  "import-photos": 4,
};

/**
 * The time after which a running job is given back, so that jobs of other queues have their turn. It continues later
 * where it was. What it must then read again takes a second at most.
 */
const LONGEST_TURN_MS = 60_000;

/** Works on a job until it is done, or until `isStopping` returns true. In that case the job is given back. */
export type JobHandler = (claim: Claim, isStopping: () => boolean) => Promise<void>;

/** Claims and runs jobs in the background. */
export interface JobRunner {
  /** Starts a timer; `report` receives failures of jobs, which are retried. */
  start(report: (error: unknown, claim: Claim | null) => void): void;
  /** Looks for jobs at once. */
  nudge(): void;
  /** Waits until running steps have ended, and gives their jobs back. */
  stop(): Promise<void>;
}

/** The job runner of a process, which does these kinds of work. */
export const jobRunner = (
  jobs: Jobs,
  work: Readonly<Partial<Record<JobKind, JobHandler>>>,
  longestTurnMs = LONGEST_TURN_MS,
): JobRunner => {
  const kinds = Object.keys(work) as JobKind[];
  const running = new Map<Promise<void>, JobKind>();
  let isStopping = false;
  let report: Parameters<JobRunner["start"]>[0] = () => {};
  let timer: Timer | undefined;
  let looking: Promise<void> | null = null;
  let isWanted = false;

  /**
   * Returns true if the job succeeded, so that the next job of its queue may begin at once. After a failure, there is a
   * pause.
   */
  const runJob = async (claim: Claim): Promise<boolean> => {
    const endMs = performance.now() + longestTurnMs;
    try {
      await work[claim.kind]?.(claim, () => isStopping || performance.now() >= endMs);
      return true;
    } catch (error) {
      report(error, claim);
      return false;
    } finally {
      // A finished job was deleted already. An unfinished job can now be continued by any process.
      await jobs.release(claim).catch((error) => report(error, claim));
    }
  };

  const isFull = (kind: JobKind): boolean =>
    [...running.values()].filter((other) => other === kind).length >= MAX_CONCURRENT[kind];

  const claimAll = async (kind: JobKind): Promise<void> => {
    while (!isStopping && !isFull(kind)) {
      // Each claim is made under a new owner: a process that slept longer than its lease may take over its own job.
      const claim = await jobs.claim(crypto.randomUUID(), kind);
      if (claim === null) return;
      const doing = runJob(claim).then((isWell) => {
        running.delete(doing);
        if (isWell) claimJobs();
      });
      running.set(doing, kind);
    }
  };

  const claimJobs = (): void => {
    if (looking !== null) {
      isWanted = true;
      return;
    }
    looking = Promise.all(kinds.map(claimAll))
      .then(() => {})
      .catch((error) => report(error, null))
      .finally(() => {
        looking = null;
        if (isWanted) {
          isWanted = false;
          claimJobs();
        }
      });
  };

  return {
    start(onFailure) {
      report = onFailure;
      timer = setInterval(claimJobs, POLL_MS);
      timer.unref();
      claimJobs();
    },
    nudge() {
      if (timer !== undefined) claimJobs();
    },
    async stop() {
      isStopping = true;
      clearInterval(timer);
      await looking;
      await Promise.all(running.keys());
    },
  };
};
