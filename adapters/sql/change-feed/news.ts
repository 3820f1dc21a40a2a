import { isBehind, type Position } from "../../../core/change-feed/feed-place.ts";
import type { ChangeNews, Listener, WaitEnd } from "../../../core/change-feed/news.ts";
import type { SqlDatabase } from "../query/database.ts";
import { boundsOf, changePositions } from "./positions.ts";

/** How often those who wait are looked after. */
const TICK_MS = 100;
/** PostgreSQL is asked in every second tick. SQLite says without a statement whether anything was committed. */
const TICKS_PER_QUESTION = { sqlite: 1, postgres: 2 } as const;
/** How often the rights of those who wait are judged, if nothing has changed meanwhile. */
const RIGHTS_MS = 900;
/** If more changes than these are found at once, everybody is told. */
const MOST_CHANGES = 1000;

interface Waiter {
  readonly dealer: number | null;
  readonly until: number;
  readonly mayGoOn: Listener["mayGoOn"];
  readonly end: (why: WaitEnd) => void;
}

/** News of changes, until it is stopped. */
export interface ChangeNewsHub extends ChangeNews {
  /** Ends all waits, and those that begin from now on. */
  stop(): void;
  /** The number of those who wait. */
  readonly waiting: number;
}

/**
 * Tells those who wait of changes. Nothing is asked of the database while nobody waits, and one question is asked for all who
 * do. Their rights are judged from memory, whenever those of anybody have changed.
 */
export const changeNews = (
  db: SqlDatabase,
  {
    background,
    accessChanges,
    steadyMs = () => performance.now(),
  }: {
    /** Starts work that is not ended by the deadline of any request. */
    readonly background: (work: () => void) => void;
    /** A number that is different after each change of anybody's rights. */
    readonly accessChanges: () => number;
    /** A time that only moves forwards. */
    readonly steadyMs?: () => number;
  },
): ChangeNewsHub => {
  const positions = changePositions(db);
  const waiters = new Set<Waiter>();
  let known: Position = { tx: 0, number: 0 };
  let committed: number | null = null;
  let timer: Timer | undefined;
  let ticks = 0;
  let isAsking = false;
  let isOver = false;
  let rights = accessChanges();
  let judgedAt = 0;

  const tell = (isMeant: (waiter: Waiter) => boolean, why: WaitEnd): void => {
    for (const waiter of waiters) if (isMeant(waiter)) waiter.end(why);
  };

  /** Tells those whose records have changed. */
  const ask = async (): Promise<void> => {
    const version = db.dataVersion();
    if (version !== null && version === committed) return;
    const [head] = await db.all(positions.head, {});
    if (head === undefined) return;
    const range = { after: known, until: head };
    const found = await db.all(positions.changed(null), { ...boundsOf(range), limit: MOST_CHANGES, scope: null });
    known = { tx: head.tx, number: head.number };
    committed = version;
    if (found.length === 0) return;
    const dealers = new Set(found.map(({ dealer_id }) => dealer_id));
    const isMany = found.length === MOST_CHANGES;
    tell(({ dealer }) => isMany || dealer === null || dealers.has(dealer), "news");
  };

  /** Who cannot be judged may not go on: the request finds out why. */
  const judge = ({ mayGoOn, end }: Waiter): void => {
    const lapse = (): void => end("lapsed");
    try {
      const may = mayGoOn();
      if (may instanceof Promise) may.then((still) => still || lapse(), lapse);
      else if (!may) lapse();
    } catch {
      lapse();
    }
  };

  const tick = (): void => {
    ticks++;
    const now = steadyMs();
    tell(({ until }) => until <= now, "late");
    const latest = accessChanges();
    if (latest !== rights || now - judgedAt >= RIGHTS_MS) {
      rights = latest;
      judgedAt = now;
      for (const waiter of waiters) judge(waiter);
    }
    if (isAsking || ticks % TICKS_PER_QUESTION[db.engine] !== 0 || waiters.size === 0) return;
    isAsking = true;
    // A database that does not answer is asked again; those who wait find out themselves.
    void ask()
      .catch(() => {})
      .finally(() => {
        isAsking = false;
      });
  };

  const stopTimer = (): void => {
    clearInterval(timer);
    timer = undefined;
  };

  return {
    get waiting() {
      return waiters.size;
    },
    after: (seconds) => steadyMs() + seconds * 1000,
    isOver: () => isOver,
    next(listener, { dealer, behind, until }) {
      if (isOver) return Promise.resolve("over");
      // What came after the listener has read, and before it waits, was told to others only.
      if (waiters.size > 0 && isBehind(known, behind)) return Promise.resolve("news");
      if (waiters.size === 0) {
        known = behind;
        committed = null;
      }
      const { promise, resolve } = Promise.withResolvers<WaitEnd>();
      const stay = listener.onGone(() => waiter.end("over"));
      const waiter: Waiter = {
        dealer,
        until,
        mayGoOn: listener.mayGoOn,
        end(why) {
          if (!waiters.delete(waiter)) return;
          stay();
          if (waiters.size === 0) stopTimer();
          resolve(why);
        },
      };
      waiters.add(waiter);
      background(() => {
        timer ??= setInterval(tick, TICK_MS);
      });
      return promise;
    },
    stop() {
      isOver = true;
      tell(() => true, "over");
    },
  };
};
