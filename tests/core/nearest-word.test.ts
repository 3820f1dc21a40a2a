import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { editsBetween, nearestWord } from "../../core/nearest-word.ts";

const KNOWN = [
  "dealer_id",
  "status",
  "make",
  "model",
  "year",
  "min_price",
  "exterior_color",
  "interior_color",
  "limit",
];

describe("the nearest known word", () => {
  for (const [sent, meant] of [
    ["mark", "make"],
    ["pirce", "min_price"],
    ["min_pirce", "min_price"],
    ["colour", "exterior_color"],
    ["dealerId", "dealer_id"],
    ["Limit", "limit"],
    ["satus", "status"],
    ["zzz", null],
    ["", null],
    ["x".repeat(10_000), null],
  ] as const)
    test(`to "${sent.slice(0, 20)}" is ${meant}`, () => {
      expect(nearestWord(sent, KNOWN)).toBe(meant);
    });
});

test("edits between words are the same in both directions, none for the same word, and one for two swapped letters", () => {
  const word = fc.stringMatching(/^[a-d]{0,8}$/);
  fc.assert(
    fc.property(word, word, (one, other) => {
      expect(editsBetween(one, other)).toBe(editsBetween(other, one));
      expect(editsBetween(one, other) === 0).toBe(one === other);
      expect(editsBetween(one, other)).toBeGreaterThanOrEqual(Math.abs(one.length - other.length));
      expect(editsBetween(one, other)).toBeLessThanOrEqual(Math.max(one.length, other.length));
    }),
  );
  expect(editsBetween("pirce", "price")).toBe(1);
});
