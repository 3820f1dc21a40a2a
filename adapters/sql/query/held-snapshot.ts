import type { Reader, SqlDatabase } from "./database.ts";

/** A snapshot of the database. It is kept until it is released. */
export interface HeldSnapshot {
  /** Reads the snapshot. It rejects if no connection was available. */
  readonly sql: Promise<Reader>;
  /** Releases the snapshot and its connection. Further calls do nothing. */
  release(): void;
}

/** Takes a snapshot of a database. The caller must release it, whatever happens. */
export const holdSnapshot = (db: SqlDatabase): HeldSnapshot => {
  const opened = Promise.withResolvers<Reader>();
  const released = Promise.withResolvers<void>();
  // Without this, a failure that nobody awaits would be an unhandled rejection. Code that awaits it still gets the
  // failure.
  opened.promise.catch(() => {});
  db.exportSnapshot((sql) => {
    opened.resolve(sql);
    return released.promise;
  }).catch(opened.reject);
  return { sql: opened.promise, release: released.resolve };
};
