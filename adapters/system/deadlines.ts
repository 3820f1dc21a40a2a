import { AsyncLocalStorage } from "node:async_hooks";
import type { SteadyClock } from "../../core/clock.ts";

/** The error of a request that could not be answered in its time. */
export class TimeOver extends Error {
  override readonly name = "TimeOver";

  constructor(readonly outcomeUnknown: boolean) {
    super("the time for the request was over");
  }
}

/** The deadline of one request, and whether its change has begun. */
class RequestDeadline {
  /** True if a part of the request's change has been made. */
  hasChanged = false;
  /** The caller, once it is known. */
  caller = "";
  private mayHaveChanged = false;
  private isSending = false;
  private isAnswered = false;

  private deadlineMs: number;

  constructor(
    private readonly request: Request,
    timeoutMs: number,
    private readonly clock: SteadyClock,
  ) {
    this.deadlineMs = clock.steadyMs() + timeoutMs;
  }

  /**
   * True if nobody waits for the result, because the time is over or the client has disconnected. It is never true
   * after a part of the change was made, because then the rest must be made too, such as the audit entry.
   */
  isOver(): boolean {
    return !this.hasChanged && (this.isLate() || this.request.signal.aborted);
  }

  isLate(): boolean {
    return !this.isSending && this.clock.steadyMs() >= this.deadlineMs;
  }

  /**
   * Begins a change, which must be finished from then on. Returns false if the client may have been told that it was
   * not made.
   */
  beginChange(): boolean {
    if (!this.hasChanged && this.isLate()) return false;
    this.mayHaveChanged = true;
    return true;
  }

  /** Notes that a part of the change was made. */
  changeMade(): void {
    this.hasChanged = true;
  }

  /** Waits for data that the client still has to send. That time does not count. */
  waitForClient<Value>(sent: Value | Promise<Value>): Value | Promise<Value> {
    if (!(sent instanceof Promise)) return sent;
    const since = this.clock.steadyMs();
    this.isSending = true;
    return sent.finally(() => {
      this.isSending = false;
      this.deadlineMs += this.clock.steadyMs() - since;
    });
  }

  /** True if nobody gets the result, because the request was answered with a timeout or its client has disconnected. */
  isAbandoned(): boolean {
    return this.isAnswered || this.request.signal.aborted;
  }

  /** The error with which the request is answered when its time is over. */
  timeOver(): TimeOver {
    this.isAnswered = true;
    return new TimeOver(this.mayHaveChanged);
  }
}

/** Keeps one deadline for all work of a request. */
export interface Deadlines {
  /** Runs work for a request. Rejects with TimeOver if its time is over. */
  run<Result>(deadline: RequestDeadline, work: () => Result | Promise<Result>): Result | Promise<Result>;
  /** The deadline of a request that arrives now. */
  deadlineOf(request: Request): RequestDeadline;
  /** The deadline of the request that the present work is for, if any. */
  current(): RequestDeadline | undefined;
  /** Runs work that has no deadline, whichever request started it. */
  withoutDeadline<Result>(work: () => Result): Result;
}

const TICK_MS = 50;

/**
 * Passes the deadline of each request on through asynchronous work. One timer serves all requests. Requests that are
 * answered at once need none.
 */
export const makeDeadlines = (timeoutMs: number, clock: SteadyClock): Deadlines => {
  const storage = new AsyncLocalStorage<RequestDeadline>();
  const waiting = new Map<RequestDeadline, (error: TimeOver) => void>();
  let timer: Timer | undefined;

  const tick = (): void => {
    for (const [deadline, give] of waiting) {
      if (!deadline.isLate()) continue;
      waiting.delete(deadline);
      give(deadline.timeOver());
    }
    if (waiting.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  return {
    deadlineOf: (request) => new RequestDeadline(request, timeoutMs, clock),
    current: () => storage.getStore(),
    withoutDeadline: (work) => storage.exit(work),
    run(deadline, work) {
      const result = storage.run(deadline, work);
      if (!(result instanceof Promise)) return result;
      return new Promise((resolve, reject) => {
        waiting.set(deadline, reject);
        // Started outside of all requests, because it serves all of them.
        timer ??= storage.exit(() => setInterval(tick, TICK_MS));
        result.then(
          (value) => {
            waiting.delete(deadline);
            resolve(value);
          },
          (error) => {
            waiting.delete(deadline);
            reject(error);
          },
        );
      });
    },
  };
};
