import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { makeJobs, transactionalJobs } from "../../../../adapters/sql/jobs/jobs.ts";
import { type JobHandler, jobRunner } from "../../../../adapters/sql/jobs/runner.ts";
import type { SqlDatabase } from "../../../../adapters/sql/query/database.ts";
import type { Claim, JobKind } from "../../../../core/jobs/job.ts";
import { fakeClock } from "../../../support/clock.ts";
import { ENGINES } from "../../../support/engines.ts";

/** How often a runner looks by itself. */
const LOOK_MS = 1000;
const TURN_MS = 60_000;

let db: SqlDatabase;
let jobs: ReturnType<typeof transactionalJobs>;
/** Jobs at work, by subject. They go on until they are told to end. */
let atWork: Map<number, { isStopping: () => boolean; end: () => void; fail: (error: Error) => void }>;
let begun: number[];
let looks: number;
/** Looks end when this is over. */
let held: Promise<void>;
let failures: string[];
let runner: ReturnType<typeof jobRunner>;

/** Lets everything happen that waits for no clock. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) await new Promise((resume) => setImmediate(resume));
};
const pass = async (ms: number): Promise<void> => {
  jest.advanceTimersByTime(ms);
  await settled();
};
const add = (kind: JobKind, ...subjects: readonly number[]): Promise<void> =>
  db.write(async (tx) => {
    for (const subject of subjects) await jobs.add(tx, { kind, queue: subject, subject });
  });
const end = async (subject: number): Promise<void> => {
  atWork.get(subject)?.end();
  await settled();
};
const report = (error: unknown): void => void failures.push(String(error));

beforeEach(async () => {
  db = await ENGINES[0].open();
  const clock = fakeClock();
  jobs = transactionalJobs(clock);
  [atWork, begun, looks, failures, held] = [new Map(), [], 0, [], Promise.resolve()];
  const work: JobHandler = async ({ kind, subjectId }, isStopping) => {
    begun.push(subjectId);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    atWork.set(subjectId, { isStopping, end: resolve, fail: reject });
    await promise.finally(() => atWork.delete(subjectId));
    await db.write((tx) => jobs.end(tx, kind, subjectId));
  };
  const { claim, release } = makeJobs(db, clock);
  const watched = {
    async claim(owner: string, kind: JobKind): Promise<Claim | null> {
      looks++;
      const found = await claim(owner, kind);
      await held;
      return found;
    },
    release,
  };
  runner = jobRunner(watched, { import: work, source: work, photos: work, schedule: work }, TURN_MS);
  jest.useFakeTimers();
});
afterEach(async () => {
  for (const { end } of atWork.values()) end();
  await runner.stop();
  jest.useRealTimers();
  await db.close();
});

test("two imports and four fetches of sources are at work at once, and neither kind waits for the other", async () => {
  await add("import", 1, 2, 3, 4);
  await add("source", 11, 12, 13, 14, 15, 16);
  runner.start(report);
  for (let time = 0; time < 3; time++) runner.nudge();
  await settled();
  expect(begun.toSorted((one, other) => one - other)).toEqual([1, 2, 11, 12, 13, 14]);
  await end(11);
  expect(begun.slice(6)).toEqual([15]);
  await end(2);
  expect(begun.slice(6)).toEqual([15, 3]);
});

test("what waits for its turn begins as soon as another job has ended", async () => {
  await add("import", 1, 2, 3);
  runner.start(report);
  await settled();
  expect(begun).toEqual([1, 2]);
  await end(1);
  expect([begun, failures]).toEqual([[1, 2, 3], []]);
});

test("a job that fails is reported, gives its place back, and is tried again only at the next look", async () => {
  await add("import", 1);
  runner.start(report);
  await settled();
  atWork.get(1)?.fail(new Error("broken"));
  await settled();
  expect([begun, failures, atWork.size]).toEqual([[1], ["Error: broken"], 0]);
  await add("import", 2, 3);
  await pass(LOOK_MS);
  expect(begun).toEqual([1, 2, 3]);
  await end(2);
  expect(begun).toEqual([1, 2, 3, 1]);
});

test("a job is told to give its place back when its turn is over, not before", async () => {
  await add("import", 1);
  runner.start(report);
  await settled();
  jest.advanceTimersByTime(TURN_MS - 1);
  expect(atWork.get(1)?.isStopping()).toBe(false);
  jest.advanceTimersByTime(1);
  expect(atWork.get(1)?.isStopping()).toBe(true);
});

test("jobs are looked for once a second, or when somebody says so, and not in between", async () => {
  runner.nudge();
  await settled();
  // Not started yet.
  expect(looks).toBe(0);
  runner.start(report);
  await settled();
  // Once for each kind.
  expect(looks).toBe(4);
  await pass(LOOK_MS - 1);
  expect(looks).toBe(4);
  await pass(1);
  expect(looks).toBe(8);
  await add("source", 11);
  await settled();
  expect(begun).toEqual([]);
  runner.nudge();
  await settled();
  expect(begun).toEqual([11]);
});

test("a job that comes while others are looked for is found without a second's wait", async () => {
  const look = Promise.withResolvers<void>();
  held = look.promise;
  runner.start(report);
  await settled();
  await add("import", 1);
  runner.nudge();
  await settled();
  expect(begun).toEqual([]);
  look.resolve();
  await settled();
  expect(begun).toEqual([1]);
});

test("a runner that stops waits for its jobs, begins no other, leaves these to other processes, and keeps no timer", async () => {
  await add("import", 1, 2, 3);
  runner.start(report);
  await settled();
  let isStopped = false;
  // The database may have timers of its own.
  const timers = jest.getTimerCount();
  const stopped = runner.stop().then(() => {
    isStopped = true;
  });
  expect([1, 2].map((subject) => atWork.get(subject)?.isStopping())).toEqual([true, true]);
  expect(jest.getTimerCount()).toBe(timers - 1);
  runner.nudge();
  await end(1);
  expect([isStopped, begun]).toEqual([false, [1, 2]]);
  atWork.get(2)?.fail(new Error("given up"));
  await stopped;
  await settled();
  expect([begun, failures]).toEqual([[1, 2], ["Error: given up"]]);
  const other = makeJobs(db, fakeClock());
  const claimed = [await other.claim("one", "import"), await other.claim("two", "import")];
  expect(claimed.map((claim) => claim?.subjectId)).toEqual([2, 3]);
});

test("a runner that stops while it looks does no more than what it has claimed by then", async () => {
  await add("import", 1, 2);
  const look = Promise.withResolvers<void>();
  held = look.promise;
  runner.start(report);
  await settled();
  let isStopped = false;
  const stopped = runner.stop().then(() => {
    isStopped = true;
  });
  await settled();
  expect(isStopped).toBe(false);
  look.resolve();
  await settled();
  expect(begun).toEqual([1]);
  expect(atWork.get(1)?.isStopping()).toBe(true);
  await end(1);
  await stopped;
  expect(begun).toEqual([1]);
});

test("a look that fails is reported, and the next one finds the jobs", async () => {
  await add("import", 1);
  await db.migrate(async (run) => void (await run("ALTER TABLE jobs RENAME TO away")));
  runner.start(report);
  await settled();
  expect([begun, failures.length]).toEqual([[], 1]);
  await db.migrate(async (run) => void (await run("ALTER TABLE away RENAME TO jobs")));
  await pass(LOOK_MS);
  expect([begun, failures.length]).toEqual([[1], 1]);
});
