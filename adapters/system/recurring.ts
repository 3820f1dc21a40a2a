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
export const recurring = (work: () => Promise<void>, everyMs: number): Recurring => {
  let running: Promise<void> = Promise.resolve();
  let timer: Timer | null = null;
  let run = (): void => {};
  return {
    start(report) {
      run = () => {
        running = running.then(work).catch(report);
      };
      timer = setInterval(run, everyMs);
      timer.unref();
    },
    soon: () => run(),
    async stop() {
      if (timer !== null) clearInterval(timer);
      await running;
    },
  };
};
