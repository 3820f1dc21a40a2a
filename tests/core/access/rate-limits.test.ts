import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  type Admission,
  FAILED_AUTHENTICATIONS,
  judge,
  RATE_LIMITS,
  WINDOW_MS,
} from "../../../core/access/rate-limits.ts";

type Count = Parameters<typeof judge>[0];

/** The rule in whole numbers, without rounding: everything is multiplied by the length of the window. */
const admits = ({ previous, current, elapsedMs }: Count, limit: number): boolean =>
  previous * (WINDOW_MS - elapsedMs) + (current + 1) * WINDOW_MS <= limit * WINDOW_MS;

/** The counts after `ms` without a request. */
const later = ({ previous, current, elapsedMs }: Count, ms: number): Count => {
  const minutes = Math.floor((elapsedMs + ms) / WINDOW_MS);
  return {
    previous: minutes === 0 ? previous : minutes === 1 ? current : 0,
    current: minutes === 0 ? current : 0,
    elapsedMs: (elapsedMs + ms) % WINDOW_MS,
  };
};

/** The fewest milliseconds until one request is admitted if none comes between, found by bisection. */
const waitMs = (count: Count, limit: number): number => {
  let refused = -1;
  let admitted = 2 * WINDOW_MS;
  while (admitted - refused > 1) {
    const middle = Math.floor((refused + admitted) / 2);
    if (admits(later(count, middle), limit)) admitted = middle;
    else refused = middle;
  }
  return admitted;
};

const counts = fc
  .record({
    limit: fc.integer({ min: 1, max: 500 }),
    previous: fc.integer({ min: 0, max: 600 }),
    current: fc.integer({ min: 0, max: 600 }),
    elapsedMs: fc.integer({ min: 0, max: WINDOW_MS - 1 }),
  })
  .map(({ limit, ...count }) => [count, limit] as const);

/** Sends a request at each of these times and returns the answers. */
const send = (momentsMs: readonly number[], limit: number): Admission[] => {
  let minute = 0;
  let counts: [previous: number, current: number] = [0, 0];
  return momentsMs.map((moment) => {
    const now = Math.floor(moment / WINDOW_MS);
    if (now > minute) counts = [now === minute + 1 ? counts[1] : 0, 0];
    minute = now;
    const admission = judge({ previous: counts[0], current: counts[1], elapsedMs: moment % WINDOW_MS }, limit);
    if (admission.admitted) counts[1]++;
    return admission;
  });
};

const admittedOf = (admissions: readonly Admission[]): number => admissions.filter(({ admitted }) => admitted).length;

describe("limits per minute", () => {
  test("are 100 for web, 300 for desktop and 200 for mobile, and no other app type exists", () => {
    expect(RATE_LIMITS).toEqual({ web: 100, desktop: 300, mobile: 200 });
  });

  test("are 30 failed authentications per address, in a window of 60 seconds", () => {
    expect([FAILED_AUTHENTICATIONS, WINDOW_MS]).toEqual([30, 60_000]);
  });

  for (const [appType, limit] of Object.entries({ web: 100, desktop: 300, mobile: 200 }))
    test(`a fresh ${appType} key passes exactly ${limit} requests at once`, () => {
      const admissions = send(Array(limit + 50).fill(1234), limit);
      expect(admissions.map(({ admitted }) => admitted)).toEqual(admissions.map((_, index) => index < limit));
      expect(admissions.slice(0, limit).map(({ remaining }) => remaining)).toEqual(
        Array.from({ length: limit }, (_, index) => limit - 1 - index),
      );
      expect(admissions[limit]?.remaining).toBe(0);
    });
});

describe("a single decision", () => {
  test("admits exactly the requests that keep the weighted count within the limit", () => {
    fc.assert(
      fc.property(counts, ([count, limit]) => expect(judge(count, limit).admitted).toBe(admits(count, limit))),
      { numRuns: 2000 },
    );
  });

  test("states exactly how many more requests would be admitted now", () => {
    fc.assert(
      fc.property(counts, ([count, limit]) => {
        const { admitted, remaining } = judge(count, limit);
        const taken = count.current + (admitted ? 1 : 0);
        expect(admits({ ...count, current: taken + remaining }, limit)).toBe(false);
        if (remaining > 0) expect(admits({ ...count, current: taken + remaining - 1 }, limit)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test("tells a refused request the first whole second at which one is admitted", () => {
    fc.assert(
      fc.property(counts, ([count, limit]) => {
        const { admitted, retrySeconds } = judge(count, limit);
        fc.pre(!admitted);
        const admitsAfter = (seconds: number) => admits(later(count, seconds * 1000), limit);
        expect(admitsAfter(retrySeconds)).toBe(true);
        expect(admitsAfter(retrySeconds - 1)).toBe(false);
        expect(retrySeconds).toBe(Math.ceil(waitMs(count, limit) / 1000));
      }),
      { numRuns: 2000 },
    );
  });

  test("gives an admitted request no wait", () => {
    fc.assert(
      fc.property(counts, ([count, limit]) => {
        const { admitted, retrySeconds } = judge(count, limit);
        expect(retrySeconds === 0).toBe(admitted);
      }),
    );
  });

  test("gives the end of the minute as the reset, or, when no request remains, the seconds until one is admitted", () => {
    fc.assert(
      fc.property(counts, ([count, limit]) => {
        const { admitted, remaining, resetSeconds, retrySeconds } = judge(count, limit);
        const minuteEnds = Math.ceil((WINDOW_MS - count.elapsedMs) / 1000);
        const next = judge({ ...count, current: count.current + (admitted ? 1 : 0) }, limit);
        expect(resetSeconds).toBe(remaining > 0 ? minuteEnds : next.retrySeconds);
        if (!admitted) expect(resetSeconds).toBe(retrySeconds);
      }),
      { numRuns: 2000 },
    );
  });

  test("at second 40 of a minute with 20 of 20 requests used, the reset is the wait of 23 seconds, not the minute's end", () => {
    const count = { previous: 0, current: 19, elapsedMs: 40_000 };
    expect(judge(count, 20)).toMatchObject({ admitted: true, remaining: 0, resetSeconds: 23 });
    expect(judge({ ...count, current: 20 }, 20)).toMatchObject({ admitted: false, resetSeconds: 23, retrySeconds: 23 });
  });

  test("never states less than a second, more than a minute for the window or more than two for the wait", () => {
    fc.assert(
      fc.property(counts, ([count, limit]) => {
        const { admitted, resetSeconds, retrySeconds } = judge(count, limit);
        expect([resetSeconds, retrySeconds].every(Number.isInteger)).toBe(true);
        expect(resetSeconds).toBeWithin(1, 121);
        if (!admitted) expect(retrySeconds).toBeWithin(1, 121);
      }),
    );
  });
});

describe("many requests", () => {
  const traffic = fc.record({
    limit: fc.integer({ min: 1, max: 40 }),
    moments: fc
      .array(fc.integer({ min: 0, max: 6 * WINDOW_MS }), { minLength: 1, maxLength: 300 })
      .map((moments) => moments.sort((one, other) => one - other)),
  });

  test("never exceed the limit in any minute, nor in the last 60 seconds by the rule's own count", () => {
    fc.assert(
      fc.property(traffic, ({ limit, moments }) => {
        const admissions = send(moments, limit);
        const admitted = moments.filter((_, index) => admissions[index]?.admitted);
        const inMinute = (minute: number, until: number) =>
          admitted.filter((moment) => Math.floor(moment / WINDOW_MS) === minute && moment <= until).length;
        for (const moment of admitted) {
          const minute = Math.floor(moment / WINDOW_MS);
          const covered = WINDOW_MS - (moment % WINDOW_MS);
          expect(inMinute(minute - 1, moment) * covered + inMinute(minute, moment) * WINDOW_MS).toBeLessThanOrEqual(
            limit * WINDOW_MS,
          );
        }
      }),
      { numRuns: 200 },
    );
  });

  test("do not count when refused: a client that keeps trying is admitted as soon as one that waits", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: WINDOW_MS }), (limit, at) => {
        const burst = Array<number>(limit).fill(at);
        const wait = send([...burst, at], limit).at(-1)?.retrySeconds ?? 0;
        const knocking = Array.from({ length: wait * 5 - 4 }, (_, index) => at + index * 200);
        expect(send([...burst, at + wait * 1000], limit).at(-1)?.admitted).toBe(true);
        expect(admittedOf(send([...burst, ...knocking], limit))).toBe(limit);
        expect(send([...burst, ...knocking, at + wait * 1000], limit).at(-1)?.admitted).toBe(true);
      }),
    );
  });

  test("in two bursts around a minute's boundary do not pass twice the limit", () => {
    const passed = (limit: number, first: number, second: number) =>
      admittedOf(send([...Array<number>(limit * 2).fill(first), ...Array<number>(limit * 2).fill(second)], limit));
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 0, max: WINDOW_MS - 1 }),
        fc.integer({ min: 0, max: WINDOW_MS - 1 }),
        (limit, first, gap) => expect(passed(limit, first, first + gap)).toBeLessThan(2 * limit),
      ),
    );
    expect(passed(100, WINDOW_MS - 1, WINDOW_MS)).toBe(100);
  });
});
