const TIDY_MS = 10 * 60_000;

/** Takes away what is left of imports, again and again. */
export interface Tidying {
  /** Starts a timer; `report` receives failures, and the next turn goes on. */
  start(report: (error: unknown) => void): void;
  stop(): Promise<void>;
}

/** Several processes may do it at once. `tidy` does it once. */
export const tidying = (tidy: () => Promise<void>): Tidying => {
  let running: Promise<void> = Promise.resolve();
  let timer: Timer | null = null;
  return {
    start(report) {
      timer = setInterval(() => {
        running = running.then(tidy).catch(report);
      }, TIDY_MS);
      timer.unref();
    },
    async stop() {
      if (timer !== null) clearInterval(timer);
      await running;
    },
  };
};
