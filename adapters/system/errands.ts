import { AsyncLocalStorage } from "node:async_hooks";

/** The time for a request was over before it could be answered. */
export class TimeOver extends Error {
  override readonly name = "TimeOver";

  constructor(readonly outcomeUnknown: boolean) {
    super("the time for the request was over");
  }
}

/** What is done for one request, and until when. */
class Errand {
  private mayHaveChanged = false;
  private isSending = false;

  constructor(
    private readonly request: Request,
    private deadlineMs: number,
  ) {}

  /** True once nobody waits for what is done: the time is over, or the client has gone away. */
  isOver(): boolean {
    return this.isLate(performance.now()) || this.request.signal.aborted;
  }

  isLate(nowMs: number): boolean {
    return !this.isSending && nowMs >= this.deadlineMs;
  }

  /** A change is begun, which is finished from here on; false once the client may have been told that it was not made. */
  begin(): boolean {
    if (this.isLate(performance.now())) return false;
    this.mayHaveChanged = true;
    return true;
  }

  /** Waits for what the client has still to send; that time does not count. */
  whileSent<Value>(sent: Value | Promise<Value>): Value | Promise<Value> {
    if (!(sent instanceof Promise)) return sent;
    const since = performance.now();
    this.isSending = true;
    return sent.finally(() => {
      this.isSending = false;
      this.deadlineMs += performance.now() - since;
    });
  }

  timeOver(): TimeOver {
    return new TimeOver(this.mayHaveChanged);
  }
}

/** One deadline for everything that is done for a request. */
export interface Errands {
  /** Does something for a request; fails with TimeOver when its time is over. */
  run<Result>(errand: Errand, work: () => Result | Promise<Result>): Result | Promise<Result>;
  errandOf(request: Request): Errand;
  /** That for which the caller works, if it works for a request. */
  current(): Errand | undefined;
}

const TICK_MS = 50;

/**
 * Carries each request's deadline along with what is done for it. That costs 0.1 to 0.2 µs; one timer serves all, and
 * who is answered at once has none.
 */
export const makeErrands = (timeoutMs: number): Errands => {
  const storage = new AsyncLocalStorage<Errand>();
  const waiting = new Map<Errand, (error: TimeOver) => void>();
  let timer: Timer | undefined;

  const tick = (): void => {
    const now = performance.now();
    for (const [errand, give] of waiting) {
      if (!errand.isLate(now)) continue;
      waiting.delete(errand);
      give(errand.timeOver());
    }
    if (waiting.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  return {
    errandOf: (request) => new Errand(request, performance.now() + timeoutMs),
    current: () => storage.getStore(),
    run(errand, work) {
      const result = storage.run(errand, work);
      if (!(result instanceof Promise)) return result;
      return new Promise((resolve, reject) => {
        waiting.set(errand, reject);
        // Outside of any request: it serves them all.
        timer ??= storage.exit(() => setInterval(tick, TICK_MS));
        result.then(
          (value) => {
            waiting.delete(errand);
            resolve(value);
          },
          (error) => {
            waiting.delete(errand);
            reject(error);
          },
        );
      });
    },
  };
};
