import { expect, test } from "bun:test";
import { crossingPeriods, lineOf, lotBefore, meanDays, monthBefore } from "../../../core/today/lot-figures.ts";

const DAY_MS = 86_400_000;
const NOW = Date.parse("2026-03-14T09:26:00.000Z");

/** The ages of vehicles, given in days. */
const ages = (...days: readonly number[]) => ({
  vehicles: days.length,
  ms: days.reduce((sum, one) => sum + one * DAY_MS, 0),
});

test("the mean age is in whole days, and never below 0", () => {
  expect([ages(), ages(10, 11), ages(0.9), ages(-1)].map(meanDays)).toEqual([0, 10, 0, 0]);
});

test("the lot a week ago is without what was listed since, and with what was sold since", () => {
  const before = lotBefore(7, { now: ages(2, 10, 30), listed: ages(2), sold: ages(5, 40) });
  expect(before).toEqual(ages(3, 23, 5, 40));
});

test("a line is crossed on its day, and shown for three days", () => {
  for (const { after, to } of crossingPeriods(NOW)) {
    const [oldest, youngest] = [(NOW - Date.parse(after)) / DAY_MS, (NOW - Date.parse(to)) / DAY_MS];
    expect(oldest - youngest).toBe(3);
    expect(lineOf(youngest)).toBe(youngest);
    expect(lineOf(youngest - 1)).not.toBe(youngest);
  }
  expect([lineOf(44), lineOf(45), lineOf(62), lineOf(400)]).toEqual([null, 45, 60, 90]);
});

for (const [day, from, to] of [
  ["2026-11-27", "2026-10-01", "2026-10-27"],
  ["2026-03-31", "2026-02-01", "2026-02-28"],
  ["2024-03-30", "2024-02-01", "2024-02-29"],
  ["2026-01-01", "2025-12-01", "2025-12-01"],
] as const)
  test(`on ${day}, the month before is compared from ${from} to ${to}`, () => {
    expect(monthBefore(day)).toEqual({ from, to });
  });
