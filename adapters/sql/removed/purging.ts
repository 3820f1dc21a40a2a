import type { Clock } from "../../../core/clock.ts";
import type { RemovedRepository } from "../../../core/removed/removed-repository.ts";
import { oldestRestorable } from "../../../core/removed/removed-vehicle.ts";

const PURGE_MS = 10 * 60_000;

/** Removes for good what cannot be taken back any more. */
export interface Purging {
  /** Does it once, a batch in each transaction. */
  run(): Promise<void>;
  /** Starts a timer; `report` receives failures, and the next turn goes on. */
  start(report: (error: unknown) => void): void;
  stop(): Promise<void>;
}

/** Several processes may do it at once: each takes what no other one holds. */
export const purging = (removed: Pick<RemovedRepository, "purgeSome">, clock: Pick<Clock, "after">): Purging => {
  let running: Promise<void> = Promise.resolve();
  let timer: Timer | null = null;
  let isEnding = false;

  const run = async (): Promise<void> => {
    const before = oldestRestorable(clock);
    while (!isEnding && (await removed.purgeSome(before)) > 0);
  };

  return {
    run,
    start(report) {
      timer = setInterval(() => {
        running = running.then(run).catch(report);
      }, PURGE_MS);
      timer.unref();
    },
    async stop() {
      isEnding = true;
      if (timer !== null) clearInterval(timer);
      await running;
    },
  };
};
