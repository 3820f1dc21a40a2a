import { expect, test } from "bun:test";
import { type CurrentRequest, fairTurns, requesterOf } from "../../../core/access/turns.ts";

/** Pieces of work that end when they are told to; `begun` has those that had their turn, in that order. */
const working = (atOnce: number, asking?: CurrentRequest) => {
  const inTurn = fairTurns(atOnce, asking);
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  return {
    begun,
    add(name: string): Promise<void> {
      const end = Promise.withResolvers<void>();
      ends.set(name, end);
      return inTurn(name.replace(/\d/, ""), () => {
        begun.push(name);
        return end.promise;
      });
    },
    end: (name: string): void => ends.get(name)?.resolve(),
    fail: (name: string): void => ends.get(name)?.reject(new Error(name)),
  };
};

test("each requester has one task running, within a total limit, so nobody keeps the others waiting", async () => {
  const { begun, add, end, fail } = working(2);
  const works = ["a1", "a2", "a3", "b1", "c1"].map(add);
  expect(begun).toEqual(["a1", "b1"]);
  end("b1");
  await works[3];
  expect(begun).toEqual(["a1", "b1", "c1"]);
  fail("a1");
  await expect(works[0]).rejects.toThrow("a1");
  expect(begun).toEqual(["a1", "b1", "c1", "a2"]);
  for (const name of ["c1", "a2", "a3"]) end(name);
  await Promise.all(works.slice(1));
  expect(begun).toEqual(["a1", "b1", "c1", "a2", "a3"]);
});

test("the next turn goes to whoever had none yet or waited longest, however often others ask", async () => {
  const { begun, add, end } = working(1);
  const works = new Map(["a1", "a2", "a3", "a4", "b1", "b2", "c1"].map((name) => [name, add(name)]));
  for (let turn = 0; turn < works.size; turn++) {
    const name = begun[turn] ?? "";
    // Comes anew whenever its only one is done.
    if (name === "b1") works.set("d1", add("d1"));
    end(name);
    await works.get(name);
  }
  expect(begun).toEqual(["a1", "b1", "c1", "d1", "a2", "b2", "a3", "a4"]);
});

test("whoever asks again as soon as they are done does not delay those who had a turn before", async () => {
  const { begun, add, end } = working(1);
  const works = new Map(["w1", "w2", "a1", "b1"].map((name) => [name, add(name)]));
  for (let turn = 0; !begun.includes("w2"); turn++) {
    expect(turn).toBeLessThan(4);
    const name = begun[turn] ?? "";
    end(name);
    await works.get(name);
    const again = name.replace("1", "2");
    if (!works.has(again)) works.set(again, add(again));
  }
  expect(begun).toEqual(["w1", "a1", "b1", "w2"]);
});

test("a thousand requesters are remembered, and an older one counts as new", async () => {
  const inTurn = fairTurns(1);
  const begun: string[] = [];
  const recorded = (requester: string) => inTurn(requester, async () => void begun.push(requester));
  for (let requester = 0; requester < 1000; requester++) await recorded(`requester ${requester}`);
  await Promise.all(["requester 999", "requester 0", "new"].map(recorded));
  expect(begun.slice(-3)).toEqual(["requester 999", "new", "requester 0"]);
  // Whoever had a turn lately is remembered, though they were among the first.
  for (const requester of ["requester 2", "one more"]) await recorded(requester);
  await Promise.all(["one more", "requester 2", "newer"].map(recorded));
  expect(begun.slice(-3)).toEqual(["one more", "newer", "requester 2"]);
  await Promise.all(["newer", "requester 1", "newest"].map(recorded));
  expect(begun.slice(-3)).toEqual(["newer", "requester 1", "newest"]);
});

test("work that nobody waits for any longer is not begun, and takes nobody's turn", async () => {
  let isGone = false;
  const over = new Error("the time was over");
  let asking: ReturnType<CurrentRequest> = { isOver: () => isGone, timeOver: () => over };
  const { begun, add, end } = working(1, () => asking);
  const leaving = ["a1", "b1", "b2"].map(add);
  asking = undefined;
  const staying = add("c1");
  isGone = true;
  for (const name of ["a1", "c1"]) end(name);
  const refused = { status: "rejected", reason: over } as const;
  expect(await Promise.allSettled(leaving)).toEqual([{ status: "fulfilled", value: undefined }, refused, refused]);
  await staying;
  expect(begun).toEqual(["a1", "c1"]);
});

test("a dealer is one requester, however many keys and users it has; a caller without a dealer is one as well", () => {
  expect(requesterOf({ dealerId: 1, userId: 2, keyId: 3 })).toBe(requesterOf({ dealerId: 1, userId: null, keyId: 4 }));
  expect(requesterOf({ dealerId: null, userId: 2, keyId: 3 })).toBe(
    requesterOf({ dealerId: null, userId: 2, keyId: null }),
  );
  const withoutDealer = [
    { userId: 2, keyId: null },
    { userId: 3, keyId: null },
    { userId: null, keyId: 2 },
    { userId: null, keyId: 3 },
  ];
  expect(new Set(withoutDealer.map((caller) => requesterOf({ dealerId: null, ...caller }))).size).toBe(4);
});
