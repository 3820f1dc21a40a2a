const TICK_MS = 10;
/**
 * An answer may be waiting unread while this process is busy: it is late only after the process had time to read it.
 */
const MIN_TICKS = 3;

interface Waiting {
  readonly sinceMs: number;
  ticks: number;
  readonly giveUp: () => void;
}

/** An answer that did not come in time; it may still come. */
export class LateAnswer extends Error {
  override readonly name = "LateAnswer";
}

/** Waits for answers, each for a limited time. */
export interface Timeout {
  /** Returns the answer, or rejects once it is late. Later answers and failures are ignored. */
  wait<Value>(answer: Promise<Value>): Promise<Value>;
}

/**
 * Gives answers `limitMs`. Time in which this process was too busy to look does not count. One timer serves all
 * answers.
 */
export const timeoutAfter = (limitMs: number): Timeout => {
  // In the order of asking: the first ones are the first to be late.
  const waiting = new Set<Waiting>();
  let timer: Timer | undefined;

  const tick = (): void => {
    const now = performance.now();
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
          sinceMs: performance.now(),
          ticks: 0,
          giveUp: () => reject(new LateAnswer(`no answer within ${limitMs} ms`)),
        };
        waiting.add(one);
        timer ??= setInterval(tick, TICK_MS);
        answer.then(resolve, reject).finally(() => waiting.delete(one));
      }),
  };
};
