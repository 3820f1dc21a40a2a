import { systemClock } from "../../adapters/system/clock.ts";
import type { Clock } from "../../core/clock.ts";

/** A clock that stands still until a test moves it forwards or backwards. */
export interface FakeClock extends Clock {
  set(ms: number): void;
  advance(ms: number): void;
}

/** The first millisecond of a minute, so that tests of windows know where they are. */
export const START_MS = Date.parse("2026-03-14T09:26:00.000Z");

export const fakeClock = (startMs = START_MS): FakeClock => {
  let present = startMs;
  let steady = startMs;
  const momentAt = (ms: number): string => new Date(ms).toISOString();
  return {
    nowMs: () => present,
    steadyMs: () => steady,
    now: () => momentAt(present),
    after: (seconds) => momentAt(present + seconds * 1000),
    secondsUntil: (moment) => Math.ceil((Date.parse(moment) - present) / 1000),
    parse: systemClock.parse,
    set(ms) {
      steady += Math.max(0, ms - present);
      present = ms;
    },
    advance(ms) {
      steady += Math.max(0, ms);
      present += ms;
    },
  };
};

/** A clock that tests can advance. */
export interface AdjustableClock extends Clock {
  advance(ms: number): void;
}

/** The machine's clock, which tests can advance so that something expires in a running service. */
export const adjustableClock = (): AdjustableClock => {
  let aheadMs = 0;
  const nowMs = (): number => systemClock.nowMs() + aheadMs;
  return {
    nowMs,
    steadyMs: () => systemClock.steadyMs() + aheadMs,
    now: () => new Date(nowMs()).toISOString(),
    after: (seconds) => new Date(nowMs() + seconds * 1000).toISOString(),
    secondsUntil: (moment) => Math.ceil((Date.parse(moment) - nowMs()) / 1000),
    parse: systemClock.parse,
    advance(ms) {
      aheadMs += ms;
    },
  };
};
