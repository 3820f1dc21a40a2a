import pino, { type Logger } from "pino";
import type { LogLevel } from "./config.ts";

const BATCH_BYTES = 8 * 1024;
const FLUSH_MS = 250;

/** The log, and the way to bring what is still in memory onto standard output. */
export interface Log {
  readonly logger: Logger;
  flush(): Promise<void>;
}

/** JSON lines on standard output, written in batches: a line a request would cost as much as a small request. */
export const openLog = (level: LogLevel): Log => {
  const destination = pino.destination({ dest: 1, sync: false, minLength: BATCH_BYTES });
  // A reader that went away must not take the service with it.
  destination.on("error", () => {});
  const timer = setInterval(() => destination.flush(), FLUSH_MS);
  timer.unref();
  return {
    logger: pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination),
    flush: () =>
      new Promise((resolve) => {
        clearInterval(timer);
        destination.flush(() => resolve());
      }),
  };
};
