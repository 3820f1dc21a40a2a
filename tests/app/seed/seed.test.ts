import { expect, test } from "bun:test";
import { batches } from "../../../app/seed/batches.ts";
import { DAY_MS, endOfData, morningsOf } from "../../../app/seed/times.ts";

test("invented vehicles are added in batches of equal size, and the rest in one that is not empty", () => {
  for (const [series, found] of [
    [[], []],
    [[1], [[1]]],
    [
      [1, 2, 3, 4],
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [
      [1, 2, 3],
      [[1, 2], [3]],
    ],
  ] as const)
    expect([...batches<number>(series, 2)]).toEqual(found.map((batch) => [...batch]));
});

test("invented data ends now, or with a day from 2026 on that is over", () => {
  const now = Date.parse("2026-03-01T00:00:00.000Z");
  expect(endOfData(undefined, now)).toBe(now);
  expect(endOfData("2026-02-28", now)).toBe(now);
  expect(endOfData("2026-02-28", now - 1)).toBeNull();
  expect(endOfData("2026-01-01", now)).toBe(Date.parse("2026-01-02T00:00:00.000Z"));
  expect(endOfData("2026-02-30", now + 30 * DAY_MS)).toBeNull();
  for (const day of ["2025-12-31", "2026-03-01", "2026-1-05", "yesterday", ""]) expect(endOfData(day, now)).toBeNull();
});

test("a dealer of a large enough inventory that ends now has something to do in the morning", () => {
  expect([500, 499].map((vehicles) => morningsOf({ vehicles }))).toEqual([1, 0]);
  expect(morningsOf({ vehicles: 500, until: "2026-01-31" })).toBe(0);
});
