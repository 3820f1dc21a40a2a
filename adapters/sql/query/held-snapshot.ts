import type { Sql, SqlDatabase } from "./database.ts";

/** One state of the database, kept until it is let go. */
export interface HeldSnapshot {
  /** Reads that state; rejects if there was no connection for it. */
  readonly sql: Promise<Sql>;
  /** Lets it go, with its connection; more than once is as good as once. */
  release(): void;
}

/** Begins to hold the present state of a database. Whoever calls this must let it go, whatever happens. */
export const holdSnapshot = (db: SqlDatabase): HeldSnapshot => {
  const opened = Promise.withResolvers<Sql>();
  const released = Promise.withResolvers<void>();
  // Nobody may wait for it when it fails: those who do are told by their own promise.
  opened.promise.catch(() => {});
  db.snapshotBeside((sql) => {
    opened.resolve(sql);
    return released.promise;
  }).catch(opened.reject);
  return { sql: opened.promise, release: released.resolve };
};
