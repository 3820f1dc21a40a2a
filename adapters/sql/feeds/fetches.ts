import { sql } from "kysely";
import { type Clock, msOf, type Timestamp } from "../../../core/clock.ts";
import type { FeedFetch } from "../../../core/feeds/feed.ts";
import type { FetchMeter, ServedFeed } from "../../../core/feeds/feed-repository.ts";
import type { SqlDatabase } from "../query/database.ts";
import { param, sqlStatement } from "../query/statement.ts";

const HOUR_MS = 3_600_000;
const WRITE_MS = 1000;
const KEPT_FETCHES = 20;
/** The maximum number of fetches of one feed that are waiting to be stored. The oldest are dropped. */
const MAX_PENDING = 100;

/** Counts fetches at once, and stores them later with a timer. */
export interface FetchWriter extends FetchMeter {
  /** Stores counts and fetches. Rejects if that fails; the next call tries again. */
  flush(): Promise<void>;
  start(report: (error: unknown) => void): void;
  /** Stops the timer and stores the remaining fetches. */
  stop(): Promise<void>;
}

/** The current hour of one feed, as this process counts it. */
interface Hour {
  at: Timestamp;
  /**
   * The number of fetches that this process admitted, and the number of these that it has reported to the database or
   * is reporting now.
   */
  admitted: number;
  reported: number;
}

/**
 * Counts fetches of feeds. Within a process a feed's limit is exact. Other processes learn of fetches a second later.
 */
export const fetchWriter = (db: SqlDatabase, clock: Clock): FetchWriter => {
  const hours = new Map<number, Hour>();
  const pendingFetches = new Map<number, FeedFetch[]>();
  let writing: Promise<void> | null = null;
  let timer: Timer | undefined;
  let report: (error: unknown) => void = () => {};

  const isOver = (at: Timestamp): boolean => {
    const age = clock.nowMs() - msOf(at);
    return age >= HOUR_MS || age < -HOUR_MS;
  };

  const reportCount = sqlStatement(
    db,
    sql<object>`UPDATE feeds SET hour_count = CASE WHEN hour_at = ${param("at")} THEN hour_count + ${param("count")}
        WHEN hour_at > ${param("at")} THEN hour_count ELSE ${param("count")} END,
      hour_at = CASE WHEN hour_at > ${param("at")} THEN hour_at ELSE ${param("at")} END WHERE id = ${param("id")}`,
  );
  const added = sqlStatement(
    db,
    sql<object>`INSERT INTO feed_fetches (feed_id, at, address, agent, status, row_count, left_out)
      SELECT feed_id, at, address, agent, status, row_count, left_out FROM ${db.jsonRows(param<string>("fetches"), {
        feed_id: "integer",
        at: "text",
        address: "text",
        agent: "text",
        status: "integer",
        row_count: "integer",
        left_out: "integer",
      })} AS noted WHERE EXISTS (SELECT 1 FROM feeds WHERE id = ${param("id")} AND deleted_at IS NULL)`,
  );
  const forgotten = sqlStatement(
    db,
    sql<object>`DELETE FROM feed_fetches WHERE feed_id = ${param("id")} AND id <= (SELECT id FROM feed_fetches
      WHERE feed_id = ${param("id")} ORDER BY id DESC LIMIT 1 OFFSET ${sql.lit(KEPT_FETCHES)})`,
  );

  const reportHour = async (id: number, hour: Hour): Promise<void> => {
    const count = hour.admitted - hour.reported;
    // They count as reported before they are stored: the stored count minus this number is what other processes have
    // admitted.
    hour.reported += count;
    try {
      await db.writeOne(reportCount, { id, at: hour.at, count });
    } catch (error) {
      hour.reported -= count;
      throw error;
    }
  };

  const store = async (id: number, fetches: readonly FeedFetch[]): Promise<void> => {
    const rows = fetches
      .slice(-KEPT_FETCHES)
      .map(({ at, address, agent, status, rows, left_out }) => [id, at, address, agent, status, rows, left_out]);
    await db.write(async (tx) => {
      await tx.all(added, { id, fetches: JSON.stringify(rows) });
      await tx.all(forgotten, { id });
    });
  };

  const writeAll = async (): Promise<void> => {
    for (const [id, hour] of [...hours]) {
      if (hour.admitted > hour.reported) await reportHour(id, hour);
      if (isOver(hour.at) && hour.admitted === hour.reported) hours.delete(id);
    }
    for (const [id, fetches] of [...pendingFetches]) {
      pendingFetches.delete(id);
      try {
        await store(id, fetches);
      } catch (error) {
        pendingFetches.set(id, [...fetches, ...(pendingFetches.get(id) ?? [])].slice(-MAX_PENDING));
        throw error;
      }
    }
  };

  const flush = async (): Promise<void> => {
    // A running write does not include what has arrived since it began.
    while (writing !== null) await writing.catch(() => {});
    if (pendingFetches.size === 0 && ![...hours.values()].some(({ admitted, reported }) => admitted > reported)) return;
    writing = writeAll().finally(() => {
      writing = null;
    });
    await writing;
  };

  return {
    take({ id, hour: stored }: Pick<ServedFeed, "id" | "hour">, most) {
      let hour = hours.get(id);
      if (hour === undefined || isOver(hour.at)) {
        hour = { at: stored === null || isOver(stored.at) ? clock.now() : stored.at, admitted: 0, reported: 0 };
        hours.set(id, hour);
      }
      const others = stored === null || stored.at !== hour.at ? 0 : Math.max(0, stored.count - hour.reported);
      if (hour.admitted + others >= most)
        return Math.max(1, Math.ceil((msOf(hour.at) + HOUR_MS - clock.nowMs()) / 1000));
      hour.admitted++;
      return 0;
    },
    record(id, fetch) {
      const fetches = pendingFetches.get(id);
      if (fetches === undefined) pendingFetches.set(id, [fetch]);
      else {
        fetches.push(fetch);
        if (fetches.length > MAX_PENDING) fetches.shift();
      }
    },
    flush,
    start(onFailure) {
      report = onFailure;
      timer = setInterval(() => void flush().catch(report), WRITE_MS);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
};
