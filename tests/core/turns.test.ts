import { expect, test } from "bun:test";
import { partyOf, turns } from "../../core/turns.ts";

/** Pieces of work that end when they are told to; `begun` has those that had their turn, in that order. */
const working = (atOnce: number) => {
  const inTurn = turns(atOnce);
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

test("one of each party runs at a time, and a few of all: nobody keeps the others waiting", async () => {
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

test("a party is a dealer, however many keys and users it has; whoever has none is one alone", () => {
  expect(partyOf({ dealerId: 1, userId: 2, keyId: 3 })).toBe(partyOf({ dealerId: 1, userId: null, keyId: 4 }));
  expect(partyOf({ dealerId: null, userId: 2, keyId: 3 })).toBe(partyOf({ dealerId: null, userId: 2, keyId: null }));
  expect(partyOf({ dealerId: null, userId: null, keyId: 2 })).not.toBe(
    partyOf({ dealerId: null, userId: 2, keyId: null }),
  );
});
