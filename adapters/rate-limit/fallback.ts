import { type Admission, judge, type RateLimiter } from "../../core/access/rate-limits.ts";
import type { SteadyClock } from "../../core/clock.ts";
import { CAPACITY, type Count, WindowCounts } from "./counts.ts";
import { LateAnswer, patienceOf } from "./patience.ts";
import type { SharedRateLimiter } from "./redis.ts";

const PROBE_MS = 250;
/** What a request waits for the store. A shorter pause of it costs nothing but that. */
const LATE_MS = 250;
/** A pause longer than that is a loss. */
const LONGEST_PAUSE_MS = 350;
/** After a pause the store must answer as promptly as at the start: else each request would wait for one that is slow. */
const PROMPT_MS = 50;
/** Subjects that the store is told of at a time: more would make the requests behind them wait. */
const TOLD_AT_ONCE = 100;

/** What a limiter with a fallback works with. */
export interface FallbackParts {
  /** Connects to the shared store; fails when it cannot be used. */
  readonly connect: () => Promise<SharedRateLimiter>;
  readonly clock: SteadyClock;
  /** Hears that the store is late, and that this instance goes on with what it knows. */
  readonly onPaused: () => void;
  /** Hears that a late store answers again, and after how long. */
  readonly onResumed: (pausedMs: number) => void;
  /** Hears once that the store was lost, and why. */
  readonly onLost: (error: unknown) => void;
  /** Hears once that a lost store is used again. */
  readonly onRegained: () => void;
}

/** A limiter that never fails, and what ends it. */
export interface FallbackRateLimiter extends RateLimiter {
  /** True while this instance counts without the others. */
  readonly isAlone: boolean;
  close(): void;
}

/**
 * Limits in the shared store. What it answers is kept here, so that this process can go on from there alone while the
 * store pauses or is lost: only the requests that are under way then wait for it, the later ones are judged at once.
 * What is admitted meanwhile the store is told as soon as it answers. Resolves when the store was tried once, whatever
 * the outcome.
 */
export const openFallbackRateLimiter = async (parts: FallbackParts): Promise<FallbackRateLimiter> => {
  const { connect, clock, onPaused, onResumed, onLost, onRegained } = parts;
  const counts = new WindowCounts(clock, CAPACITY);
  const [requests, pauses, prompt] = [patienceOf(LATE_MS), patienceOf(LONGEST_PAUSE_MS), patienceOf(PROMPT_MS)];
  let shared: SharedRateLimiter | null = null;
  let isPaused = false;
  let isLost = false;
  let isClosed = false;
  let connection = 0;
  let timer: Timer | undefined;

  const alone = (subject: string, limit: number): Admission =>
    counts.take(counts.at(subject, connection), limit, "owed");

  /** Tells the store what it does not know of a subject; what cannot be told is kept. */
  const tell = (store: SharedRateLimiter, subject: string, count: Count): Promise<void> => {
    const { owed, owedBefore, current: known, previous: knownBefore, minute } = count;
    // As if it were heard, so that nothing is told twice.
    Object.assign(count, {
      owed: 0,
      owedBefore: 0,
      current: known + owed,
      previous: knownBefore + owedBefore,
      connection,
    });
    return store.add(subject, { owed, owedBefore, known, knownBefore, minute }).then(
      (standing) => counts.adopt(count, standing, 0),
      (error) => {
        count.owed += owed;
        count.current -= owed;
        lose(store, error);
      },
    );
  };

  const tellAll = async (store: SharedRateLimiter, of: "counted" | "owed"): Promise<void> => {
    const subjects = counts.subjects(of);
    for (let from = 0; from < subjects.length && shared === store; from += TOLD_AT_ONCE)
      await Promise.all(
        subjects.slice(from, from + TOLD_AT_ONCE).map((subject) => tell(store, subject, counts.at(subject))),
      );
  };

  const lose = (store: SharedRateLimiter | null, error: unknown): void => {
    // Of the many requests that see a store fail the first one closes it; the others come too late to close the next.
    if (shared !== store) return;
    store?.close();
    shared = null;
    isPaused = false;
    if (isClosed) return;
    if (!isLost) onLost(error);
    isLost = true;
    clearTimeout(timer);
    timer = setTimeout(() => void reach(), PROBE_MS);
  };

  const reach = async (): Promise<void> => {
    let found: SharedRateLimiter;
    try {
      found = await connect();
    } catch (error) {
      return lose(null, error);
    }
    if (isClosed) return found.close();
    shared = found;
    connection++;
    // It may have been started anew, and know nothing.
    await tellAll(found, "counted");
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
    if (shared !== store || isClosed) return;
    isPaused = false;
    onResumed(clock.steadyMs() - sinceMs + LATE_MS);
    await tellAll(store, "owed");
  };

  const together = async (store: SharedRateLimiter, subject: string, limit: number): Promise<Admission> => {
    const count = counts.at(subject, connection);
    if (count.connection !== connection || count.owed !== 0 || count.owedBefore !== 0) void tell(store, subject, count);
    const answer = store.weigh(subject, limit).then((standing) => {
      const admission = judge(standing.previous, standing.current, standing.elapsedMs, limit);
      counts.adopt(count, standing, admission.admitted ? 1 : 0);
      return admission;
    });
    try {
      return await requests.wait(answer);
    } catch (error) {
      if (!(error instanceof LateAnswer)) {
        lose(store, error);
        return alone(subject, limit);
      }
      void pause(store);
      const admission = alone(subject, limit);
      // The store counts it itself, by its own judgement, once it comes to it; or so it is taken when that is not heard.
      answer.then(
        ({ admitted }) => {
          if (admitted) count.owed--;
        },
        () => {
          if (!admission.admitted) return;
          count.owed--;
          count.current++;
        },
      );
      return admission;
    }
  };

  await reach();
  return {
    async take(subject, limit) {
      return shared === null || isPaused ? alone(subject, limit) : together(shared, subject, limit);
    },
    giveBack(subject) {
      const count = counts.at(subject, connection);
      count.owed--;
      if (shared !== null && !isPaused) void tell(shared, subject, count);
    },
    get isAlone() {
      return shared === null || isPaused;
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      shared?.close();
      shared = null;
    },
  };
};
