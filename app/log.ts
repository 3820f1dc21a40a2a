import pino, { type Logger } from "pino";
import type { Log } from "../adapters/http/server/request-log.ts";
import type { LogLevel } from "./config.ts";

const BATCH_BYTES = 64 * 1024;
const FLUSH_MS = 250;

/** The log. `flush` resolves when everything was written to standard output. */
export interface OpenLog extends Log {
  flush(): Promise<void>;
}

/** pino's destination when it is used with bytes. pino's types do not include this. */
interface ByteDestination {
  write(bytes: Buffer): boolean;
  flush(done: () => void): void;
  on(event: "error", listener: () => void): void;
}

/** Events as JSON lines. The level is a word, and the time is in ISO 8601. */
export const openEvents = (level: LogLevel, destination: { write(line: string): void }): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );

/**
 * Writes JSON lines to standard output. Lines of requests are written in batches. An event first flushes the lines
 * before it. Batches are bytes from the start, as text would have to be measured, split and encoded again.
 */
export const openLog = (level: LogLevel): OpenLog => {
  const destination = pino.destination({
    dest: 1,
    sync: false,
    contentMode: "buffer",
    // With the default of 0, the destination reports that a flush is finished while it is still writing.
    minLength: 1,
  }) as unknown as ByteDestination;
  // If nobody reads standard output any more, the service must not end.
  destination.on("error", () => {});
  let batch = Buffer.allocUnsafeSlow(BATCH_BYTES);
  let filled = 0;
  const writeBatch = (): void => {
    if (filled === 0) return;
    destination.write(batch.subarray(0, filled));
    batch = Buffer.allocUnsafeSlow(BATCH_BYTES);
    filled = 0;
  };
  const timer = setInterval(writeBatch, FLUSH_MS);
  timer.unref();
  const write = (line: string): void => {
    writeBatch();
    destination.write(Buffer.from(line));
  };
  const events = openEvents(level, { write });
  return {
    events,
    access: events.isLevelEnabled("error")
      ? (line) => {
          if (filled + line.length > BATCH_BYTES) writeBatch();
          filled += batch.write(line, filled, "latin1");
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
