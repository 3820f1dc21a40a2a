import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { tooManyParts } from "../../../../adapters/http/protocol/json-size.ts";

const objectOf = (count: number, value: unknown = 1): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, number) => [`n${number}`, value])));

/** The number of values and members in a value, found by walking it. */
const partsOf = (value: unknown): { values: number; members: number } => {
  if (typeof value !== "object" || value === null) return { values: 1, members: 0 };
  const inner = Object.values(value).map(partsOf);
  return {
    values: inner.reduce((sum, { values }) => sum + values, 0),
    members: inner.reduce((sum, { members }) => sum + members, Array.isArray(value) ? 0 : inner.length),
  };
};

describe("JSON text with too many parts", () => {
  test("has more than 1 000 members, which are named in the refusal, up to 50", () => {
    expect(tooManyParts(objectOf(1000))).toBeNull();
    const problem = tooManyParts(objectOf(1001));
    expect(problem?.status).toBe(400);
    expect(problem?.details?.map(({ path }) => path)).toEqual(Array.from({ length: 50 }, (_, number) => `n${number}`));
    expect(problem?.detailsOmitted).toBe(951);
    expect(tooManyParts(`[${objectOf(2000)}]`)?.details).toHaveLength(1);
  });

  test("has more than 20 000 values of any kind", () => {
    for (const value of ["1", "[]", "{}", '""']) {
      expect(tooManyParts(`[${Array(20_000).fill(value).join(",")}]`)).toBeNull();
      expect(tooManyParts(`[${Array(20_001).fill(value).join(",")}]`)?.status).toBe(400);
    }
  });

  test("does not include colons and commas in its texts, with escaped quotes and backslashes around them", () => {
    expect(tooManyParts(JSON.stringify({ description: `\\"${":,".repeat(30_000)}\\`, price: 1 }))).toBeNull();
    const text = fc.array(fc.constantFrom(":", ",", '"', "\\", "{", "a"), {
      minLength: 1000,
      maxLength: 3000,
      size: "max",
    });
    fc.assert(
      fc.property(text, (parts) =>
        expect(tooManyParts(JSON.stringify({ [parts.join("")]: parts.join("") }))).toBeNull(),
      ),
      { numRuns: 50 },
    );
  });

  test("is found exactly if walking the value finds it", () => {
    const leaves = fc.constantFrom(1, "a:b,c", null, true);
    const inner = fc.oneof(leaves, fc.array(leaves, { minLength: 1, maxLength: 30, size: "max" }));
    const objects = fc.dictionary(fc.string({ minLength: 1 }), inner, { minKeys: 1, maxKeys: 40, size: "max" });
    const lists = fc.array(objects, { minLength: 30, maxLength: 120, size: "max" });
    fc.assert(
      fc.property(lists, (value) => {
        const { values, members } = partsOf(value);
        expect(tooManyParts(JSON.stringify(value)) !== null).toBe(members > 1000 || values > 20_000);
      }),
      { numRuns: 60 },
    );
  });

  test("is refused even if it is not JSON, and without reading past its end", () => {
    for (const text of [
      `{${'"a":1,'.repeat(5000)}`,
      `{"${":".repeat(5000)}`,
      `${"{".repeat(20)}"a":`.repeat(2000),
      ":,".repeat(30_000),
    ])
      expect(() => tooManyParts(text)).not.toThrow();
  });
});
