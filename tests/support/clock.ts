import { systemClock } from "../../adapters/system/clock.ts";
import type { Clock, Timers } from "../../core/clock.ts";

/** A clock that stands still until a test moves it forwards or backwards. */
export interface FakeClock extends Clock, Timers {
  set(ms: number): void;
  advance(ms: number): void;
  /**
   * Advances, and then does the work of each timer that is due, one after the other in the order in which they were due.
   * As in a process that was suspended, each works once, however often it would have been due.
   */
  runTimers(ms: number): Promise<void>;
}

interface FakeTimer {
  readonly everyMs: number;
  readonly work: () => unknown;
  dueMs: number;
}

/** The first millisecond of a minute, so that tests of windows know where they are. */
export const START_MS = Date.parse("2026-03-14T09:26:00.000Z");

/** A clock that stands at `startMs`. Each `now()` moves its time of day, though not its steady time, by `stepMs`. */
const clockAt = (startMs: number, stepMs: number): FakeClock => {
  let present = startMs;
  let steady = startMs;
  const timers = new Set<FakeTimer>();
  const advance = (ms: number): void => {
    steady += Math.max(0, ms);
    present += ms;
  };
  const momentAt = (ms: number): string => new Date(ms).toISOString();
  return {
    nowMs: () => present,
    steadyMs: () => steady,
    now() {
      const moment = momentAt(present);
      present += stepMs;
      return moment;
    },
    after: (seconds) => momentAt(present + seconds * 1000),
    secondsUntil: (moment) => Math.ceil((Date.parse(moment) - present) / 1000),
    parse: systemClock.parse,
    set(ms) {
      steady += Math.max(0, ms - present);
      present = ms;
    },
    advance,
    every(everyMs, work) {
      const timer = { everyMs, work, dueMs: steady + everyMs };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async runTimers(ms) {
      advance(ms);
      const due = [...timers].filter(({ dueMs }) => dueMs <= steady).sort((one, other) => one.dueMs - other.dueMs);
      for (const timer of due) {
        timer.dueMs = steady + timer.everyMs;
        if (timers.has(timer)) await timer.work();
      }
    },
  };
};

/** A clock that gives the same time until a test moves it. */
export const fakeClock = (startMs = START_MS): FakeClock => clockAt(startMs, 0);

/** The time at which services start: later than every past moment of the documented examples. */
const SERVICE_START_MS = Date.parse("2026-11-20T09:26:00.000Z");

/**
 * The clock of a running service. What it records is a millisecond apart, so that orders by time hold. Limits count by
 * the steady time, which stands still: no minute ends before the test moves the clock.
 */
export const serviceClock = (): FakeClock => clockAt(SERVICE_START_MS, 1);
