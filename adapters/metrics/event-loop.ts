import type { Registry } from "./registry.ts";

const TICK_MS = 250;
/** The longest delay is remembered for this long at least, and for twice as long at most. */
const MEMORY_MS = 30_000;

/**
 * Measures how late timers are, which is the time that requests wait for the only thread. Reports the maximum of the
 * last 30 to 60 seconds. Returns a function that ends the measurement.
 */
export const addEventLoop = (registry: Registry): (() => void) => {
  let [before, current, since] = [0, 0, performance.now()];
  let due = performance.now() + TICK_MS;
  const tick = (): void => {
    const now = performance.now();
    current = Math.max(current, now - due);
    due = now + TICK_MS;
    if (now - since < MEMORY_MS) return;
    [before, current, since] = [current, 0, now];
  };
  const timer = setInterval(tick, TICK_MS);
  timer.unref();
  registry.gauge(
    "event_loop_lag_seconds",
    "How late a timer was, at most, within the last minute: what a request may wait for the thread.",
    () => Math.max(before, current, performance.now() - due, 0) / 1000,
  );
  return () => clearInterval(timer);
};
