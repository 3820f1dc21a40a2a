import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
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
  current = undefined;
  for (const reads of opened.splice(0)) await reads.close();
  for (const stop of watching.splice(0)) stop();
});

const PATIENT = { maxConcurrent: 1, maxPerCaller: 1, maxWaiting: 1000, waitMs: 600_000, hungMs: 600_000 };

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
/** Long enough that other reads of the same turn have to wait. */
const SLOW = counting(200_000);
/** Much longer, but not for ever: SQLite cannot be interrupted. */
const OVERDUE = counting(5_000_000);

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

/** The greatest number of threads running at once from now on, and their exit codes. */
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

/** The file of a descriptor; empty if it was closed meanwhile. */
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

test("the reads of one dealer's keys leave a thread to others, however many keys it has", async () => {
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

test("reads of the service itself use all threads if nobody else asks", async () => {
  const reads = open({ maxConcurrent: 2, maxPerCaller: 1 });
  const all = [0, 1, 2].map((number) => askAs(reads, "", quick(number)));
  expect(reads.counts).toMatchObject({ used: 2, waiting: 1 });
  await Promise.all(all);
});

test("threads are started only for reads, and never more than the limit run at once", async () => {
  const reads = open({ maxConcurrent: 2, maxPerCaller: 2 });
  expect(reads.counts).toEqual({ used: 0, idle: 0, waiting: 0 });
  const answers = Array.from({ length: 7 }, (_, number) => reads.all(quick(number), {}));
  expect(reads.counts).toEqual({ used: 2, idle: 0, waiting: 5 });
  expect((await Promise.all(answers)).flat()).toEqual([0, 1, 2, 3, 4, 5, 6].map((answer) => ({ answer })));
  expect(reads.counts).toEqual({ used: 0, idle: 2, waiting: 0 });
});

test("a caller's first read waits for one of another caller's waiting reads, not for all of them", async () => {
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

test("a read that gets no thread in time is refused, and running ones continue", async () => {
  const reads = open({ waitMs: 1 });
  const running = reads.all(counting(1_000_000), {});
  const refused = await failure(reads.all(quick(1), {}));
  expect(refused).toBeInstanceOf(DatabaseUnavailable);
  expect(await running).toEqual([{ answer: 1_000_000 }]);
  expect(await reads.all(quick(2), {})).toEqual([{ answer: 2 }]);
});

test("a read that nobody waits for any more is not begun", async () => {
  const reads = open();
  const running = reads.all(SLOW, {});
  let isGone = false;
  current = deadlineOf("gone", () => isGone);
  const abandoned = failure(reads.all(OVERDUE, {}));
  current = undefined;
  isGone = true;
  expect(await running).toEqual([{ answer: 200_000 }]);
  expect(await abandoned).toBeInstanceOf(DatabaseUnavailable);
  expect(await reads.all(quick(3), {})).toEqual([{ answer: 3 }]);
});

test("reads beyond the queue's limit are refused at once", async () => {
  const reads = open({ maxWaiting: 3 });
  const answers = Array.from({ length: 5 }, (_, number) => failure(reads.all(quick(number), {})));
  const [first, , , , last] = await Promise.all(answers);
  expect(first).toEqual({ resolved: [{ answer: 0 }] });
  expect(last).toBeInstanceOf(DatabaseUnavailable);
});

test("an overdue thread fails only its own read, and another thread takes its place", async () => {
  const reads = open({ hungMs: 100 });
  const hung = failure(reads.all(OVERDUE, {}));
  // Its own thread may take longer to start than a read may hang.
  const waiting = askAs(reads, "patient", quick(4));
  expect(await hung).toBeInstanceOf(DatabaseUnavailable);
  expect(await waiting).toEqual([{ answer: 4 }]);
});

test("abandoned threads that still work never make more than twice the usual number of threads", async () => {
  const threads = threadsFromNow();
  const reads = open({ hungMs: 50 });
  const hung = Array.from({ length: 4 }, () => failure(reads.all(OVERDUE, {})));
  const patient = askAs(reads, "patient", quick(18));
  for (const error of await Promise.all(hung)) expect(error).toBeInstanceOf(DatabaseUnavailable);
  expect(await patient).toEqual([{ answer: 18 }]);
  expect(threads.most).toBe(2);
});

test("while too many threads are abandoned, a read waits and is refused as if all were busy", async () => {
  const reads = open({ hungMs: 0, waitMs: 100 });
  const givenUp = [await failure(reads.all(OVERDUE, {})), await failure(reads.all(OVERDUE, {}))];
  for (const error of givenUp)
    expect(error).toMatchObject({ message: "SQLite: a thread that reads aside did not answer" });
  expect(await failure(reads.all(quick(19), {}))).toMatchObject({
    message: "SQLite: no thread came free in time for a long read",
  });
});

test("a read that finishes in time is never treated as hung", async () => {
  const reads = open({ hungMs: 0 });
  current = deadlineOf("patient");
  expect(await reads.all(SLOW, {})).toEqual([{ answer: 200_000 }]);
});

test("a thread that dies fails only its own read, and the next read gets another", async () => {
  const file = join(folder, `${++files}.db`);
  const reads = open({}, file);
  expect(await failure(reads.all(quick(5), {}))).toBeInstanceOf(DatabaseUnavailable);
  new Sqlite(file).close();
  expect(await reads.all(quick(6), {})).toEqual([{ answer: 6 }]);
});

test("SQLite's own error reaches the caller, and the thread continues", async () => {
  const reads = open();
  expect(await failure(reads.all(query("SELECT missing"), {}))).toMatchObject({
    message: "no such column: missing",
    code: "SQLITE_ERROR",
  });
  expect(await reads.all(quick(7), {})).toEqual([{ answer: 7 }]);
});

test("a reading thread cannot write", async () => {
  const reads = open();
  expect(
    await failure(reads.all(query("INSERT INTO numbers VALUES (1) RETURNING number AS answer"), {})),
  ).toMatchObject({ message: "SQLite: SQLITE_READONLY" });
});

test("closing refuses waiting and running reads", async () => {
  const reads = open();
  await reads.all(quick(8), {});
  const asked = [reads.all(OVERDUE, {}), reads.all(quick(9), {})].map(failure);
  await reads.close();
  for (const error of await Promise.all(asked)) expect(error).toBeInstanceOf(DatabaseUnavailable);
  expect(await failure(reads.all(quick(10), {}))).toBeInstanceOf(DatabaseUnavailable);
});

test("a closed database leaves no connection open, and its log is removed", async () => {
  const file = newFile();
  const db = openSqlite(file);
  await db.writeOne({ text: "INSERT INTO numbers VALUES (12)", bind: () => [] }, {});
  expect(await db.longReads.all(query("SELECT number AS answer FROM numbers"), {})).toEqual([{ answer: 12 }]);
  expect(existsSync(`${file}-wal`)).toBe(true);
  await db.close();
  expect(existsSync(`${file}-wal`)).toBe(false);
});

test("an abandoned thread ends by itself after its read, and leaves no connection open", async () => {
  const file = newFile();
  const threads = threadsFromNow();
  const links = () => readdirSync("/proc/self/fd").map((fd) => readlinkOf(`/proc/self/fd/${fd}`));
  const reads = open({}, file);
  await reads.all(quick(17), {});
  const overdue = failure(reads.all(OVERDUE, {}));
  await reads.close();
  expect(await overdue).toBeInstanceOf(DatabaseUnavailable);
  await eventually(links, (open) => !open.includes(file), 60_000);
  await eventually(
    () => threads.codes,
    (codes) => codes.length > 0,
    60_000,
  );
  // A thread that is terminated has another code, and may take the whole process with it.
  expect(threads.codes).toEqual([0]);
});

test("long reads of a database in memory run at once on its only connection", async () => {
  const db = openSqlite(":memory:");
  await db.writeOne({ text: "CREATE TABLE numbers (number INTEGER)", bind: () => [] }, {});
  await db.writeOne({ text: "INSERT INTO numbers VALUES (13)", bind: () => [] }, {});
  expect(await db.longReads.all(query("SELECT number AS answer FROM numbers"), {})).toEqual([{ answer: 13 }]);
  await db.close();
});

test("no long read runs while the file is not at its path", async () => {
  const file = newFile();
  const db = openSqlite(file);
  await db.longReads.all(quick(14), {});
  renameSync(file, `${file}.away`);
  const read = async () => db.all(quick(15), {});
  await eventually(
    () => failure(read()),
    (outcome) => outcome instanceof DatabaseUnavailable,
    10_000,
  );
  expect(await failure((async () => db.longReads.all(quick(16), {}))())).toBeInstanceOf(DatabaseUnavailable);
  renameSync(`${file}.away`, file);
  await db.close();
});
