import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Failure } from "../../../core/failure.ts";
import { MAX_DAYS, monthsOf, type Period, periodOf } from "../../../core/report/period.ts";
import { NOW, succeeded } from "../use-cases.ts";

const CLOCK = { now: () => NOW };
const DAY_MS = 86_400_000;

/** A day in UTC, and so many days later. */
const dayAt = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10);
const day = fc.integer({ min: -700_000, max: 2_900_000 });

describe("the period of a report", () => {
  test("is 12 months up to today by default", () => {
    expect(succeeded(periodOf(CLOCK, {}))).toEqual({ from: "2025-12-01", to: "2026-11-20" });
  });

  test("begins with a month when only its end is given, and ends today when only its begin is given", () => {
    expect(succeeded(periodOf(CLOCK, { to: "2026-01-31" }))).toEqual({ from: "2025-02-01", to: "2026-01-31" });
    expect(succeeded(periodOf(CLOCK, { from: "2026-11-20" }))).toEqual({ from: "2026-11-20", to: "2026-11-20" });
    expect(succeeded(periodOf(CLOCK, { to: "0000-03-01" }))).toEqual({ from: "0000-01-01", to: "0000-03-01" });
  });

  test("has 1 to 400 days, and exactly the months of its days", () => {
    fc.assert(
      fc.property(day, fc.integer({ min: -5, max: MAX_DAYS + 5 }), (first, days) => {
        const period: Period = { from: dayAt(first), to: dayAt(first + days - 1) };
        const answer = periodOf(CLOCK, period);
        if (days < 1 || days > MAX_DAYS) {
          expect(answer).toBeInstanceOf(Failure);
          return;
        }
        expect(succeeded(answer)).toEqual(period);
        const months = new Set(Array.from({ length: days }, (_, later) => dayAt(first + later).slice(0, 7)));
        expect(monthsOf(period)).toEqual([...months]);
      }),
    );
  });

  test("may be a single day, also one of a leap year", () => {
    expect(succeeded(periodOf(CLOCK, { from: "2024-02-29", to: "2024-02-29" })).from).toBe("2024-02-29");
  });
});
