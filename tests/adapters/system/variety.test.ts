import { describe, expect, test } from "bun:test";
import { isVaried } from "../../../adapters/system/variety.ts";

describe("text too regular for a secret", () => {
  for (const text of [
    "a".repeat(32),
    "a".repeat(256),
    "ab".repeat(16),
    "0123456789".repeat(4),
    "0123456789abcdef0123456789abcdef",
    "abcdefghijklmnopqrstuvwxyz012345",
    "zyxwvutsrqponmlkjihgfedcba987654",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij",
    "passwordpasswordpasswordpassword",
    "correct-horse!correct-horse!correct-horse!",
    "change-me-change-me-change-me-change-me",
    "x7Kq9".repeat(7),
    `${"a".repeat(24)}bcdefghi0`,
    "112233445566778899001122334455667788990011223344",
  ])
    test(`includes ${text.slice(0, 44)}`, () => {
      expect(isVaried(text)).toBe(false);
    });
});

test("random text counts as varied, in any alphabet", () => {
  const drawn = (bytes: number) => Buffer.from(crypto.getRandomValues(new Uint8Array(bytes)));
  // 32 random hexadecimal digits have fewer than ten different ones twice in a thousand draws; the advice is to draw
  // 64.
  for (let count = 0; count < 2000; count++)
    for (const text of [drawn(32).toString("hex"), drawn(32).toString("base64"), drawn(128).toString("hex")])
      expect(isVaried(text)).toBe(true);
  for (const text of ["the-operator's-own-key-of-40-characters-0", "bootstrap-key-of-the-tests-number-12"])
    expect(isVaried(text)).toBe(true);
});
