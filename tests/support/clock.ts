import { systemClock } from "../../adapters/system/clock.ts";
import type { Clock } from "../../core/clock.ts";

/** A clock that stands still until it is told to move, forwards or back. */
export interface FakeClock extends Clock {
  set(ms: number): void;
  advance(ms: number): void;
}

/** The first millisecond of a minute, so that tests of windows know where they are. */
export const START_MS = Date.parse("2026-03-14T09:26:00.000Z");

export const fakeClock = (startMs = START_MS): FakeClock => {
  let present = startMs;
  const momentAt = (ms: number): string => new Date(ms).toISOString();
  return {
    nowMs: () => present,
    now: () => momentAt(present),
    after: (seconds) => momentAt(present + seconds * 1000),
    parse: systemClock.parse,
    set(ms) {
      present = ms;
    },
    advance(ms) {
      present += ms;
    },
  };
};
