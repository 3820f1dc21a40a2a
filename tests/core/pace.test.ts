import { describe, expect, test } from "bun:test";
import { Pace } from "../../core/pace.ts";
import { fakeClock } from "../support/clock.ts";

const KIB = 1024;
const SECOND_MS = 1000;

/** Seconds spent waiting for the other side, those of the service's own work behind them, and the bytes between. */
type Step = readonly [waited: number, bytes: number, worked: number];

/** A pace after these steps. */
const paceAfter = (...steps: readonly Step[]) => {
  const clock = fakeClock();
  const pace = new Pace(clock);
  for (const [waited, bytes, worked] of steps) {
    pace.wait();
    clock.advance(waited * SECOND_MS);
    pace.moved(bytes);
    clock.advance(worked * SECOND_MS);
  }
  return { clock, pace };
};

describe("the other side of a connection", () => {
  const CASES: readonly (readonly [what: string, steps: readonly Step[], isTooSlow: boolean])[] = [
    ["has 30 seconds for anything", [[30, 0, 0]], false],
    ["is too slow behind them with nothing", [[30.001, 0, 0]], true],
    ["may send drops in them", Array.from({ length: 30 }, (): Step => [1, 1, 0]), false],
    ["is too slow with drops behind them", Array.from({ length: 31 }, (): Step => [1, 1, 0]), true],
    ["keeps its place at 64 KiB a second", Array.from({ length: 600 }, (): Step => [1, 64 * KIB, 0]), false],
    ["loses it just below that", Array.from({ length: 600 }, (): Step => [1, 64 * KIB - 1, 0]), true],
    [
      "may rest on what went fast",
      [
        [1, 6400 * KIB, 0],
        [99, 1, 0],
      ],
      false,
    ],
    [
      "may not rest on it for longer",
      [
        [1, 6400 * KIB, 0],
        [99.1, 0, 0],
      ],
      true,
    ],
    [
      "is not to blame for the service's work",
      [
        [1, 1, 3600],
        [1, 1, 3600],
      ],
      false,
    ],
  ];
  for (const [what, steps, isTooSlow] of CASES)
    test(what, () => {
      expect(paceAfter(...steps).pace.isTooSlow()).toBe(isTooSlow);
    });

  test("is too slow even during a wait, however often the wait is reported", () => {
    const { clock, pace } = paceAfter([10, 1, 100]);
    pace.wait();
    clock.advance(20 * SECOND_MS);
    pace.wait();
    expect(pace.isTooSlow()).toBe(false);
    clock.advance(1);
    expect(pace.isTooSlow()).toBe(true);
  });
});
