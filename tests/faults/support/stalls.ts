import { SQL } from "bun";
import { Sqlite } from "../../../adapters/sql/sqlite/addon.ts";
import { fileOf } from "../../../app/database.ts";
import { type FakeClock, serviceClock } from "../../support/clock.ts";
import type { TestEngine } from "../../support/engines.ts";
import { eventually } from "../../support/eventually.ts";
import { queryDatabase } from "../../support/inspect-database.ts";

type Release = () => Promise<void>;

/** Longer than any request may take. */
const LONG_MS = 10 * 60_000;
/** The advisory lock at which slow changes wait on PostgreSQL. */
const SLOW = 4711;

/** A clock that a test moves, and on which slow changes of SQLite take long. */
export interface StallClock extends FakeClock {
  /** The number of slow changes that were made. */
  slowChanges: () => number;
}

/**
 * A statement of SQLite keeps this process, so that no test could move the clock meanwhile. Therefore it moves with
 * every slow change that is made.
 */
export const stallClock = (): StallClock => {
  const clock = serviceClock();
  const stalling: StallClock = {
    ...clock,
    slowChanges: () => 0,
    steadyMs: () => clock.steadyMs() + stalling.slowChanges() * LONG_MS,
  };
  return stalling;
};

/** Blocks every change of a table (on SQLite, of the whole database) until released. */
export const lockOf: Readonly<Record<TestEngine["name"], (url: string, table: string) => Promise<Release>>> = {
  async SQLite(url) {
    const other = new Sqlite(fileOf(url));
    other.exec("BEGIN IMMEDIATE");
    return async () => {
      other.exec("COMMIT");
      other.close();
    };
  },
  async PostgreSQL(url, table) {
    const other = new SQL(url, { max: 1 });
    await other.unsafe("BEGIN");
    await other.unsafe(`LOCK TABLE ${table} IN SHARE MODE`);
    return async () => {
      await other.unsafe("COMMIT");
      await other.close();
    };
  },
};

const BLOCKED = "datname = current_database() AND wait_event_type = 'Lock'";

/** Waits until this many sessions of a PostgreSQL database wait for a lock. */
export const untilBlocked = (url: string, sessions: number): Promise<unknown> =>
  eventually(
    () => queryDatabase(url, `SELECT pid FROM pg_stat_activity WHERE ${BLOCKED}`),
    ({ length }) => length === sessions,
  );

/** A kind of change that takes longer than a request may. */
export interface SlowChange {
  /** Waits until one is being made, and lets more time pass than a request has. */
  readonly outlast: () => Promise<void>;
  readonly release: Release;
}

/** Makes changes such as `DELETE ON sessions` take longer than a request may, until they are released. */
export const slowly: Readonly<
  Record<TestEngine["name"], (url: string, changes: string, clock: StallClock) => Promise<SlowChange>>
> = {
  async SQLite(url, changes, clock) {
    const other = new Sqlite(fileOf(url));
    other.exec("CREATE TABLE slow_changes (id INTEGER PRIMARY KEY)");
    other.exec(`CREATE TRIGGER slow AFTER ${changes} BEGIN INSERT INTO slow_changes VALUES (NULL); END`);
    const count = other.prepare("SELECT count(*) FROM slow_changes").pluck();
    clock.slowChanges = () => Number(count.get());
    return {
      outlast: async () => void (await eventually(clock.slowChanges, (made) => made > 0)),
      async release() {
        const made = clock.slowChanges();
        clock.slowChanges = () => made;
        other.exec("DROP TRIGGER slow");
        other.close();
      },
    };
  },
  async PostgreSQL(url, changes, clock) {
    const other = new SQL(url, { max: 1 });
    await other.unsafe(`SELECT pg_advisory_lock(${SLOW})`);
    await other.unsafe(
      `CREATE FUNCTION slow() RETURNS trigger AS
        'BEGIN PERFORM pg_advisory_xact_lock(${SLOW}); RETURN NULL; END' LANGUAGE plpgsql`,
    );
    await other.unsafe(`CREATE TRIGGER slow AFTER ${changes} FOR EACH ROW EXECUTE FUNCTION slow()`);
    return {
      async outlast() {
        await untilBlocked(url, 1);
        clock.advance(LONG_MS);
      },
      async release() {
        await other.unsafe(`SELECT pg_advisory_unlock(${SLOW})`);
        await other.unsafe("DROP FUNCTION slow CASCADE");
        await other.close();
      },
    };
  },
};

/** Does something again and again until a request is answered. */
const untilAnswered = async <Reply>(answer: Promise<Reply>, again: () => void | Promise<void>): Promise<Reply> => {
  let isAnswered = false;
  const over = answer.finally(() => {
    isAnswered = true;
  });
  await eventually(async () => {
    await again();
    return isAnswered;
  }, Boolean);
  return over;
};

/** Lets time pass until all are answered, also those that arrive only later. */
export const outlasted = <Reply>(clock: FakeClock, answers: Promise<Reply>): Promise<Reply> =>
  untilAnswered(answers, () => clock.advance(LONG_MS));

/** Ends each statement of a request that waits for a lock, as PostgreSQL's own limit of time does. */
export const endedWhenBlocked = async <Reply>(url: string, answer: Promise<Reply>): Promise<Reply> => {
  await untilBlocked(url, 1);
  return untilAnswered(
    answer,
    async () => void (await queryDatabase(url, `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE ${BLOCKED}`)),
  );
};
