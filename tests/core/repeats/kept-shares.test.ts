import { expect, test } from "bun:test";
import { keptShares } from "../../../core/repeats/kept-shares.ts";

test("a holder is looked at once it has added a sixteenth of its share, in answers or in bytes", () => {
  const { add, take } = keptShares({ answers: 48, bytes: 4800 });
  expect([add("dealer 1", 1), add("dealer 1", 1), add("dealer 1", 1), add("dealer 1", 1)]).toEqual([
    ...[false, false],
    ...[true, true],
  ]);
  expect([add("dealer 2", 299), add("dealer 2", 1), add("key 3", 1)]).toEqual([false, true, false]);
  expect([take(), take()]).toEqual([["dealer 1", "dealer 2", "key 3"], []]);
  // From there on it is counted anew.
  expect([add("dealer 1", 299), add("dealer 2", 1), take()]).toEqual([false, false, ["dealer 1", "dealer 2"]]);
});
