import { DatabaseUnavailable } from "./database.ts";
import { isLockedByOthers } from "./postgres-errors.ts";

/**
 * How long a migration waits for a table. Whoever else wants the table queues behind it meanwhile; and it is less than
 * the second after which PostgreSQL looks for deadlocks, so that no reader has to give way.
 */
export const LOCK_WAIT_MS = 300;
const PAUSE_MS = 200;
const ATTEMPTS = 120;

/**
 * Does work that locks tables of a database in use, again from the beginning when it could not get one in time: for a
 * minute, in which others go on. A dump or a long read can hold the tables for longer; then it throws.
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
