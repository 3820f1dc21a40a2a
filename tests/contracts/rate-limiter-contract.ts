import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Admission, RateLimiter } from "../../core/access/rate-limits.ts";
import type { Clock } from "../../core/clock.ts";
import { type FakeClock, fakeClock, START_MS } from "../support/clock.ts";
import { inGate } from "../support/depth.ts";

const MINUTE_MS = 60_000;

/** A limiter under test, and how to release what it holds. */
export interface MadeLimiter {
  readonly limiter: RateLimiter;
  close?(): Promise<void>;
}

/** The sliding window of interface 10.1 in its simplest form, against which every limiter is compared. */
const oracle = () => {
  const admitted: number[] = [];
  return (nowMs: number, limit: number): boolean => {
    const minute = Math.floor(nowMs / MINUTE_MS);
    const of = (wanted: number): number => admitted.filter((ms) => Math.floor(ms / MINUTE_MS) === wanted).length;
    const elapsed = nowMs - minute * MINUTE_MS;
    // In whole numbers: (previous × rest of the minute + this minute's × minute + this one × minute) ≤ limit × minute.
    const weight = of(minute - 1) * (MINUTE_MS - elapsed) + (of(minute) + 1) * MINUTE_MS;
    if (weight > limit * MINUTE_MS) return false;
    admitted.push(nowMs);
    return true;
  };
};

/** What every rate limiter guarantees (interface 10.1), wherever it keeps its counts. */
export const rateLimiterContract = (name: string, make: (clock: Clock) => Promise<MadeLimiter>): void =>
  describe(`the rate limiter ${name}`, () => {
    let clock: FakeClock;
    let made: MadeLimiter;
    let subjects = 0;
    let startMs = START_MS;

    beforeAll(async () => {
      clock = fakeClock();
      made = await make(clock);
    });
    afterAll(async () => made.close?.());

    /** A new subject, at the first millisecond of an unused minute. */
    const fresh = (): string => {
      startMs += 10 * MINUTE_MS;
      clock.set(startMs);
      return `subject ${++subjects}`;
    };
    const take = async (subject: string, limit: number): Promise<Admission> => made.limiter.take(subject, limit);
    /** The number of admitted requests when `requests` are sent one after the other. */
    const admittedOf = async (requests: number, subject: string, limit: number): Promise<number> => {
      let admitted = 0;
      for (let request = 0; request < requests; request++) if ((await take(subject, limit)).admitted) admitted++;
      return admitted;
    };

    test("admits one request more after one was given back", async () => {
      const subject = fresh();
      expect(await admittedOf(5, subject, 3)).toBe(3);
      made.limiter.giveBack(subject);
      expect(await admittedOf(5, subject, 3)).toBe(1);
      const other = fresh();
      made.limiter.giveBack(other);
      expect(await admittedOf(5, other, 3)).toBe(3);
    });

    for (const limit of [1, 2, 100, 300])
      test(`admits exactly ${limit} requests of a new subject at once, at any moment of a minute`, async () => {
        for (const elapsedMs of [0, 1, 30_000, 59_999]) {
          const subject = fresh();
          clock.advance(elapsedMs);
          expect([elapsedMs, await admittedOf(limit + 20, subject, limit)]).toEqual([elapsedMs, limit]);
        }
      });

    test("is exact under concurrent requests", async () => {
      const subject = fresh();
      const admissions = await Promise.all(Array.from({ length: 200 }, () => take(subject, 50)));
      expect(admissions.filter(({ admitted }) => admitted)).toHaveLength(50);
    });

    test("states how many requests are left, down to zero", async () => {
      const subject = fresh();
      const left = [];
      for (let request = 0; request < 4; request++) left.push((await take(subject, 3)).remaining);
      expect(left).toEqual([2, 1, 0, 0]);
    });

    test("admits no second burst just after a minute's boundary", async () => {
      const subject = fresh();
      clock.advance(MINUTE_MS - 100);
      expect(await admittedOf(150, subject, 100)).toBe(100);
      clock.advance(200);
      expect(await admittedOf(150, subject, 100)).toBe(0);
    });

    test("weighs the previous minute by its share of the last 60 seconds", async () => {
      for (const [elapsedMs, free] of [
        [15_000, 25],
        [30_000, 50],
        [45_000, 75],
        [59_999, 99],
      ] as const) {
        const subject = fresh();
        await admittedOf(100, subject, 100);
        clock.advance(MINUTE_MS + elapsedMs);
        expect([elapsedMs, await admittedOf(150, subject, 100)]).toEqual([elapsedMs, free]);
      }
    });

    test("forgets every request after two minutes", async () => {
      const subject = fresh();
      await admittedOf(100, subject, 100);
      clock.advance(2 * MINUTE_MS);
      expect(await admittedOf(150, subject, 100)).toBe(100);
    });

    test("does not count refused requests", async () => {
      const [patient, hasty] = [fresh(), "hasty"];
      await admittedOf(100, patient, 100);
      await admittedOf(5000, hasty, 100);
      clock.advance(MINUTE_MS + 30_000);
      expect(await admittedOf(150, hasty, 100)).toBe(await admittedOf(150, patient, 100));
    });

    test("counts each subject separately", async () => {
      const [one, other] = [fresh(), "other"];
      await admittedOf(20, one, 10);
      expect(await admittedOf(20, other, 10)).toBe(10);
    });

    test("applies a changed limit to the requests that were already counted", async () => {
      const subject = fresh();
      await admittedOf(10, subject, 10);
      expect((await take(subject, 10)).admitted).toBe(false);
      expect(await admittedOf(20, subject, 15)).toBe(5);
      expect((await take(subject, 5)).admitted).toBe(false);
    });

    test("keeps the counts and the limit if the clock is set back slightly", async () => {
      const subject = fresh();
      clock.advance(MINUTE_MS);
      await admittedOf(10, subject, 10);
      for (const backMs of [500, MINUTE_MS - 500]) {
        clock.advance(-backMs);
        expect((await take(subject, 10)).admitted).toBe(false);
      }
      clock.advance(3 * MINUTE_MS);
      expect((await take(subject, 10)).admitted).toBe(true);
    });

    for (const backMs of [2 * MINUTE_MS, 60 * MINUTE_MS, 1_000_000 * MINUTE_MS])
      test(`locks nobody out if the clock is set back by ${backMs / MINUTE_MS} minutes`, async () => {
        const subject = fresh();
        await admittedOf(10, subject, 10);
        clock.advance(-backMs);
        expect(await admittedOf(15, subject, 10)).toBe(10);
        clock.advance(2 * MINUTE_MS);
        expect(await admittedOf(15, subject, 10)).toBe(10);
      });

    test("agrees with the documented sliding window for any sequence of requests", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 12 }),
          fc.array(fc.oneof(fc.nat(3), fc.nat(9_000), fc.nat(70_000)), { maxLength: 60, size: "max" }),
          async (limit, pausesMs) => {
            const subject = fresh();
            const admits = oracle();
            for (const pauseMs of pausesMs) {
              clock.advance(pauseMs);
              expect((await take(subject, limit)).admitted).toBe(admits(clock.nowMs(), limit));
            }
          },
        ),
        { numRuns: inGate(40, 150) },
      );
    });

    test("admits a refused caller after the stated seconds, which are never more than two minutes", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 12 }),
          fc.array(fc.oneof(fc.nat(3), fc.nat(9_000), fc.nat(70_000)), { maxLength: 40, size: "max" }),
          async (limit, pausesMs) => {
            const subject = fresh();
            for (const pauseMs of pausesMs) {
              clock.advance(pauseMs);
              await take(subject, limit);
            }
            let last = await take(subject, limit);
            while (last.admitted) last = await take(subject, limit);
            const { retrySeconds, resetSeconds } = last;
            expect(Number.isInteger(retrySeconds) && Number.isInteger(resetSeconds)).toBe(true);
            expect(resetSeconds).toBe(retrySeconds);
            expect(retrySeconds).toBeGreaterThanOrEqual(1);
            expect(retrySeconds).toBeLessThanOrEqual(120);
            // Exactly as long as necessary: a second less is too early.
            clock.advance((retrySeconds - 1) * 1000);
            if (retrySeconds > 1) expect((await take(subject, limit)).admitted).toBe(false);
            clock.advance(1000);
            expect((await take(subject, limit)).admitted).toBe(true);
          },
        ),
        { numRuns: inGate(40, 150) },
      );
    });
  });
