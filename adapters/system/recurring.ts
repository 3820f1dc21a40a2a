/** Background work that is repeated. */
export interface Recurring {
  /** Starts a timer. `report` is called with failures; the next run comes as usual. */
  start(report: (error: unknown) => void): void;
  stop(): Promise<void>;
}

/**
 * Repeats work at an interval. It never runs twice at the same time in this process, but several processes may run it
 * at the same time.
 */
export const recurring = (work: () => Promise<void>, everyMs: number): Recurring => {
  let running: Promise<void> = Promise.resolve();
  let timer: Timer | null = null;
  return {
    start(report) {
      timer = setInterval(() => {
        running = running.then(work).catch(report);
      }, everyMs);
      timer.unref();
    },
    async stop() {
      if (timer !== null) clearInterval(timer);
      await running;
    },
  };
};
