import type { Claim, JobKind } from "../../../core/jobs/job.ts";
import type { Jobs } from "./jobs.ts";

/** How often a process looks for work that others left or gave it. */
const LOOK_MS = 1000;
/** So many jobs of a kind run at once in a process; those of another kind do not wait for them. */
const AT_ONCE: Readonly<Record<JobKind, number>> = {
  // Each takes its turns at the database.
  import: 2,
  // These wait for the network.
  source: 4,
};

/**
 * A job that takes longer is given back, so that those of other queues have their turn; it goes on where it was. What it
 * must read again for that takes a second at most.
 */
const LONGEST_TURN_MS = 60_000;

/** Does the work of a job until it is done, or until `isStopping`; then it is given back. */
export type Work = (claim: Claim, isStopping: () => boolean) => Promise<void>;

/** Takes jobs and does them, in the background. */
export interface JobRunner {
  /** Starts a timer; `report` receives what went wrong with a job, which is tried again. */
  start(report: (error: unknown, claim: Claim | null) => void): void;
  /** Looks for work at once. */
  nudge(): void;
  /** Lets the steps under way end, and gives the jobs back. */
  stop(): Promise<void>;
}

/** A runner for one process. */
export const jobRunner = (
  jobs: Jobs,
  work: Readonly<Record<JobKind, Work>>,
  longestTurnMs = LONGEST_TURN_MS,
): JobRunner => {
  const owner = crypto.randomUUID();
  const kinds = Object.keys(work) as JobKind[];
  const underWay = new Map<Promise<void>, JobKind>();
  let isStopping = false;
  let report: Parameters<JobRunner["start"]>[0] = () => {};
  let timer: Timer | null = null;
  let looking: Promise<void> | null = null;
  let isWanted = false;

  /** True if it went well: what waited for its queue may begin. What failed is not tried again without a pause. */
  const doOne = async (claim: Claim): Promise<boolean> => {
    const endMs = performance.now() + longestTurnMs;
    try {
      await work[claim.kind](claim, () => isStopping || performance.now() >= endMs);
      return true;
    } catch (error) {
      report(error, claim);
      return false;
    } finally {
      // What is done has no job any more; what is left over is for any process.
      await jobs.release(claim).catch((error) => report(error, claim));
    }
  };

  const isFull = (kind: JobKind): boolean =>
    [...underWay.values()].filter((other) => other === kind).length >= AT_ONCE[kind];

  const takeAll = async (kind: JobKind): Promise<void> => {
    while (!isStopping && !isFull(kind)) {
      const claim = await jobs.claim(owner, kind);
      if (claim === null) return;
      const doing = doOne(claim).then((isWell) => {
        underWay.delete(doing);
        if (isWell) look();
      });
      underWay.set(doing, kind);
    }
  };

  const look = (): void => {
    if (isStopping) return;
    if (looking !== null) {
      isWanted = true;
      return;
    }
    looking = Promise.all(kinds.map(takeAll))
      .then(() => {})
      .catch((error) => report(error, null))
      .finally(() => {
        looking = null;
        if (isWanted) {
          isWanted = false;
          look();
        }
      });
  };

  return {
    start(hearing) {
      report = hearing;
      timer = setInterval(look, LOOK_MS);
      timer.unref();
      look();
    },
    nudge() {
      if (timer !== null) look();
    },
    async stop() {
      isStopping = true;
      if (timer !== null) clearInterval(timer);
      await looking;
      await Promise.all(underWay.keys());
    },
  };
};
