import type { SqlDatabase } from "./database.ts";

/** Records how long database operations take, in seconds. */
export interface DatabaseMetrics {
  readTook(seconds: number): void;
  writeTook(seconds: number): void;
  writeQueued(): void;
  writeStarted(seconds: number): void;
}

const secondsSince = (start: number): number => (performance.now() - start) / 1000;

/** The same database, with its operations measured. */
export const withMetrics = (db: SqlDatabase, meter: DatabaseMetrics): SqlDatabase => {
  const timed = <Result>(run: () => Result, record: (seconds: number) => void): Result => {
    const start = performance.now();
    const result = run();
    if (result instanceof Promise) {
      const done = (): void => record(secondsSince(start));
      result.then(done, done);
    } else record(secondsSince(start));
    return result;
  };
  return {
    ...db,
    all: (statement, values) => timed(() => db.all(statement, values), meter.readTook),
    first: (statement, values) => timed(() => db.first(statement, values), meter.readTook),
    longReads: {
      ...db.longReads,
      all: (statement, values) => timed(() => db.longReads.all(statement, values), meter.readTook),
    },
    writeOne: (statement, values) => timed(() => db.writeOne(statement, values), meter.writeTook),
    write: (work, moreMs) =>
      timed(async () => {
        const queuedAt = performance.now();
        let waits = true;
        const begins = (): void => {
          if (waits) meter.writeStarted(secondsSince(queuedAt));
          waits = false;
        };
        meter.writeQueued();
        try {
          return await db.write((sql) => {
            begins();
            return work(sql);
          }, moreMs);
        } finally {
          begins();
        }
      }, meter.writeTook),
  };
};
