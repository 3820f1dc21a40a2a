import { Problem } from "../protocol/problem.ts";

const BUSY = new Problem("unavailable", "Too many passwords are being checked; try again shortly", {
  headers: { "retry-after": "1" },
});

/** Limits the work on password hashes, because each hash occupies a processor for a while. */
export interface HashingGate {
  /** Does the work when its turn comes. Returns a Problem if too many are waiting. */
  run<Result>(work: () => Promise<Result>): Promise<Result | Problem>;
}

/**
 * Runs at most `maxRunning` pieces of work at the same time and lets at most `maxWaiting` wait, so that the rest of the
 * service keeps answering.
 */
export const hashingGate = (maxRunning: number, maxWaiting: number): HashingGate => {
  const queue: (() => void)[] = [];
  let running = 0;
  return {
    async run(work) {
      if (running >= maxRunning) {
        if (queue.length >= maxWaiting) return BUSY;
        // When work ends, its slot passes to the next in the queue.
        await new Promise<void>((enter) => queue.push(enter));
      } else running++;
      try {
        return await work();
      } finally {
        const next = queue.shift();
        if (next === undefined) running--;
        else next();
      }
    },
  };
};
