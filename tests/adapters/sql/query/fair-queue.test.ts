import { expect, test } from "bun:test";
import fc from "fast-check";
import { FairQueue, matchesCaller } from "../../../../adapters/sql/query/fair-queue.ts";

const NOBODY_AT_WORK = (): number => 0;

const takeAll = <Item>(line: FairQueue<Item>): Item[] => {
  const taken: Item[] = [];
  for (let item = line.take(NOBODY_AT_WORK); item !== null; item = line.take(NOBODY_AT_WORK)) taken.push(item);
  return taken;
};

test("a caller's first item waits for at most one item of each other caller", () => {
  const line = new FairQueue<string>(10_000);
  for (let number = 0; number < 1000; number++) line.add("crowd", `crowd ${number}`);
  line.add("late", "late 0");
  line.add("late", "late 1");
  expect(takeAll(line).slice(0, 5)).toEqual(["crowd 0", "late 0", "crowd 1", "late 1", "crowd 2"]);
});

test("a caller with fewer running items comes first", () => {
  const line = new FairQueue<string>(10);
  for (const caller of ["a", "b", "c"]) line.add(caller, caller);
  const underWay = new Map([
    ["a", 2],
    ["b", 1],
    ["c", 1],
  ]);
  expect(line.take((caller) => underWay.get(caller) ?? 0)).toBe("b");
});

test("a full queue drops the last item of the caller with the most items, not the newcomer", () => {
  const line = new FairQueue<string>(3);
  for (const item of ["crowd 0", "crowd 1", "crowd 2"]) expect(line.add("crowd", item)).toBeNull();
  expect(line.add("late", "late 0")).toBe("crowd 2");
  expect(line.add("crowd", "crowd 3")).toBe("crowd 3");
  expect(takeAll(line)).toEqual(["crowd 0", "late 0", "crowd 1"]);
});

test("a late caller waits for one item of each other group, whose callers take turns, however many they are", () => {
  const line = new FairQueue<string>(10_000);
  for (let key = 0; key < 100; key++)
    for (const number of [0, 1]) line.add(`dealer:1 key:${key}`, `key ${key}, item ${number}`);
  for (const number of [0, 1]) line.add("dealer:2 key:500", `late ${number}`);
  expect(takeAll(line).slice(0, 6)).toEqual([
    ...["key 0, item 0", "late 0", "key 1, item 0", "late 1"],
    ...["key 2, item 0", "key 3, item 0"],
  ]);
});

test("a group with fewer running items comes first, and within it a caller with fewer", () => {
  const line = new FairQueue<string>(10);
  const callers = ["dealer:1 key:1", "dealer:2 key:2", "dealer:2 key:3"];
  for (const caller of callers) line.add(caller, caller);
  const atWork = ["dealer:1 key:9", "dealer:1 key:8", "dealer:2 key:2", "dealer:20 key:7", "dealer:20 key:7"];
  const underWay = (name: string): number => atWork.filter((caller) => matchesCaller(caller, name)).length;
  expect([line.take(underWay), line.take(underWay)]).toEqual(["dealer:2 key:3", "dealer:2 key:2"]);
});

test("a full queue of callers with one item each drops that of the newcomer, and keeps nothing of it", () => {
  const line = new FairQueue<string>(2);
  for (const caller of ["a", "b"]) expect(line.add(caller, `${caller} 0`)).toBeNull();
  expect(line.add("c", "c 0")).toBe("c 0");
  expect(line.add("b d", "b d 0")).toBe("b d 0");
  expect(takeAll(line)).toEqual(["a 0", "b 0"]);
  expect(line.add("e", "e 0")).toBeNull();
  expect(takeAll(line)).toEqual(["e 0"]);
});

test("a group or caller that has as many running as it may is passed over, and its items wait on", () => {
  const line = new FairQueue<string>(10);
  for (const [caller, item] of [
    ["dealer:1 key:1", "one"],
    ["dealer:2 key:2", "two"],
    ["dealer:2 key:3", "three"],
  ] as const)
    line.add(caller, item);
  const except =
    (...busy: readonly string[]) =>
    (name: string): number =>
      busy.includes(name) ? Number.POSITIVE_INFINITY : 0;
  expect(line.take(except("dealer:1", "dealer:2"))).toBeNull();
  expect(line.take(except("dealer:1", "dealer:2 key:2", "dealer:2 key:3"))).toBeNull();
  expect(line.take(except("dealer:1", "dealer:2 key:2"))).toBe("three");
  expect(line.size).toBe(2);
  expect(takeAll(line)).toEqual(["one", "two"]);
});

test("a full queue drops the last item of the busiest caller in the largest group", () => {
  const line = new FairQueue<string>(4);
  for (const [caller, item] of [
    ["dealer:1 key:1", "one 0"],
    ["dealer:1 key:2", "two 0"],
    ["dealer:1 key:2", "two 1"],
    ["dealer:2 key:3", "late 0"],
  ] as const)
    expect(line.add(caller, item)).toBeNull();
  expect(line.add("dealer:2 key:3", "late 1")).toBe("two 1");
});

const events = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant("add" as const), caller: fc.constantFrom("a", "b", "b c", "b d") }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("take" as const) }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant("remove" as const), multiplesOf: fc.integer({ min: 2, max: 5 }) }),
    },
  ),
  { maxLength: 200, size: "max" },
);

test("each item leaves exactly once, each caller's in order, and the size is the number of waiting items", () => {
  fc.assert(
    fc.property(events, (happened) => {
      const most = 20;
      const line = new FairQueue<{ caller: string; number: number }>(most);
      let waiting: { caller: string; number: number }[] = [];
      let count = 0;
      const leave = (gone: readonly { caller: string; number: number }[]): void => {
        for (const item of gone) expect(waiting).toContain(item);
        waiting = waiting.filter((item) => !gone.includes(item));
      };
      for (const event of happened) {
        if (event.kind === "add") {
          const item = { caller: event.caller, number: count++ };
          waiting.push(item);
          const dismissed = line.add(event.caller, item);
          expect(dismissed === null).toBe(waiting.length <= most);
          if (dismissed !== null) leave([dismissed]);
        } else if (event.kind === "take") {
          const taken = line.take(NOBODY_AT_WORK);
          expect(taken === null).toBe(waiting.length === 0);
          if (taken !== null) {
            expect(taken).toBe(waiting.find(({ caller }) => caller === taken.caller) as typeof taken);
            leave([taken]);
          }
        } else {
          const isOut = ({ number }: { number: number }): boolean => number % event.multiplesOf === 0;
          const removed = line.remove(isOut);
          expect(removed.length).toBe(waiting.filter(isOut).length);
          leave(removed);
        }
        expect(line.size).toBe(waiting.length);
      }
    }),
  );
});
