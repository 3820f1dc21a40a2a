import type { MaybePromise } from "../../../core/maybe-promise.ts";
import type { SqlDatabase } from "./database.ts";

const MAX_KEPT = 1000;

/**
 * Remembers what was read until anything is committed, by this process or another, so that it is exact. The key must
 * name everything that the read depends on, the scope included. It remembers nothing on PostgreSQL, where asking for
 * commits would take as long as reading.
 */
export const keptUntilCommit = <Value>(
  db: Pick<SqlDatabase, "dataVersion">,
): ((key: string, read: () => MaybePromise<Value>) => MaybePromise<Value>) => {
  const kept = new Map<string, Value>();
  let version: number | null = null;
  return (key, read) => {
    const present = db.dataVersion();
    if (present === null) return read();
    if (present !== version) {
      kept.clear();
      version = present;
    }
    const known = kept.get(key);
    if (known !== undefined) return known;
    const value = read();
    if (value instanceof Promise) return value;
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(key, value);
    return value;
  };
};
