import pino from "pino";
import type { Log } from "../adapters/http/request-log.ts";
import type { LogLevel } from "./config.ts";

const BATCH_CHARACTERS = 64 * 1024;
const FLUSH_MS = 250;

/** The log, and the way to bring what is still in memory onto standard output. */
export interface OpenLog extends Log {
  flush(): Promise<void>;
}

/** JSON lines on standard output. Those of requests are written in batches; an event brings out what came before it. */
export const openLog = (level: LogLevel): OpenLog => {
  const destination = pino.destination({ dest: 1, sync: false });
  // A reader that went away must not take the service with it.
  destination.on("error", () => {});
  let batch = "";
  const writeBatch = (): void => {
    if (batch !== "") destination.write(batch);
    batch = "";
  };
  const timer = setInterval(writeBatch, FLUSH_MS);
  timer.unref();
  const write = (line: string): void => {
    writeBatch();
    destination.write(line);
  };
  const events = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write });
  return {
    events,
    access: events.isLevelEnabled("info")
      ? (line) => {
          batch += line;
          if (batch.length >= BATCH_CHARACTERS) writeBatch();
        }
      : null,
    flush: () =>
      new Promise((resolve) => {
        clearInterval(timer);
        writeBatch();
        destination.flush(() => resolve());
      }),
  };
};
