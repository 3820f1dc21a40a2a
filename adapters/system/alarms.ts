import type { Alarm, SteadyClock } from "../../core/clock.ts";

const TICK_MS = 50;

/** Alarms by a clock. One timer serves all of them, and only while there are any. */
export const makeAlarm = (clock: SteadyClock): Alarm => {
  const pending = new Map<object, { readonly atMs: number; readonly ring: () => void }>();
  let timer: Timer | undefined;

  const stopIfIdle = (): void => {
    if (pending.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const tick = (): void => {
    for (const [key, { atMs, ring }] of pending) if (clock.steadyMs() >= atMs && pending.delete(key)) ring();
    stopIfIdle();
  };

  return (ms, ring) => {
    const key = {};
    pending.set(key, { atMs: clock.steadyMs() + ms, ring });
    timer ??= setInterval(tick, TICK_MS);
    return () => {
      pending.delete(key);
      stopIfIdle();
    };
  };
};
