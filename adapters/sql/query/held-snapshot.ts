import type { Sql, SqlDatabase } from "./database.ts";

/** A snapshot of the database, kept until it is released. */
export interface HeldSnapshot {
  /** Reads the snapshot; rejects if there was no connection for it. */
  readonly sql: Promise<Sql>;
  /** Releases the snapshot and its connection; calling it again does nothing. */
  release(): void;
}

/** Takes a snapshot of a database. The caller must release it, whatever happens. */
export const holdSnapshot = (db: SqlDatabase): HeldSnapshot => {
  const opened = Promise.withResolvers<Sql>();
  const released = Promise.withResolvers<void>();
  // Without this, a failure that nobody awaits would count as an unhandled rejection. Whoever awaits it still gets it.
  opened.promise.catch(() => {});
  db.exportSnapshot((sql) => {
    opened.resolve(sql);
    return released.promise;
  }).catch(opened.reject);
  return { sql: opened.promise, release: released.resolve };
};
