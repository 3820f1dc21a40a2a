import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { hourOf, msOf, timestampAt, timestampIn } from "../../core/clock.ts";

const LAST_MS = Date.parse("9999-12-31T23:59:59.999Z");
const anyMs = fc.integer({ min: Date.parse("0000-01-01T00:00:00.000Z"), max: LAST_MS });

describe("moments", () => {
  test("convert to the calendar's milliseconds and back", () => {
    fc.assert(
      fc.property(anyMs, (ms) => {
        const moment = new Date(ms).toISOString();
        expect(msOf(moment)).toBe(ms);
        expect(timestampAt(ms)).toBe(moment);
      }),
      { numRuns: 5000 },
    );
  });

  for (const moment of [
    "0000-01-01T00:00:00.000Z",
    "0000-02-29T12:00:00.001Z",
    "0099-12-31T23:59:59.999Z",
    "1969-12-31T23:59:59.999Z",
    "1970-01-01T00:00:00.000Z",
    "2000-02-29T23:59:59.999Z",
    "2100-02-28T23:59:59.999Z",
    "2100-03-01T00:00:00.000Z",
    "2024-12-31T23:59:59.999Z",
    "9999-12-31T23:59:59.999Z",
  ])
    test(`at the edge of the calendar are right: ${moment}`, () => {
      expect(msOf(moment)).toBe(Date.parse(moment));
      expect(timestampAt(Date.parse(moment))).toBe(moment);
    });

  for (const [year, lastDay] of [
    ["0000", 29],
    ["0004", 29],
    ["0099", 28],
    ["0100", 28],
    ["1900", 28],
    ["2000", 29],
    ["2024", 29],
    ["2100", 28],
    ["9996", 29],
  ] as const)
    test(`February of the year ${year} has ${lastDay} days`, () => {
      const of = (day: number) => timestampIn(`${year}-02-${day}T12:00:00Z`);
      expect([of(lastDay), of(lastDay + 1)]).toEqual([`${year}-02-${lastDay}T12:00:00.000Z`, null]);
    });

  test("belong to the hour that began last", () => {
    expect(hourOf("2026-11-20T09:59:59.999Z")).toBe("2026-11-20T09:00:00.000Z");
    expect(hourOf("2026-11-20T10:00:00.000Z")).toBe("2026-11-20T10:00:00.000Z");
  });
});
