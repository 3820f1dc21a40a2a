import type { Clock } from "../../../core/clock.ts";
import type { RemovedRepository } from "../../../core/removed/removed-repository.ts";
import { oldestRestorable } from "../../../core/removed/removed-vehicle.ts";

const PURGE_INTERVAL_MS = 10 * 60_000;

/** Deletes what can no longer be taken back: removed vehicles, and what is known of changes. */
export interface Purging {
  /** Purges once, with one transaction for each batch. */
  run(): Promise<void>;
  /** Starts a timer. `report` receives failures; the next run continues. */
  start(report: (error: unknown) => void): void;
  stop(): Promise<void>;
}

/**
 * Purges in the background. Several processes may do so at the same time, as each takes only rows that no other has
 * locked.
 */
export const purging = (
  stored: readonly Pick<RemovedRepository, "purgeSome">[],
  clock: Pick<Clock, "after">,
): Purging => {
  let running: Promise<void> = Promise.resolve();
  let timer: Timer | null = null;
  let isEnding = false;

  const run = async (): Promise<void> => {
    const before = oldestRestorable(clock);
    for (const { purgeSome } of stored) while (!isEnding && (await purgeSome(before)) > 0);
  };

  return {
    run,
    start(report) {
      timer = setInterval(() => {
        running = running.then(run).catch(report);
      }, PURGE_INTERVAL_MS);
      timer.unref();
    },
    async stop() {
      isEnding = true;
      if (timer !== null) clearInterval(timer);
      await running;
    },
  };
};
