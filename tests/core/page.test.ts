import { describe, expect, test } from "bun:test";
import Type from "typebox";
import { Compile } from "typebox/compile";
import { yearOf } from "../../core/clock.ts";
import { PageQuery, pageOf } from "../../core/page.ts";

const query = Compile(Type.Object(PageQuery));

describe("paging", () => {
  test("has 100 items from the first one by default", () => {
    expect(pageOf({})).toEqual({ limit: 100, offset: 0 });
    expect(pageOf({ limit: 1 })).toEqual({ limit: 1, offset: 0 });
    expect(pageOf({ offset: 7 })).toEqual({ limit: 100, offset: 7 });
    expect(pageOf({ limit: 1000, offset: 0 })).toEqual({ limit: 1000, offset: 0 });
  });

  for (const [name, accepted, refused] of [
    ["limit", [1, 100, 1000], [0, 1001, -1, 1.5, "1", null]],
    ["offset", [0, 1, Number.MAX_SAFE_INTEGER], [-1, 2 ** 53, 0.5, "0", null]],
  ] as const)
    test(`${name} is accepted up to its bounds and refused beyond them`, () => {
      expect(accepted.filter((value) => !query.Check({ [name]: value }))).toEqual([]);
      expect(refused.filter((value) => query.Check({ [name]: value }))).toEqual([]);
    });
});

test("the year of a time is its calendar year in UTC", () => {
  expect(yearOf("2026-12-31T23:59:59.999Z")).toBe(2026);
  expect(yearOf("2027-01-01T00:00:00.000Z")).toBe(2027);
});
