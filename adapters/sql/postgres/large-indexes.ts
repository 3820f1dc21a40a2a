import type { SQL } from "bun";
import type { LargeIndex } from "../../../migrations/migration.ts";
import { DatabaseUnavailable } from "../query/database.ts";
import { isLockedByOthers } from "./errors.ts";

/** The advisory lock of processes that create indexes. It is the same for all instances. */
const INDEX_LOCK = 7_265_187_412;
const PAUSE_MS = 200;
/** How long the creation of an index may wait for other transactions. */
const LOCK_TIMEOUT = "1min";

const usableIn = async (session: SQL): Promise<ReadonlySet<string>> => {
  const rows = await session.unsafe<{ name: string }[]>(
    `SELECT relname AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
      WHERE indisvalid AND relnamespace = current_schema()::regnamespace`,
  );
  return new Set(rows.map(({ name }) => name));
};

/**
 * Creates missing and incomplete indexes while others read and change their tables. This is impossible in a
 * transaction, so the session must not be shared. Calls `begun` once no other process does the same. Throws
 * DatabaseUnavailable if others lock a table for more than a minute; the next call then continues.
 */
export const addLargeIndexes = async (
  session: SQL,
  indexes: readonly LargeIndex[],
  begun: () => void,
): Promise<void> => {
  const usable = await usableIn(session);
  if (indexes.every(({ name }) => usable.has(name))) return;
  await session.unsafe("SET statement_timeout = 0");
  await session.unsafe(`SET lock_timeout = '${LOCK_TIMEOUT}'`);
  // A statement that waited for the lock would hold a snapshot. The creation of an index waits until every snapshot has
  // ended.
  while (!(await session.unsafe(`SELECT pg_try_advisory_lock(${INDEX_LOCK}) AS mine`))[0].mine)
    await Bun.sleep(PAUSE_MS);
  begun();
  const made = await usableIn(session);
  try {
    for (const { name, on } of indexes.filter((one) => !made.has(one.name))) {
      await session.unsafe(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await session.unsafe(`CREATE INDEX CONCURRENTLY ${name} ON ${on}`);
    }
  } catch (error) {
    if (!isLockedByOthers(error)) throw error;
    throw new DatabaseUnavailable(
      "an index could not be made, as others, such as a dump or a long query, use its table; it is made when they are done",
      { cause: error },
    );
  }
};
