import { realpathSync } from "node:fs";
import { Sqlite } from "./addon.ts";
import { withPrivateUmask } from "./private-files.ts";

const SUFFIX = "-serving";

/** Tells whether another process serves the same database file. */
export interface ServingLock {
  /** True if another process holds the lock, so that limits and turns are each one's own. */
  readonly isTaken: boolean;
  /** Takes the lock if the other process has let it go. */
  look(): void;
  close(): void;
}

/**
 * Takes the lock of the process that serves a database file. It is a lock on an empty file beside the database, which
 * the system releases when the process ends, however it ends. Where there can be no such file, nobody is known to be
 * there.
 */
export const takeServingLock = (file: string): ServingLock => {
  const path = `${realpathSync(file)}${SUFFIX}`;
  let held: InstanceType<typeof Sqlite> | null = null;
  let isTaken = false;
  const look = (): void => {
    if (held !== null) return;
    let connection: InstanceType<typeof Sqlite> | null = null;
    try {
      connection = withPrivateUmask(() => new Sqlite(path, { timeout: 0 }));
      connection.exec("BEGIN EXCLUSIVE");
      held = connection;
      isTaken = false;
    } catch (error) {
      connection?.close();
      isTaken = error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY");
    }
  };
  look();
  return {
    get isTaken() {
      return isTaken;
    },
    look,
    close: () => held?.close(),
  };
};
