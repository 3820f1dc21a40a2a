import { describe, expect, jest, test } from "bun:test";
import fc from "fast-check";
import { systemClock } from "../../../adapters/system/clock.ts";

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const two = (number: number): string => String(number).padStart(2, "0");
const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
const daysIn = (year: number, month: number): number =>
  [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;

const dates = fc
  .tuple(fc.integer({ min: 1000, max: 9998 }), fc.integer({ min: 1, max: 12 }), fc.nat())
  .map(([year, month, day]) => ({ year, month, day: 1 + (day % daysIn(year, month)) }));

const times = fc.record({
  hour: fc.integer({ min: 0, max: 23 }),
  minute: fc.integer({ min: 0, max: 59 }),
  second: fc.integer({ min: 0, max: 59 }),
  fraction: fc.stringMatching(/^[0-9]{0,9}$/),
});

const zones = fc.oneof(
  fc.constantFrom("Z", "z").map((text) => ({ text, minutes: 0 })),
  fc
    .tuple(fc.constantFrom(1, -1), fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map(([sign, hours, minutes]) => ({
      text: `${sign > 0 ? "+" : "-"}${two(hours)}:${two(minutes)}`,
      minutes: sign * (hours * 60 + minutes),
    })),
);

describe("the system clock", () => {
  test("formats times as ISO 8601 UTC with milliseconds, and parses them back unchanged", () => {
    const now = systemClock.now();
    expect(now).toMatch(TIMESTAMP);
    expect(systemClock.parse(now)).toBe(now);
  });

  test("repeats work until it is told to stop", () => {
    jest.useFakeTimers();
    try {
      let times = 0;
      const stop = systemClock.every(5000, () => times++);
      jest.advanceTimersByTime(4999);
      expect(times).toBe(0);
      jest.advanceTimersByTime(5001);
      expect(times).toBe(2);
      stop();
      jest.advanceTimersByTime(60_000);
      expect(times).toBe(2);
    } finally {
      jest.useRealTimers();
    }
  });

  test("gives the same time in both of its formats", () => {
    const before = systemClock.nowMs();
    const now = Date.parse(systemClock.now());
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(systemClock.nowMs());
  });

  test("adds seconds to the current time", () => {
    const before = systemClock.nowMs();
    const later = Date.parse(systemClock.after(90)) - 90_000;
    expect(later).toBeGreaterThanOrEqual(before);
    expect(later).toBeLessThanOrEqual(systemClock.nowMs());
  });
});

describe("a date and time with a zone", () => {
  test("is read as the exact time, to the millisecond", () => {
    fc.assert(
      fc.property(dates, times, zones, fc.constantFrom("T", "t", " "), (date, time, zone, between) => {
        const { hour, minute, second, fraction } = time;
        const text = [
          `${date.year}-${two(date.month)}-${two(date.day)}${between}`,
          `${two(hour)}:${two(minute)}:${two(second)}${fraction === "" ? "" : `.${fraction}`}${zone.text}`,
        ].join("");
        const milliseconds = Number(fraction.padEnd(3, "0").slice(0, 3));
        const utc = Date.UTC(date.year, date.month - 1, date.day, hour, minute - zone.minutes, second, milliseconds);
        expect([text, systemClock.parse(text)]).toEqual([text, new Date(utc).toISOString()]);
      }),
      { numRuns: 2000 },
    );
  });

  test("is normalized to text that sorts by time", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date(0), max: new Date(253402300799999), noInvalidDate: true }),
        fc.date({ min: new Date(0), max: new Date(253402300799999), noInvalidDate: true }),
        (one, other) => {
          const [first = "", second = ""] = [one, other].map((date) => systemClock.parse(date.toISOString()) ?? "");
          expect(first < second).toBe(one.getTime() < other.getTime());
        },
      ),
    );
  });

  for (const text of [
    "",
    "tomorrow",
    "2026",
    "2026-11-20",
    "2026-11-20T09:11Z",
    "2026-11-20T09:11:00",
    "2026-11-20T09:11:00.Z",
    "2026-11-20T09:11:00.1234567890Z",
    "2026-11-20T09:11:00+0100",
    "2026-11-20T09:11:00+01",
    "2026-11-20T09:11:00 Z",
    " 2026-11-20T09:11:00Z",
    "2026-11-20T09:11:00Z\n",
    "2026-11-20T09:11:00Z and more",
    "20261120T091100Z",
    "26-11-20T09:11:00Z",
    "2026-1-2T09:11:00Z",
    "+002026-11-20T09:11:00Z",
    "-000001-11-20T09:11:00Z",
    "2026-00-20T09:11:00Z",
    "2026-13-20T09:11:00Z",
    "2026-11-00T09:11:00Z",
    "2026-11-31T09:11:00Z",
    "2026-02-29T09:11:00Z",
    "2100-02-29T09:11:00Z",
    "2026-11-20T25:00:00Z",
    "2026-11-20T09:60:00Z",
    "2026-11-20T09:11:60Z",
    "2026-11-20T09:11:00+24:00",
    "2026-11-20T09:11:00+01:60",
    "1763629860000",
  ])
    test(`is not ${JSON.stringify(text)}`, () => {
      expect(systemClock.parse(text)).toBeNull();
    });

  for (const [text, moment] of [
    ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"],
    ["2000-02-29T00:00:00Z", "2000-02-29T00:00:00.000Z"],
    ["2026-11-20T09:11:00.9999Z", "2026-11-20T09:11:00.999Z"],
    ["0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ] as const)
    test(`may be ${text}`, () => {
      expect(systemClock.parse(text)).toBe(moment);
    });

  for (const text of ["9999-12-31T23:59:59-01:00", "0000-01-01T00:00:00+01:00"])
    test(`is refused if it lies outside the years 0000 to 9999 in UTC, such as ${text}, because it would not sort`, () => {
      expect(systemClock.parse(text)).toBeNull();
    });
});

test("the clock's timers work again and again, until they are ended", () => {
  jest.useFakeTimers();
  try {
    let times = 0;
    const end = systemClock.every(5000, () => times++);
    jest.advanceTimersByTime(4999);
    expect(times).toBe(0);
    jest.advanceTimersByTime(5001);
    expect(times).toBe(2);
    end();
    jest.advanceTimersByTime(60_000);
    expect(times).toBe(2);
  } finally {
    jest.useRealTimers();
  }
});
