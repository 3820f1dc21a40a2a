/** Background work that is repeated. */
export interface Recurring {
  /** Starts a timer; `report` receives failures, and the next run continues. */
  start(report: (error: unknown) => void): void;
  stop(): Promise<void>;
}

/** Repeats work at an interval, never twice at once in this process. Several processes may do it at once. */
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
