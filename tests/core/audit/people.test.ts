import { describe, expect, test } from "bun:test";
import { isNamed, wordsOf } from "../../../core/audit/people.ts";

// [name, what is searched, whether it is found].
const PEOPLE = [
  ["Robin Example", "rob", true],
  ["Robin Example", "ROBIN exa", true],
  ["Robin Example", "exa rob", true],
  ["Robin Example", "obin", false],
  ["Robin Example", "robin kim", false],
  ["Anne-Marie O'Neil", "marie neil", true],
  ["Çağrı Öz", "ÖZ", true],
  ["Robin Example", "!", false],
] as const;

describe("a person", () => {
  for (const [name, text, found] of PEOPLE)
    test(`called ${name} is ${found ? "" : "not "}found by ${text}`, () => {
      expect(isNamed(name, wordsOf(text))).toBe(found);
    });
});
