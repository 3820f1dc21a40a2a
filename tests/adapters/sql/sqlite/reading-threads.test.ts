import { afterEach, beforeEach, describe, expect, jest, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readlinkSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { DatabaseUnavailable, type Deadline } from "../../../../adapters/sql/query/database.ts";
import type { Statement } from "../../../../adapters/sql/query/statement.ts";
import { Sqlite } from "../../../../adapters/sql/sqlite/addon.ts";
import { openSqlite } from "../../../../adapters/sql/sqlite/open.ts";
import { ReadingThreads } from "../../../../adapters/sql/sqlite/reading-threads.ts";
import { eventually } from "../../../support/eventually.ts";
import { scratchFolder } from "../../../support/scratch-folder.ts";

setDefaultTimeout(300_000);

const folder = scratchFolder("aside-");
let files = 0;

const newFile = (): string => {
  const file = join(folder, `${++files}.db`);
  const connection = new Sqlite(file);
  connection.pragma("journal_mode = WAL");
  connection.exec("CREATE TABLE numbers (number INTEGER)");
  connection.close();
  return file;
};

const opened: ReadingThreads[] = [];
const watching: (() => void)[] = [];
let current: Deadline | undefined;
afterEach(async () => {
  jest.useRealTimers();
  current = undefined;
  for (const reads of opened.splice(0)) await reads.close();
  for (const stop of watching.splice(0)) stop();
});

const PATIENT = {
  maxConcurrent: 1,
  maxPerCaller: 1,
  maxWaiting: 1000,
  waitMs: 600_000,
  hungMs: 600_000,
  keptMs: 600_000,
};

const open = (limits: Partial<typeof PATIENT> = {}, file = newFile()): ReadingThreads => {
  const reads = new ReadingThreads(file, () => current, { ...PATIENT, ...limits });
  opened.push(reads);
  return reads;
};

const query = (text: string): Statement<{ answer: number }> => ({ text, bind: () => [] });
const quick = (answer: number) => query(`SELECT ${answer} AS answer`);
const counting = (to: number) =>
  query(
    `WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${to}) SELECT max(n) AS answer FROM counted`,
  );
/** Long enough that what is asked in the same turn has to wait. */
const SLOW = counting(200_000);

const deadlineOf = (caller: string, isOver = () => false): Deadline => ({
  caller,
  isOver,
  beginChange: () => true,
  changeMade() {},
});

const askAs = (reads: ReadingThreads, caller: string, statement: Statement<{ answer: number }>) => {
  current = deadlineOf(caller);
  return reads.all(statement, {});
};

/** Threads that are started from now on: how many there are at most at once, and the codes that they ended with. */
const threadsFromNow = () => {
  const seen = { present: 0, most: 0, codes: [] as number[] };
  const started = (thread: Worker): void => {
    seen.most = Math.max(seen.most, ++seen.present);
    thread.on("exit", (code) => {
      seen.present--;
      seen.codes.push(code);
    });
  };
  process.on("worker", started);
  watching.push(() => process.off("worker", started));
  return seen;
};

/** What a descriptor is of; one that was closed meanwhile is of nothing. */
const readlinkOf = (path: string): string => {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
};

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => ({ resolved: value }),
    (error: unknown) => error,
  );

test("the main thread continues while a reading thread works", async () => {
  const reads = open();
  let turns = 0;
  let isDone = false;
  const answer = reads.all(counting(300_000), {}).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await new Promise((resume) => setImmediate(resume));
    turns++;
  }
  expect(await answer).toEqual([{ answer: 300_000 }]);
  expect(turns).toBeGreaterThan(100);
});

test("the reads of one dealer's keys leave a thread to others, however many they are", async () => {
  const reads = open({ maxConcurrent: 2, maxPerCaller: 1 });
  const answered: number[] = [];
  const ask = (caller: string, statement: Statement<{ answer: number }>, name: number) =>
    askAs(reads, caller, statement).then(() => answered.push(name));
  const all = [0, 1, 2].map((key) => ask(`dealer:1 key:${key}`, SLOW, key));
  expect(reads.counts).toMatchObject({ used: 1, waiting: 2 });
  all.push(ask("dealer:2 key:9", quick(1), 9));
  expect(reads.counts).toMatchObject({ used: 2, waiting: 2 });
  await Promise.all(all);
  expect(answered.toSorted()).toEqual([0, 1, 2, 9]);
});

test("the reads of the service itself, which it makes for many, have all threads if nobody else asks", async () => {
  const reads = open({ maxConcurrent: 2, maxPerCaller: 1 });
  const all = [0, 1, 2].map((number) => askAs(reads, "", quick(number)));
  expect(reads.counts).toMatchObject({ used: 2, waiting: 1 });
  await Promise.all(all);
});

test("no thread is started before a read comes, and never more than the limit run at once", async () => {
  const reads = open({ maxConcurrent: 2, maxPerCaller: 2 });
  expect(reads.counts).toEqual({ used: 0, idle: 0, waiting: 0 });
  const answers = Array.from({ length: 7 }, (_, number) => reads.all(quick(number), {}));
  expect(reads.counts).toEqual({ used: 2, idle: 0, waiting: 5 });
  expect((await Promise.all(answers)).flat()).toEqual([0, 1, 2, 3, 4, 5, 6].map((answer) => ({ answer })));
  expect(reads.counts).toEqual({ used: 0, idle: 2, waiting: 0 });
});

test("a thread is started for a read that no other is free for, and not for one more", async () => {
  const reads = open({ maxConcurrent: 2, maxPerCaller: 2 });
  const answer = reads.all(quick(1), {});
  expect(reads.counts).toEqual({ used: 1, idle: 0, waiting: 0 });
  await answer;
  const again = reads.all(quick(2), {});
  expect(reads.counts).toEqual({ used: 1, idle: 0, waiting: 0 });
  await again;
});

test("a caller's first read waits for one of those that another has waiting, not for all of them", async () => {
  const reads = open();
  const order: string[] = [];
  const asked = [
    askAs(reads, "crowd", SLOW),
    ...Array.from({ length: 100 }, (_, number) => askAs(reads, "crowd", quick(number)).then(() => order.push("crowd"))),
    askAs(reads, "late", quick(0)).then(() => order.push("late")),
  ];
  await Promise.all(asked);
  expect(order.indexOf("late")).toBeLessThanOrEqual(1);
});

describe("while the clock of the service is moved by hand", () => {
  beforeEach(() => void jest.useFakeTimers());

  /** What ended, and how, without a turn of the event loop: no thread can answer meanwhile. */
  const noting = () => {
    const ends: string[] = [];
    return {
      note(name: string, read: Promise<unknown>): void {
        read.then(
          () => ends.push(`${name}: answered`),
          (error: Error) => ends.push(`${name}: ${error.message}`),
        );
      },
      async pass(ms: number): Promise<readonly string[]> {
        jest.advanceTimersByTime(ms);
        for (let times = 0; times < 10; times++) await Promise.resolve();
        return ends;
      },
    };
  };
  const TOO_LATE = "SQLite: no thread came free in time for a long read";
  const OVER = "not begun: the time for the request is over, or its client has gone away";
  const HUNG = "SQLite: a thread that reads aside did not answer";

  test("a read that got no thread in time is refused then, not before, and those that run are not", async () => {
    const reads = open({ waitMs: 2000 });
    const { note, pass } = noting();
    const running = reads.all(SLOW, {});
    note("first", reads.all(quick(1), {}));
    await pass(1000);
    note("second", reads.all(quick(2), {}));
    expect(await pass(999)).toEqual([]);
    expect(await pass(1)).toEqual([`first: ${TOO_LATE}`]);
    expect(await pass(999)).toEqual([`first: ${TOO_LATE}`]);
    expect(await pass(1)).toEqual([`first: ${TOO_LATE}`, `second: ${TOO_LATE}`]);
    expect(await running).toEqual([{ answer: 200_000 }]);
    expect(await reads.all(quick(3), {})).toEqual([{ answer: 3 }]);
  });

  test("a read for which nobody waits any more is not begun when its turn comes, and gives it to the next", async () => {
    const reads = open();
    const running = reads.all(SLOW, {});
    let isGone = false;
    current = deadlineOf("gone", () => isGone);
    const abandoned = failure(reads.all(SLOW, {}));
    current = undefined;
    const next = reads.all(quick(3), {});
    isGone = true;
    // No clock has looked for it meanwhile: it is found out when its turn comes.
    expect(await running).toEqual([{ answer: 200_000 }]);
    expect(await abandoned).toMatchObject({ message: OVER });
    expect(await next).toEqual([{ answer: 3 }]);
  });

  test("a read for which nobody waits any more is refused soon, though no thread comes free, and others wait on", async () => {
    const reads = open();
    const { note, pass } = noting();
    const running = reads.all(SLOW, {});
    let isGone = false;
    current = deadlineOf("gone", () => isGone);
    note("gone", reads.all(quick(1), {}));
    current = deadlineOf("patient");
    const patient = reads.all(quick(2), {});
    note("patient", patient);
    expect(await pass(50)).toEqual([]);
    isGone = true;
    expect(await pass(50)).toEqual([`gone: ${OVER}`]);
    await running;
    expect(await patient).toEqual([{ answer: 2 }]);
  });

  test("a thread is given up once it is overdue and nobody waits for it, and its place is another's", async () => {
    const reads = open({ hungMs: 1000 });
    const { note, pass } = noting();
    note("nobody's", reads.all(SLOW, {}));
    const next = reads.all(quick(1), {});
    expect(await pass(999)).toEqual([]);
    expect(await pass(1)).toEqual([`nobody's: ${HUNG}`]);
    expect(reads.counts).toEqual({ used: 1, idle: 0, waiting: 0 });
    expect(await next).toEqual([{ answer: 1 }]);
    let isOver = false;
    current = deadlineOf("one", () => isOver);
    note("one", reads.all(SLOW, {}));
    expect(await pass(5000)).toEqual([`nobody's: ${HUNG}`]);
    isOver = true;
    expect(await pass(50)).toEqual([`nobody's: ${HUNG}`, `one: ${HUNG}`]);
  });

  test("abandoned threads that still work never make more than twice the usual number of threads", async () => {
    const threads = threadsFromNow();
    const reads = open({ hungMs: 1000, waitMs: 5000 });
    const { note, pass } = noting();
    for (const name of ["first", "second", "third"]) note(name, reads.all(SLOW, {}));
    const given = [`first: ${HUNG}`, `second: ${HUNG}`];
    expect(await pass(1000)).toEqual(given.slice(0, 1));
    const patient = askAs(reads, "patient", quick(18));
    expect(await pass(1000)).toEqual(given);
    expect(reads.counts).toEqual({ used: 0, idle: 0, waiting: 2 });
    // Those that wait are refused as if all threads were busy.
    expect(await pass(3000)).toEqual([...given, `third: ${TOO_LATE}`]);
    expect(await patient).toEqual([{ answer: 18 }]);
    expect(threads.most).toBe(2);
  });

  test("the clock is looked at while a read waits or runs, and no longer", async () => {
    const reads = open();
    const [first, second] = [reads.all(quick(1), {}), reads.all(quick(2), {})];
    expect(jest.getTimerCount()).toBe(1);
    jest.advanceTimersByTime(100);
    expect(jest.getTimerCount()).toBe(1);
    await Promise.all([first, second]);
    jest.advanceTimersByTime(50);
    // Then nothing is left but the end of the idle threads.
    jest.advanceTimersByTime(PATIENT.keptMs);
    expect(reads.counts.idle).toBe(0);
    jest.advanceTimersByTime(1000);
    expect(jest.getTimerCount()).toBe(0);
    const running = reads.all(SLOW, {});
    jest.advanceTimersByTime(100);
    expect(reads.counts.used).toBe(1);
    await running;
  });

  test("threads end after a time without reads, and others are started for later ones", async () => {
    const ended = threadsFromNow();
    const reads = open();
    const readOnce = async (answer: number): Promise<void> => {
      expect(await reads.all(quick(answer), {})).toEqual([{ answer }]);
      jest.advanceTimersByTime(50);
    };
    await readOnce(1);
    jest.advanceTimersByTime(PATIENT.keptMs - 1);
    await readOnce(2);
    jest.advanceTimersByTime(PATIENT.keptMs - 1);
    expect(reads.counts).toEqual({ used: 0, idle: 1, waiting: 0 });
    jest.advanceTimersByTime(1);
    expect(reads.counts).toEqual({ used: 0, idle: 0, waiting: 0 });
    await readOnce(3);
    jest.useRealTimers();
    await eventually(
      () => ended.codes,
      ([code]) => code === 0,
    );
    expect(ended.present).toBe(1);
  });
});

test("the queue is bounded: excess reads are refused at once", async () => {
  const reads = open({ maxWaiting: 3 });
  const answers = Array.from({ length: 5 }, (_, number) => failure(reads.all(quick(number), {})));
  const ends = await Promise.all(answers);
  expect(ends.slice(0, 4)).toEqual([0, 1, 2, 3].map((answer) => ({ resolved: [{ answer }] })));
  expect(ends[4]).toMatchObject({ message: "SQLite: too many long reads wait already" });
});

test("a read in time is never taken for hung", async () => {
  const reads = open({ hungMs: 0 });
  current = deadlineOf("patient");
  expect(await reads.all(SLOW, {})).toEqual([{ answer: 200_000 }]);
});

test("a thread that dies fails the read on it alone, and the next read gets another", async () => {
  const file = join(folder, `${++files}.db`);
  const reads = open({}, file);
  expect(await failure(reads.all(quick(5), {}))).toBeInstanceOf(DatabaseUnavailable);
  new Sqlite(file).close();
  expect(await reads.all(quick(6), {})).toEqual([{ answer: 6 }]);
});

test("SQLite's own error reaches the caller, and the thread goes on", async () => {
  const reads = open();
  expect(await failure(reads.all(query("SELECT missing"), {}))).toMatchObject({
    message: "no such column: missing",
    code: "SQLITE_ERROR",
  });
  expect(await reads.all(quick(7), {})).toEqual([{ answer: 7 }]);
});

test("nothing can be written by a reading thread", async () => {
  const reads = open();
  expect(
    await failure(reads.all(query("INSERT INTO numbers VALUES (1) RETURNING number AS answer"), {})),
  ).toMatchObject({ message: "SQLite: SQLITE_READONLY" });
});

test("closing refuses waiting and running reads", async () => {
  const reads = open();
  await reads.all(quick(8), {});
  const asked = [reads.all(SLOW, {}), reads.all(quick(9), {})].map(failure);
  await reads.close();
  for (const error of await Promise.all(asked)) expect(error).toBeInstanceOf(DatabaseUnavailable);
  expect(await failure(reads.all(quick(10), {}))).toBeInstanceOf(DatabaseUnavailable);
});

test("a closed database leaves no connection open: its log is gone", async () => {
  const file = newFile();
  const db = openSqlite(file);
  await db.writeOne({ text: "INSERT INTO numbers VALUES (12)", bind: () => [] }, {});
  expect(await db.longReads.all(query("SELECT number AS answer FROM numbers"), {})).toEqual([{ answer: 12 }]);
  expect(existsSync(`${file}-wal`)).toBe(true);
  await db.close();
  expect(existsSync(`${file}-wal`)).toBe(false);
});

test("a thread that was given up ends by itself when its read is done, and leaves no connection open", async () => {
  const file = newFile();
  const threads = threadsFromNow();
  const links = () => readdirSync("/proc/self/fd").map((fd) => readlinkOf(`/proc/self/fd/${fd}`));
  const reads = open({}, file);
  await reads.all(quick(17), {});
  const overdue = failure(reads.all(SLOW, {}));
  await reads.close();
  expect(await overdue).toBeInstanceOf(DatabaseUnavailable);
  await eventually(links, (open) => !open.includes(file));
  await eventually(
    () => threads.codes,
    (codes) => codes.length > 0,
  );
  // A thread that is terminated has another code, and may take the whole process with it.
  expect(threads.codes).toEqual([0]);
});

test("a database in memory has no other connection: long reads run at once on the main one", async () => {
  const db = openSqlite(":memory:");
  await db.writeOne({ text: "CREATE TABLE numbers (number INTEGER)", bind: () => [] }, {});
  await db.writeOne({ text: "INSERT INTO numbers VALUES (13)", bind: () => [] }, {});
  expect(await db.longReads.all(query("SELECT number AS answer FROM numbers"), {})).toEqual([{ answer: 13 }]);
  await db.close();
});

test("while the file is not at its path, no long read runs", async () => {
  const file = newFile();
  const db = openSqlite(file);
  await db.longReads.all(quick(14), {});
  renameSync(file, `${file}.away`);
  const read = async () => db.all(quick(15), {});
  await eventually(
    () => failure(read()),
    (outcome) => outcome instanceof DatabaseUnavailable,
  );
  expect(await failure((async () => db.longReads.all(quick(16), {}))())).toBeInstanceOf(DatabaseUnavailable);
  renameSync(`${file}.away`, file);
  await db.close();
});
