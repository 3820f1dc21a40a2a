import type { Logger } from "pino";
import { type ServingLock, takeServingLock } from "../adapters/sql/sqlite/serving-lock.ts";
import { fileOf } from "./database.ts";
import { isPostgresUrl } from "./database-url.ts";

const LOOK_MS = 5000;

/** Watches for another process on the same SQLite file. */
export interface ProcessWatch {
  /** `several` if another process serves the file, too; `null` if that makes no difference. */
  readonly processes: "one" | "several" | null;
  stop(): void;
}

const watch = (lock: ServingLock, log: Logger): ProcessWatch => {
  if (lock.isTaken)
    log.warn(
      "another process serves the same SQLite file: limits and turns are each one's own; for several instances use PostgreSQL",
    );
  const timer = setInterval(() => {
    const wasTaken = lock.isTaken;
    lock.look();
    if (wasTaken && !lock.isTaken) log.info("this process serves the SQLite file alone now");
  }, LOOK_MS);
  timer.unref();
  return {
    get processes() {
      return lock.isTaken ? "several" : "one";
    },
    stop() {
      clearInterval(timer);
      lock.close();
    },
  };
};

/** Says in the log whether this is a second process on one SQLite file, and looks again until it is the only one. */
export const watchProcesses = (databaseUrl: string, log: Logger): ProcessWatch => {
  if (isPostgresUrl(databaseUrl) || fileOf(databaseUrl) === ":memory:") return { processes: null, stop() {} };
  return watch(takeServingLock(fileOf(databaseUrl)), log);
};
