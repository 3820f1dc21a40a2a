import type { Timers } from "../../core/clock.ts";

/** Background work that is repeated. */
export interface Recurring {
  /** Starts a timer. `report` is called with failures; the next run comes as usual. */
  start(report: (error: unknown) => void): void;
  /** Runs the work once more as soon as possible, if it was started. */
  soon(): void;
  stop(): Promise<void>;
}

/**
 * Repeats work at an interval. It never runs twice at the same time in this process, but several processes may run it
 * at the same time.
 */
export const recurring = (timers: Timers, everyMs: number, work: () => Promise<void>): Recurring => {
  let running: Promise<void> = Promise.resolve();
  let endTimer = (): void => {};
  let run = (): Promise<void> => running;
  return {
    start(report) {
      run = () => {
        running = running.then(work).catch(report);
        return running;
      };
      endTimer = timers.every(everyMs, run);
    },
    soon: () => void run(),
    async stop() {
      endTimer();
      await running;
    },
  };
};
