import { describe, expect, test } from "bun:test";
import { timestampAt } from "../../../core/clock.ts";
import { type Attempted, afterAttempt, type Failing, PAUSES_MS } from "../../../core/webhooks/after-attempt.ts";

const START_MS = 1_800_000_000_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const WELL: Failing = { failures: 0, failingSince: null, noticedAt: null };

const attempt = (fields: Partial<Attempted> = {}): Attempted => ({
  tries: 1,
  status: 500,
  retryAfterSeconds: null,
  at: timestampAt(START_MS),
  chance: 0,
  ...fields,
});
const failing = (days: number, failures: number, fields: Partial<Failing> = {}): Failing => ({
  failures,
  failingSince: timestampAt(START_MS - days * DAY_MS),
  noticedAt: null,
  ...fields,
});

describe("a try of a message", () => {
  test("is followed by the next one after a pause that grows, and by none after the last", () => {
    const pauses = PAUSES_MS.map((_, tries) => afterAttempt(WELL, attempt({ tries: tries + 1 })).nextAt);
    expect(pauses).toEqual([...PAUSES_MS.slice(1).map((pause) => timestampAt(START_MS + pause)), null]);
    expect(afterAttempt(WELL, attempt({ tries: PAUSES_MS.length }))).toMatchObject({ state: "failed", disabled: null });
  });

  test("waits as long as the receiver asks, a day at most, and up to a tenth longer than the pause", () => {
    const nextOf = (fields: Partial<Attempted>) => afterAttempt(WELL, attempt(fields)).nextAt;
    expect(nextOf({ retryAfterSeconds: 60 })).toBe(timestampAt(START_MS + 60_000));
    expect(nextOf({ retryAfterSeconds: 1 })).toBe(timestampAt(START_MS + 5000));
    expect(nextOf({ retryAfterSeconds: 1e9 })).toBe(timestampAt(START_MS + DAY_MS));
    expect(nextOf({ chance: 1 })).toBe(timestampAt(START_MS + 5500));
  });

  // [status, delivered].
  for (const [status, isDelivered] of [
    [199, false],
    [200, true],
    [299, true],
    [300, false],
    [null, false],
  ] as const)
    test(`with status ${status} ${isDelivered ? "is a success, which ends the failures" : "is a failure"}`, () => {
      const after = afterAttempt(failing(3, 7), attempt({ status }));
      expect([after.state, after.failures, after.failingSince === null]).toEqual(
        isDelivered ? ["delivered", 0, true] : ["pending", 8, false],
      );
    });

  // [what, before, status, switched off, told].
  const ENDINGS: readonly (readonly [string, Failing, number, string | null, boolean])[] = [
    ["for a day is told", failing(1, 3), 500, null, true],
    ["for less than a day is not told", failing(0.99, 30), 500, null, false],
    ["that was told is not told again", failing(2, 9, { noticedAt: timestampAt(START_MS) }), 500, null, false],
    ["for 5 days and 20 times switches off", failing(5, 19), 500, "failing", false],
    ["for 5 days and 19 times does not", failing(5, 18, { noticedAt: timestampAt(0) }), 500, null, false],
    ["20 times in less than 5 days does not", failing(4.99, 40, { noticedAt: timestampAt(0) }), 500, null, false],
    ["by a receiver that is gone switches off", WELL, 410, "gone", false],
  ];
  for (const [what, before, status, disabled, isTold] of ENDINGS)
    test(`that fails ${what}`, () => {
      const after = afterAttempt(before, attempt({ status }));
      expect([after.disabled, after.isToBeNoticed]).toEqual([disabled as typeof after.disabled, isTold]);
      expect(after.state).toBe(disabled === null ? "pending" : "failed");
    });
});

test("failures are counted from the first, and somebody was told when it was noticed", () => {
  const at = timestampAt(START_MS);
  expect(afterAttempt(WELL, attempt())).toMatchObject({ failingSince: at, noticedAt: null, isToBeNoticed: false });
  expect(afterAttempt(failing(1, 3), attempt())).toMatchObject({ noticedAt: at, isToBeNoticed: true });
  const noticedAt = timestampAt(START_MS - DAY_MS);
  expect(afterAttempt(failing(2, 9, { noticedAt }), attempt())).toMatchObject({ noticedAt, isToBeNoticed: false });
});
