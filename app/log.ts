import pino from "pino";
import { LogBatch } from "../adapters/http/log-batch.ts";
import type { Log } from "../adapters/http/request-log.ts";
import type { LogLevel } from "./config.ts";

const FLUSH_MS = 250;

/** The log, and the way to bring what is still in memory onto standard output. */
export interface OpenLog extends Log {
  flush(): Promise<void>;
}

/** Where bytes are written without waiting: what pino's destination is in its mode for bytes, which its types leave out. */
interface ByteDestination {
  write(bytes: Buffer): boolean;
  flush(done: () => void): void;
  on(event: "error", listener: () => void): void;
}

/** JSON lines on standard output. Those of requests are written in batches; an event brings out what came before it. */
export const openLog = (level: LogLevel): OpenLog => {
  const destination = pino.destination({
    dest: 1,
    sync: false,
    contentMode: "buffer",
  }) as unknown as ByteDestination;
  // A reader that went away must not take the service with it.
  destination.on("error", () => {});
  const batch = new LogBatch((lines) => void destination.write(lines));
  const timer = setInterval(() => batch.flush(), FLUSH_MS);
  timer.unref();
  const write = (line: string): void => {
    batch.flush();
    destination.write(Buffer.from(line));
  };
  const events = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write });
  return {
    events,
    access: events.isLevelEnabled("info") ? batch : null,
    flush: () =>
      new Promise((resolve) => {
        clearInterval(timer);
        batch.flush();
        destination.flush(() => resolve());
      }),
  };
};
