import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { timeZoneOf } from "../../../adapters/system/time-zones.ts";
import { type Cron, cronOf, followingTick, type TimeZone, tickAfter } from "../../../core/cron/cron.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const QUARTER_MS = 15 * MINUTE_MS;

/** A zone that is asked once for each quarter of an hour, in which no clock is changed. */
const zoneOf = (name: string): TimeZone => {
  const zone = timeZoneOf(name);
  if (zone === null) throw new Error(`${name} is no time zone`);
  const known = new Map<number, number>();
  return {
    offsetMs(at) {
      const quarter = Math.floor(at / QUARTER_MS) * QUARTER_MS;
      const offset = known.get(quarter) ?? zone.offsetMs(quarter);
      known.set(quarter, offset);
      return offset;
    },
  };
};
const BERLIN = zoneOf("Europe/Berlin");
const UTC = zoneOf("UTC");

const read = (text: string): Cron => {
  const cron = cronOf(text);
  if (typeof cron === "string") throw new Error(`${text}: ${cron}`);
  return cron;
};

/** Ticks behind a moment, as text. */
const ticks = (text: string, { zone = BERLIN, from, many }: { zone?: typeof UTC; from: string; many: number }) => {
  const found: string[] = [];
  for (let at: number | null = Date.parse(from); at !== null && found.length < many; ) {
    at = tickAfter(read(text), zone, at);
    if (at !== null) found.push(new Date(at).toISOString().slice(0, 16));
  }
  return found;
};

describe("ticks", () => {
  // [schedule, what it means, ticks in UTC from the evening of 20 November 2026, a Friday].
  const PLAIN: readonly (readonly [schedule: string, ticks: readonly string[]])[] = [
    ["30 2 * * *", ["2026-11-21T02:30", "2026-11-22T02:30"]],
    ["*/15 22-23 * * *", ["2026-11-20T22:00", "2026-11-20T22:15"]],
    ["0 */6 * * *", ["2026-11-21T00:00", "2026-11-21T06:00"]],
    ["0 5 * * mon-fri", ["2026-11-23T05:00", "2026-11-24T05:00"]],
    ["0 5 * * 7", ["2026-11-22T05:00", "2026-11-29T05:00"]],
    ["0 5 * * SUN,3", ["2026-11-22T05:00", "2026-11-25T05:00"]],
    ["0 0 1 * *", ["2026-12-01T00:00", "2027-01-01T00:00"]],
    ["0 0 31 * *", ["2026-12-31T00:00", "2027-01-31T00:00"]],
    ["0 0 29 feb *", ["2028-02-29T00:00", "2032-02-29T00:00"]],
    // Either kind of day will do where both are named; both must fit where one begins with a star.
    ["0 0 1 * sun", ["2026-11-22T00:00", "2026-11-29T00:00"]],
    ["0 0 */2 * sun", ["2026-11-29T00:00", "2026-12-13T00:00"]],
    ["  10   4  1-7/3  *  *", ["2026-12-01T04:10", "2026-12-04T04:10"]],
  ];
  for (const [schedule, expected] of PLAIN)
    test(`of ${schedule} in UTC`, () => {
      expect(ticks(schedule, { zone: UTC, from: "2026-11-20T21:30:00Z", many: 2 })).toEqual([...expected]);
    });

  test("follow the clock of their time zone through the year", () => {
    expect(ticks("0 6 1 1,7 *", { from: "2026-11-20T00:00:00Z", many: 2 })).toEqual([
      "2027-01-01T05:00",
      "2027-07-01T04:00",
    ]);
  });

  test("that the clock skips are done when it is put forward", () => {
    // On 28 March 2027 the clock goes from 2:00 to 3:00.
    expect(ticks("30 2 * * *", { from: "2027-03-27T12:00:00Z", many: 2 })).toEqual([
      "2027-03-28T01:00",
      "2027-03-29T00:30",
    ]);
    expect(ticks("*/30 1-3 * * *", { from: "2027-03-27T23:45:00Z", many: 5 })).toEqual([
      "2027-03-28T00:00",
      "2027-03-28T00:30",
      "2027-03-28T01:00",
      "2027-03-28T01:30",
      "2027-03-28T23:00",
    ]);
  });

  test("that the clock repeats are done once", () => {
    // On 31 October 2027 the clock goes from 3:00 back to 2:00.
    expect(ticks("30 2 * * *", { from: "2027-10-30T12:00:00Z", many: 2 })).toEqual([
      "2027-10-31T00:30",
      "2027-11-01T01:30",
    ]);
  });

  test("keep their distance when a clock is put forward", () => {
    const cron = read("50,5 * * * *");
    const before = Date.parse("2027-03-28T00:50:00Z");
    expect(followingTick(cron, BERLIN, before)).toBe(Date.parse("2027-03-28T01:05:00Z"));
    // 2:50 is done at 3:00, so that 3:05 is left out.
    const once = read("50 2 * * *");
    expect(tickAfter(once, BERLIN, before)).toBe(Date.parse("2027-03-28T01:00:00Z"));
    expect(followingTick(read("50,5 2,3 * * *"), BERLIN, Date.parse("2027-03-28T01:00:00Z"))).toBe(
      Date.parse("2027-03-28T01:50:00Z"),
    );
  });
});

describe("a schedule is refused", () => {
  const WRONG: readonly (readonly [schedule: string, why: string])[] = [
    ["", "5 fields"],
    ["* * * *", "5 fields"],
    ["0 0 1 1 1 1", "5 fields"],
    ["@daily", "5 fields"],
    ["60 0 * * *", "minute"],
    ["-1 0 * * *", "minute"],
    ["0 24 * * *", "hour"],
    ["0 0 0 * *", "day of the month"],
    ["0 0 32 * *", "day of the month"],
    ["0 0 * 13 *", "month"],
    ["0 0 * foo *", "month"],
    ["0 0 * mon *", "month"],
    ["0 0 * * 8", "day of the week"],
    ["0 0 * * fri-mon", "day of the week"],
    ["0 5/2 * * *", "hour"],
    ["0 */0 * * *", "hour"],
    ["0 1, * * *", "hour"],
    ["0 1.5 * * *", "hour"],
    ["0 0 30 2 *", "no month has"],
    ["* * * * *", "15 minutes"],
    ["*/14 * * * *", "15 minutes"],
    ["*/10 3 * * *", "15 minutes"],
    ["0,50 * * * *", "15 minutes"],
    ["0,50 0,23 * * *", "15 minutes"],
  ];
  for (const [schedule, why] of WRONG)
    test(`${schedule || "nothing"}: ${why}`, () => {
      expect(cronOf(schedule)).toContain(why);
    });

  test("but not where the times fall on days that never follow one another", () => {
    expect(cronOf("0,50 0,23 1 * *")).toBeObject();
    expect(cronOf("0,50 0,23 28,1 * *")).toContain("15 minutes");
    expect(cronOf("*/15 * * * *")).toBeObject();
    expect(cronOf("0,15,30,45 * * * *")).toBeObject();
  });
});

describe("against a clock checked every minute", () => {
  const PLACES = [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "America/Santiago",
    "Asia/Kolkata",
  ].map(zoneOf);
  /** Around changes of these clocks, and anywhere. */
  const STARTS = ["2027-03-14", "2027-03-28", "2027-10-31", "2027-11-07", "2027-04-03", "2027-10-02", "2027-09-04"];

  const field = (first: number, last: number) => {
    const value = fc.integer({ min: first, max: last });
    const step = fc.integer({ min: 1, max: last });
    const range = fc.tuple(value, value).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
    const part = fc.oneof(
      value.map(String),
      range,
      fc.tuple(range, step).map(([of, by]) => `${of}/${by}`),
      step.map((by) => `*/${by}`),
      fc.constant("*"),
    );
    return fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(","));
  };
  const schedules = fc
    .tuple(
      fc.oneof(fc.constantFrom("0", "30", "15,45", "*/15", "*/20"), field(0, 59)),
      field(0, 23),
      fc.oneof(fc.constant("*"), field(1, 31)),
      fc.constant("*"),
      fc.oneof(fc.constant("*"), field(0, 6)),
    )
    .map((parts) => parts.join(" "));

  /** The values that a field names. */
  const valuesOf = (text: string, last: number): ReadonlySet<number> => {
    const values = new Set<number>();
    for (const part of text.split(",")) {
      const [range = "", step = "1"] = part.split("/");
      const [from = 0, to] = range === "*" ? [last === 31 ? 1 : 0, last] : range.split("-").map(Number);
      for (let value = from; value <= (to ?? from); value += Number(step)) values.add(value);
    }
    return values;
  };

  /** Says of a time of the clock on the wall whether the schedule names it. */
  const namedBy = (schedule: string): ((wallMs: number) => boolean) => {
    const [minute = "", hour = "", day = "", , weekday = ""] = schedule.split(" ");
    const minutes = valuesOf(minute, 59);
    const hours = valuesOf(hour, 23);
    const days = valuesOf(day, 31);
    const weekdays = valuesOf(weekday, 7);
    const isBoth = day.startsWith("*") || weekday.startsWith("*");
    return (wallMs) => {
      const wall = new Date(wallMs);
      if (!minutes.has(wall.getUTCMinutes()) || !hours.has(wall.getUTCHours())) return false;
      const isDay = days.has(wall.getUTCDate());
      const isWeekday = weekdays.has(wall.getUTCDay());
      return isBoth ? isDay && isWeekday : isDay || isWeekday;
    };
  };

  test("every tick of three days is found, and nothing else", () => {
    fc.assert(
      fc.property(schedules, fc.constantFrom(...PLACES), fc.constantFrom(...STARTS), (schedule, zone, start) => {
        const cron = cronOf(schedule);
        fc.pre(typeof cron !== "string");
        if (typeof cron === "string") return;
        const from = Date.parse(`${start}T00:00:00Z`) - DAY_MS;
        const isNamed = namedBy(schedule);
        const expected: number[] = [];
        let latest = from + zone.offsetMs(from);
        for (let at = from + MINUTE_MS; at <= from + 3 * DAY_MS; at += MINUTE_MS) {
          const wall = at + zone.offsetMs(at);
          let isTick = false;
          for (let passed = latest + MINUTE_MS; passed <= wall; passed += MINUTE_MS) isTick ||= isNamed(passed);
          if (isTick) expected.push(at);
          latest = Math.max(latest, wall);
        }
        const found: number[] = [];
        for (let at = tickAfter(cron, zone, from); at !== null && at <= from + 3 * DAY_MS; ) {
          found.push(at);
          at = tickAfter(cron, zone, at);
        }
        expect(found).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  test("a schedule is refused exactly when two of its times are too close", () => {
    fc.assert(
      fc.property(schedules, (schedule) => {
        const fault = cronOf(schedule);
        const isNamed = namedBy(schedule);
        let last = Number.NEGATIVE_INFINITY;
        let isClose = false;
        const from = Date.parse("2026-11-01T00:00:00Z");
        for (let at = from; at < from + 40 * DAY_MS && !isClose; at += MINUTE_MS)
          if (isNamed(at)) {
            isClose = at - last < 15 * MINUTE_MS;
            last = at;
          }
        // In another month other days may follow one another.
        if (isClose) expect(fault).toContain("15 minutes");
        else if (typeof fault === "string") expect(schedule.split(" ").slice(2)).not.toEqual(["*", "*", "*"]);
      }),
      { numRuns: 60 },
    );
  });
});
