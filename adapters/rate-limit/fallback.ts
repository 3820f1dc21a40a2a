import { type Admission, judge, type RateLimiter } from "../../core/access/rate-limits.ts";
import type { SteadyClock } from "../../core/clock.ts";
import { CAPACITY, type Count, WindowCounts } from "./counts.ts";
import type { SharedRateLimiter } from "./redis.ts";
import { LateAnswer, timeoutAfter } from "./timeout.ts";

const PROBE_MS = 250;
/** How often the store is asked without a request, so that its loss is noticed when nobody sends any. */
const LOOK_MS = 1000;
/** How long a request waits for the store. Shorter pauses of the store have no other effect. */
const LATE_MS = 250;
/** After a longer pause, the store counts as lost. */
const MAX_PAUSE_MS = 350;
/**
 * After a pause, the store must answer this quickly before it is used again. Otherwise every request would have to wait
 * for a slow store.
 */
const PROMPT_MS = 50;
/**
 * The number of subjects that are reported to the store together. More would delay the requests that wait behind them.
 */
const REPORT_BATCH = 100;

/** The parts of a limiter that can do without its store for a time. */
export interface FallbackParts {
  /** Connects to the shared store. Rejects if the store cannot be used. */
  readonly connect: () => Promise<SharedRateLimiter>;
  readonly clock: SteadyClock;
  /** Called when the store is late and this instance goes on alone. */
  readonly onPaused: () => void;
  /** Called when a late store answers again. `pausedMs` is the length of the pause. */
  readonly onResumed: (pausedMs: number) => void;
  /** Called once when the store is lost, with the reason. */
  readonly onLost: (error: unknown) => void;
  /** Called once when a lost store is used again. */
  readonly onRegained: () => void;
}

/** A limiter that never fails, and can be closed. */
export interface FallbackRateLimiter extends RateLimiter {
  /** True while this instance counts without the store. */
  readonly isAlone: boolean;
  close(): void;
}

/**
 * A limiter over the shared store. It remembers the store's answers, so that this process can go on alone while the
 * store pauses or is lost: only requests in progress wait for the store, later ones are judged at once. The requests
 * admitted meanwhile are reported as soon as the store answers again. It also asks the store by itself, once a second,
 * so that `isAlone` is right when no requests come. Resolves after the first attempt to connect,
 * whether it succeeds or not.
 */
export const openFallbackRateLimiter = async (parts: FallbackParts): Promise<FallbackRateLimiter> => {
  const { connect, clock, onPaused, onResumed, onLost, onRegained } = parts;
  const counts = new WindowCounts(clock, CAPACITY);
  const requests = timeoutAfter(LATE_MS, clock);
  const pauses = timeoutAfter(MAX_PAUSE_MS, clock);
  const prompt = timeoutAfter(PROMPT_MS, clock);
  let shared: SharedRateLimiter | null = null;
  let isPaused = false;
  let isLost = false;
  let isClosed = false;
  let connection = 0;
  let timer: Timer | undefined;

  const takeAlone = (subject: string, limit: number): Admission =>
    counts.take(counts.countOf(subject, connection), limit, "unreported");

  /** Reports the unreported requests of a subject to the store, and keeps them if that fails. */
  const report = (store: SharedRateLimiter, subject: string, count: Count): Promise<void> => {
    const { unreported, unreportedBefore, current: known, previous: knownBefore, minute } = count;
    // The report is assumed to arrive, so that nothing is reported twice.
    Object.assign(count, {
      unreported: 0,
      unreportedBefore: 0,
      current: known + unreported,
      previous: knownBefore + unreportedBefore,
      connection,
    });
    return store.addUnreported(subject, { unreported, unreportedBefore, known, knownBefore, minute }).then(
      (stored) => counts.adopt(count, stored, 0),
      (error) => {
        count.unreported += unreported;
        count.current -= unreported;
        count.unreportedBefore += unreportedBefore;
        count.previous -= unreportedBefore;
        lose(store, error);
      },
    );
  };

  const reportAll = async (store: SharedRateLimiter, of: "counted" | "unreported"): Promise<void> => {
    const subjects = counts.subjects(of);
    for (let from = 0; from < subjects.length && shared === store; from += REPORT_BATCH)
      await Promise.all(
        subjects.slice(from, from + REPORT_BATCH).map((subject) => report(store, subject, counts.countOf(subject))),
      );
  };

  const lose = (store: SharedRateLimiter | null, error: unknown): void => {
    // Many requests see that the store fails. Only the first one closes it. Later ones must not close the next
    // connection.
    if (shared !== store) return;
    store?.close();
    shared = null;
    isPaused = false;
    if (isClosed) return;
    if (!isLost) onLost(error);
    isLost = true;
    clearTimeout(timer);
    timer = setTimeout(() => void reconnect(), PROBE_MS);
  };

  const reconnect = async (): Promise<void> => {
    let found: SharedRateLimiter;
    try {
      found = await connect();
    } catch (error) {
      return lose(null, error);
    }
    if (isClosed) return found.close();
    shared = found;
    connection++;
    // If the store was restarted, it may be empty.
    await reportAll(found, "counted");
    if (shared !== found) return;
    if (isLost) onRegained();
    isLost = false;
  };

  const pause = async (store: SharedRateLimiter): Promise<void> => {
    if (isPaused || shared !== store) return;
    isPaused = true;
    const sinceMs = clock.steadyMs();
    onPaused();
    try {
      await pauses.wait(store.probe());
      await prompt.wait(store.probe());
    } catch (error) {
      return lose(store, error);
    }
    if (shared !== store) return;
    isPaused = false;
    onResumed(clock.steadyMs() - sinceMs + LATE_MS);
    await reportAll(store, "unreported");
  };

  const takeShared = async (store: SharedRateLimiter, subject: string, limit: number): Promise<Admission> => {
    const count = counts.countOf(subject, connection);
    if (count.connection !== connection || count.unreported !== 0 || count.unreportedBefore !== 0)
      void report(store, subject, count);
    const answer = store.countRequest(subject, limit).then((stored) => {
      const admission = judge(stored, limit);
      counts.adopt(count, stored, admission.admitted ? 1 : 0);
      return admission;
    });
    try {
      return await requests.wait(answer);
    } catch (error) {
      if (!(error instanceof LateAnswer)) {
        lose(store, error);
        return takeAlone(subject, limit);
      }
      void pause(store);
      const admission = takeAlone(subject, limit);
      // The store will count this request when it gets to it. If no answer comes, that is assumed.
      answer.then(
        ({ admitted }) => {
          if (admitted) count.unreported--;
        },
        () => {
          if (!admission.admitted) return;
          count.unreported--;
          count.current++;
        },
      );
      return admission;
    }
  };

  /** Asks the store for an answer, as a request would. */
  const look = async (): Promise<void> => {
    const store = shared;
    if (store === null) return;
    try {
      await requests.wait(store.probe());
    } catch (error) {
      if (error instanceof LateAnswer) await pause(store);
      else lose(store, error);
    }
  };

  await reconnect();
  const looks = setInterval(() => void look(), LOOK_MS);
  looks.unref();
  return {
    async take(subject, limit) {
      return shared === null || isPaused ? takeAlone(subject, limit) : takeShared(shared, subject, limit);
    },
    giveBack(subject) {
      const count = counts.countOf(subject, connection);
      count.unreported--;
      if (shared !== null && !isPaused) void report(shared, subject, count);
    },
    get isAlone() {
      return shared === null || isPaused;
    },
    close() {
      isClosed = true;
      clearInterval(looks);
      clearTimeout(timer);
      shared?.close();
      shared = null;
    },
  };
};
