import { type Clock, type Timers, timestampIn } from "../../core/clock.ts";

// The text is cached, because many requests are in the same millisecond.
let lastMs = Number.NaN;
let lastTimestamp = "";

/** The clock of this machine. Its timers do not keep the process alive. */
export const systemClock: Clock & Timers = {
  steadyMs: () => performance.now(),
  nowMs: () => Date.now(),
  now() {
    const ms = Date.now();
    if (ms !== lastMs) {
      lastMs = ms;
      lastTimestamp = new Date(ms).toISOString();
    }
    return lastTimestamp;
  },
  after: (seconds) => new Date(Date.now() + seconds * 1000).toISOString(),
  secondsUntil: (moment) => Math.ceil((Date.parse(moment) - Date.now()) / 1000),
  parse: timestampIn,
  every(ms, work) {
    const timer = setInterval(work, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
};
