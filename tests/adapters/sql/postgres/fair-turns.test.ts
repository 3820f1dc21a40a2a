import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { changeLimits, FairTurns, longReadLimits } from "../../../../adapters/sql/postgres/fair-turns.ts";
import type { Deadline } from "../../../../adapters/sql/query/database.ts";

let asking = "one";
const over = new Set<string>();
/** Work of nobody belongs to no request. */
const current = (): Deadline | undefined => {
  const caller = asking;
  if (caller === "") return undefined;
  return { caller, isOver: () => over.has(caller), beginChange: () => true, changeMade() {} };
};

beforeEach(() => void jest.useFakeTimers());
afterEach(() => {
  jest.useRealTimers();
  over.clear();
});

/** Reads that go on until they are told to end, in the order in which they began. */
const place = (limits: ConstructorParameters<typeof FairTurns>[0]) => {
  const reads = new FairTurns(limits, current);
  const begun: { name: string; end: () => void }[] = [];
  const ask = (caller: string, name: string): Promise<string> => {
    asking = caller;
    return reads.run(() => new Promise((resolve) => begun.push({ name, end: () => resolve(name) })));
  };
  return { reads, begun, ask, names: () => begun.map(({ name }) => name) };
};

/** The error's text. */
const refusal = (read: Promise<unknown>): Promise<string> =>
  read.then(
    () => "done",
    (error: Error) => `${error.name}: ${error.message}`,
  );
const TOO_MANY = "DatabaseUnavailable: too many wait already for a connection of their own";
const TOO_LATE = "DatabaseUnavailable: no turn came in time to have a connection alone";
const OVER = "DatabaseUnavailable: not begun: the time for the request is over, or its client has gone away";

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
const LIMITS = { maxConcurrent: 3, maxPerCaller: 2, maxWaiting: 10, waitMs: 60_000 };

test("one caller's long reads leave room for those of others, who are served in turn", async () => {
  const { begun, ask, names, reads } = place(LIMITS);
  const all = ["a", "b", "c", "d"].map((name) => ask("one", name));
  await settled();
  expect(names()).toEqual(["a", "b"]);
  all.push(ask("two", "e"), ask("two", "f"), ask("three", "g"));
  await settled();
  expect(names()).toEqual(["a", "b", "e"]);
  expect(reads.waiting).toBe(4);
  for (let place = 0; place < 7; place++) {
    begun[place]?.end();
    await settled();
  }
  // Who has none under way comes first.
  expect(names()).toEqual(["a", "b", "e", "g", "c", "f", "d"]);
  expect(await Promise.all(all)).toEqual(["a", "b", "c", "d", "e", "f", "g"]);
  expect(reads.waiting).toBe(0);
});

test("work of the service itself, which it does for many, has all room if nobody else asks", async () => {
  const { begun, ask, names } = place(LIMITS);
  const all = ["a", "b", "c", "d"].map((name) => ask("", name));
  await settled();
  expect(names()).toEqual(["a", "b", "c"]);
  for (let place = 0; place < 4; place++) {
    begun[place]?.end();
    await settled();
  }
  expect(await Promise.all(all)).toEqual(["a", "b", "c", "d"]);
});

test("a failed read frees its slot", async () => {
  const { reads, ask, begun, names } = place({ ...LIMITS, maxConcurrent: 1 });
  asking = "one";
  const failed = reads.run(() => Promise.reject(new Error("no")));
  const next = ask("two", "a");
  expect(await failed.catch(String)).toBe("Error: no");
  await settled();
  expect(names()).toEqual(["a"]);
  begun[0]?.end();
  await next;
});

test("what waits is refused when its time is over, each from when it was asked for, and nothing before", async () => {
  const { reads, ask, begun, names } = place({ ...LIMITS, maxConcurrent: 1, waitMs: 2000 });
  const first = ask("one", "a");
  await settled();
  const ends: string[] = [];
  const note = (caller: string, name: string) =>
    void refusal(ask(caller, name)).then((text) => ends.push(`${name} ${text}`));
  note("one", "b");
  jest.advanceTimersByTime(1000);
  note("two", "c");
  jest.advanceTimersByTime(999);
  await settled();
  expect([ends, reads.waiting]).toEqual([[], 2]);
  jest.advanceTimersByTime(1);
  await settled();
  expect([ends, reads.waiting]).toEqual([[`b ${TOO_LATE}`], 1]);
  jest.advanceTimersByTime(1000);
  await settled();
  expect([ends, reads.waiting]).toEqual([[`b ${TOO_LATE}`, `c ${TOO_LATE}`], 0]);
  begun[0]?.end();
  expect(await first).toBe("a");
  expect(names()).toEqual(["a"]);
});

test("a change waits ten times as long while others end, and no longer", async () => {
  const { reads, ask, begun } = place(changeLimits(1, 1000));
  const ends: string[] = [];
  const note = (name: string) => void refusal(ask("one", name)).then((text) => ends.push(`${name} ${text}`));
  for (let number = 0; number <= 12; number++) note(String(number));
  await settled();
  // Each takes almost as long as a change waits for a database that does nothing.
  for (let place = 0; place < 10; place++) {
    jest.advanceTimersByTime(950);
    begun[place]?.end();
    await settled();
  }
  expect(ends).toEqual(Array.from({ length: 10 }, (_, number) => `${number} done`));
  jest.advanceTimersByTime(500);
  await settled();
  expect(ends.slice(10)).toEqual([`11 ${TOO_LATE}`, `12 ${TOO_LATE}`]);
  note("late");
  jest.advanceTimersByTime(999);
  await settled();
  expect(reads.waiting).toBe(1);
  jest.advanceTimersByTime(1);
  await settled();
  expect(ends.at(-1)).toBe(`late ${TOO_LATE}`);
});

test("a read is refused soon after its request is over, though nothing comes free, and others wait on", async () => {
  const { ask, begun, names } = place({ ...LIMITS, maxConcurrent: 1 });
  const first = ask("one", "a");
  await settled();
  const [gone, patient] = [refusal(ask("gone", "b")), ask("two", "c")];
  over.add("gone");
  jest.advanceTimersByTime(50);
  expect(await gone).toBe(OVER);
  begun[0]?.end();
  await first;
  await settled();
  expect(names()).toEqual(["a", "c"]);
  begun[1]?.end();
  expect(await patient).toBe("c");
});

test("a read whose request is over is not begun when its turn comes first, and gives it to the next", async () => {
  const { ask, begun, names } = place({ ...LIMITS, maxConcurrent: 1 });
  const first = ask("one", "a");
  await settled();
  const [gone, next] = [refusal(ask("gone", "b")), ask("two", "c")];
  over.add("gone");
  begun[0]?.end();
  expect(await gone).toBe(OVER);
  await settled();
  expect(names()).toEqual(["a", "c"]);
  begun[1]?.end();
  expect(await Promise.all([first, next])).toEqual(["a", "c"]);
});

test("where too many wait, the last of whoever has the most is refused at once", async () => {
  const { reads, ask, begun } = place({ ...LIMITS, maxConcurrent: 1, maxWaiting: 2 });
  const first = ask("one", "a");
  await settled();
  const [second, third, late] = [ask("one", "b"), refusal(ask("one", "c")), ask("two", "d")];
  expect(await third).toBe(TOO_MANY);
  expect(reads.waiting).toBe(2);
  for (const place of [0, 1, 2]) {
    begun[place]?.end();
    await settled();
  }
  expect(await Promise.all([first, second, late])).toEqual(["a", "b", "d"]);
});

test("the clock is looked at only while something waits", async () => {
  const { ask, begun } = place({ ...LIMITS, maxConcurrent: 1 });
  const first = ask("one", "a");
  await settled();
  expect(jest.getTimerCount()).toBe(0);
  const second = ask("two", "b");
  expect(jest.getTimerCount()).toBe(1);
  begun[0]?.end();
  await settled();
  jest.advanceTimersByTime(50);
  expect(jest.getTimerCount()).toBe(0);
  // Again for those who come later.
  const late = refusal(ask("three", "c"));
  jest.advanceTimersByTime(LIMITS.waitMs);
  expect(await late).toBe(TOO_LATE);
  begun[1]?.end();
  await Promise.all([first, second]);
});

test("half of the connections are for long reads, and at least one", () => {
  expect(
    [1, 2, 5, 10]
      .map((connections) => longReadLimits(connections))
      .map(({ maxConcurrent, maxPerCaller }) => [maxConcurrent, maxPerCaller]),
  ).toEqual([
    [1, 1],
    [1, 1],
    [2, 1],
    [5, 2],
  ]);
});

test("half of the connections are for changes of one caller, and at least one", () => {
  expect(
    [1, 2, 5, 10]
      .map((connections) => changeLimits(connections, 1000))
      .map(({ maxConcurrent, maxPerCaller }) => [maxConcurrent, maxPerCaller]),
  ).toEqual([
    [1, 1],
    [2, 1],
    [5, 2],
    [10, 5],
  ]);
});
