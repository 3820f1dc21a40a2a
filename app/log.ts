import pino, { type Logger } from "pino";
import type { Log } from "../adapters/http/request-log.ts";
import type { LogLevel } from "./config.ts";

const BATCH_BYTES = 64 * 1024;
const FLUSH_MS = 250;

/** The log, and the way to bring what is still in memory onto standard output: once `flush` resolves it is there. */
export interface OpenLog extends Log {
  flush(): Promise<void>;
}

/** Where bytes are written without waiting: what pino's destination is in its mode for bytes, which its types leave out. */
interface ByteDestination {
  write(bytes: Buffer): boolean;
  flush(done: () => void): void;
  on(event: "error", listener: () => void): void;
}

/** Events as lines of JSON, with their level as a word and their time as ISO 8601. */
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
 * JSON lines on standard output. Those of requests are written in batches; an event brings out what came before it.
 * A batch is bytes from the start: handed over as text, it would be measured, cut and encoded again, 1 µs a line.
 */
export const openLog = (level: LogLevel): OpenLog => {
  const destination = pino.destination({
    dest: 1,
    sync: false,
    contentMode: "buffer",
    // Of 0, the default, it would say that it has flushed while it still writes.
    minLength: 1,
  }) as unknown as ByteDestination;
  // A reader that went away must not take the service with it.
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
