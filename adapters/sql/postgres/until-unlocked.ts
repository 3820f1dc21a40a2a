import { DatabaseUnavailable } from "../query/database.ts";
import { isLockedByOthers } from "./errors.ts";

/**
 * How long a migration waits for the lock of a table. Everybody else who needs the table waits behind it. The time is
 * shorter than PostgreSQL's deadlock timeout of a second, so that no reader is cancelled.
 */
export const LOCK_WAIT_MS = 300;
const PAUSE_MS = 200;
const ATTEMPTS = 120;

/**
 * Runs work that locks tables of a database that is in use. If a lock is not free in time, the work is restarted;
 * others can go on meanwhile. Throws after a minute, for example if a dump holds the tables longer.
 */
export const untilUnlocked = async (work: () => Promise<void>): Promise<void> => {
  for (let attempt = 1; ; attempt++)
    try {
      return await work();
    } catch (error) {
      if (!isLockedByOthers(error)) throw error;
      if (attempt === ATTEMPTS)
        throw new DatabaseUnavailable(
          "its tables are locked by others, such as a dump or a long query; the schema is updated when they are done",
          { cause: error },
        );
      await Bun.sleep(PAUSE_MS);
    }
};
