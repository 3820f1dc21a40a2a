import { expect, test } from "bun:test";
import { foldCode, foldedCodes, googleCodeOf, requireDifferentCodes } from "../../../core/dealers/codes.ts";

test("codes are compared without regard to case and to blanks around them, around a colon, and to their number", () => {
  for (const [one, other, isSame] of [
    ["North 1", " NORTH   1 ", true],
    ["google: Harbor-1", "Google:HARBOR-1", true],
    ["STRASSE", "straße", true],
    ["Cafe\u0301", "CAFÉ", true],
    ["0042", "42", false],
    ["North1", "North 1", false],
    ["A-1", "A1", false],
  ] as const)
    expect([one, other, foldCode(one) === foldCode(other)]).toEqual([one, other, isSame]);
  for (const none of ["", "   ", "x".repeat(100_000)]) expect(foldCode(none)).toBeNull();
  expect(foldedCodes(["b", " A", "a ", " "])).toEqual(["a", "b"]);
});

test("a dealer has no code twice, and the message names the one that is", () => {
  expect(requireDifferentCodes({ codes: ["A", "b"] })).toEqual([]);
  expect(requireDifferentCodes({})).toEqual([]);
  expect(requireDifferentCodes({ codes: ["A", "B", " b"] })).toEqual([
    { path: "codes", message: 'has " b" twice: case and blanks do not matter' },
  ]);
});

test("the store code at Google is the first code that begins with google:, as it is written", () => {
  expect(googleCodeOf(["42", "Google: Harbor-1", "google:other"])).toBe("Harbor-1");
  expect(googleCodeOf(["42", "googleX:1"])).toBeUndefined();
  expect(googleCodeOf(["google:"])).toBeUndefined();
});
