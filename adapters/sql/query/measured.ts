import type { SqlDatabase } from "./database.ts";

/** Is told how long database operations take, in seconds. */
export interface DatabaseMeter {
  read(seconds: number): void;
  write(seconds: number): void;
  waits(): void;
  begins(seconds: number): void;
}

const secondsSince = (start: number): number => (performance.now() - start) / 1000;

/** The database, with its operations measured. */
export const measured = (db: SqlDatabase, meter: DatabaseMeter): SqlDatabase => {
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
    all: (statement, values) => timed(() => db.all(statement, values), meter.read),
    first: (statement, values) => timed(() => db.first(statement, values), meter.read),
    longReads: { all: (statement, values) => timed(() => db.longReads.all(statement, values), meter.read) },
    writeOne: (statement, values) => timed(() => db.writeOne(statement, values), meter.write),
    write: (work) =>
      timed(async () => {
        const asked = performance.now();
        let waits = true;
        const begins = (): void => {
          if (waits) meter.begins(secondsSince(asked));
          waits = false;
        };
        meter.waits();
        try {
          return await db.write((sql) => {
            begins();
            return work(sql);
          });
        } finally {
          begins();
        }
      }, meter.write),
  };
};
