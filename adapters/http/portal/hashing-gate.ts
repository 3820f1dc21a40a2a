import { Problem } from "../protocol/problem.ts";

const BUSY = new Problem("unavailable", "Too many passwords are being checked; try again shortly", {
  headers: { "retry-after": "1" },
});

/** Work that makes or compares password hashes, which each take a processor for a while. */
export interface HashingGate {
  /** Does the work when its turn comes; a Problem when too many wait. */
  run<Result>(work: () => Promise<Result>): Promise<Result | Problem>;
}

/** Lets so many in at once, and so many wait: however many ask, the rest of the service goes on. */
export const hashingGate = (atOnce: number, waiting: number): HashingGate => {
  const queue: (() => void)[] = [];
  let running = 0;
  return {
    async run(work) {
      if (running >= atOnce) {
        if (queue.length >= waiting) return BUSY;
        // Whoever is done hands its place over.
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
