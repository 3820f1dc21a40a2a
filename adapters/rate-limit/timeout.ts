import type { SteadyClock } from "../../core/clock.ts";

const TICK_MS = 10;
/**
 * An answer may already have arrived while this process is too busy to read it. It counts as late only if the process
 * had enough time to read it.
 */
const MIN_TICKS = 3;

interface Waiting {
  readonly sinceMs: number;
  ticks: number;
  readonly giveUp: () => void;
}

/** The error for an answer that did not come in time. The answer may still come. */
export class LateAnswer extends Error {
  override readonly name = "LateAnswer";
}

/** Waits for answers, but only for a limited time each. */
export interface Timeout {
  /** Returns the answer, or rejects when it is late. What comes after that is ignored. */
  wait<Value>(answer: Promise<Value>): Promise<Value>;
}

/**
 * Waits `limitMs` for each answer. Time in which this process was too busy to look does not count. One timer serves all
 * answers.
 */
export const timeoutAfter = (limitMs: number, clock: SteadyClock): Timeout => {
  // In the order of asking, so that the first ones are late first.
  const waiting = new Set<Waiting>();
  let timer: Timer | undefined;

  const tick = (): void => {
    const now = clock.steadyMs();
    for (const one of waiting) {
      one.ticks++;
      if (one.ticks >= MIN_TICKS && now - one.sinceMs >= limitMs) {
        waiting.delete(one);
        one.giveUp();
      }
    }
    if (waiting.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  return {
    wait: (answer) =>
      new Promise((resolve, reject) => {
        const one: Waiting = {
          sinceMs: clock.steadyMs(),
          ticks: 0,
          giveUp: () => reject(new LateAnswer(`no answer within ${limitMs} ms`)),
        };
        waiting.add(one);
        timer ??= setInterval(tick, TICK_MS);
        answer.then(resolve, reject).finally(() => waiting.delete(one));
      }),
  };
};
