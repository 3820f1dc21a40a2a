import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isTooDeep } from "../../../../adapters/http/protocol/body.ts";

const MAX_DEPTH = 32;

/** The nesting depth of a value, found by walking it. */
const depthOf = (value: unknown): number => {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
};

const nested = (depth: number, [open, close]: readonly [string, string], core = ""): string =>
  open.repeat(depth) + core + close.repeat(depth);

const ARRAY = ["[", "]"] as const;
const OBJECT = ['{"a":', "}"] as const;

describe("JSON nested deeper than allowed", () => {
  for (const [name, brackets] of [
    ["arrays", ARRAY],
    ["objects", OBJECT],
  ] as const)
    test(`is found for 33 nested ${name}, but not for 32`, () => {
      expect(isTooDeep(nested(MAX_DEPTH, brackets, "1"))).toBe(false);
      expect(isTooDeep(nested(MAX_DEPTH + 1, brackets, "1"))).toBe(true);
    });

  test("is found, whatever the brackets, exactly if walking the value finds it", () => {
    const json = fc.json({ maxDepth: 8 });
    const around = fc.array(fc.constantFrom(ARRAY, OBJECT), { minLength: 24, maxLength: 40 });
    fc.assert(
      fc.property(json, around, (core, brackets) => {
        const text = brackets.reduce((inner, [open, close]) => open + inner + close, core);
        expect(isTooDeep(text)).toBe(depthOf(JSON.parse(text)) > MAX_DEPTH);
      }),
      { numRuns: 500 },
    );
  });

  test("is not found for many brackets side by side", () => {
    expect(isTooDeep(`[${Array(1000).fill("[[],{}]").join(",")}]`)).toBe(false);
  });

  test("is not found for brackets in text, escaped quotes and backslashes around them", () => {
    const text = fc.array(fc.constantFrom("[", "{", '"', "\\", "]", "a")).map((parts) => parts.join(""));
    fc.assert(fc.property(text, (part) => expect(isTooDeep(JSON.stringify({ [part]: [part] }))).toBe(false)));
    expect(isTooDeep(JSON.stringify("[".repeat(1000)))).toBe(false);
    expect(isTooDeep(JSON.stringify(`\\"${"[".repeat(1000)}`))).toBe(false);
  });

  test("is found after text that ends in a backslash", () => {
    expect(isTooDeep(`[${JSON.stringify("\\")},${nested(MAX_DEPTH, ARRAY)}]`)).toBe(true);
  });

  test("is found at once even for a hundred thousand levels", () => {
    expect(isTooDeep("[".repeat(100_000))).toBe(true);
  });
});
