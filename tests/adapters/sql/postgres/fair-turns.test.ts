import { expect, test } from "bun:test";
import { changeLimits, FairTurns, longReadLimits } from "../../../../adapters/sql/postgres/fair-turns.ts";
import { DatabaseUnavailable, type Deadline } from "../../../../adapters/sql/query/database.ts";

let asking = "one";
const over = new Set<string>();
const current = (): Deadline => {
  const caller = asking;
  return { caller, isOver: () => over.has(caller), beginChange: () => true, changeMade() {} };
};

/** Reads that run until the test ends them, in the order in which they began. */
const openReads = (limits: ConstructorParameters<typeof FairTurns>[0]) => {
  const reads = new FairTurns(limits, current);
  const begun: { name: string; end: () => void }[] = [];
  const ask = (caller: string, name: string): Promise<string> => {
    asking = caller;
    return reads.run(() => new Promise((resolve) => begun.push({ name, end: () => resolve(name) })));
  };
  return { reads, begun, ask, names: () => begun.map(({ name }) => name) };
};

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
const LIMITS = { maxConcurrent: 3, maxPerCaller: 2, maxWaiting: 10, waitMs: 60_000 };

test("one caller's long reads leave room for other callers', which are served in turn", async () => {
  const { begun, ask, names, reads } = openReads(LIMITS);
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
  // A caller without a running read comes first.
  expect(names()).toEqual(["a", "b", "e", "g", "c", "f", "d"]);
  expect(await Promise.all(all)).toEqual(["a", "b", "c", "d", "e", "f", "g"]);
  expect(reads.waiting).toBe(0);
});

test("reads of the service itself use all slots if nobody else asks", async () => {
  const { begun, ask, names } = openReads(LIMITS);
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
  const { reads, ask, begun, names } = openReads({ ...LIMITS, maxConcurrent: 1 });
  asking = "one";
  const failed = reads.run(() => Promise.reject(new Error("no")));
  const next = ask("two", "a");
  expect(await failed.catch(String)).toBe("Error: no");
  await settled();
  expect(names()).toEqual(["a"]);
  begun[0]?.end();
  await next;
});

test("a read is refused if it waits too long, the queue is full, or its request is over", async () => {
  const { ask, begun } = openReads({ ...LIMITS, maxConcurrent: 1, maxWaiting: 2, waitMs: 100 });
  const first = ask("one", "a");
  await settled();
  const refused = [ask("one", "b"), ask("gone", "c"), ask("one", "d")].map((read) => read.catch((error) => error));
  over.add("gone");
  for (const error of await Promise.all(refused)) expect(error).toBeInstanceOf(DatabaseUnavailable);
  begun[0]?.end();
  expect(await first).toBe("a");
});

test("long reads may use half of the connections, and at least one", () => {
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

test("the changes of one caller may use half of the connections, and at least one", () => {
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
