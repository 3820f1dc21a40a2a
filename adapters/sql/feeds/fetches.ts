import { sql } from "kysely";
import { type Clock, msOf, type Timestamp } from "../../../core/clock.ts";
import type { FeedFetch } from "../../../core/feeds/feed.ts";
import type { FetchMeter, ServedFeed } from "../../../core/feeds/feed-repository.ts";
import type { SqlDatabase } from "../query/database.ts";
import { param, sqlStatement } from "../query/statement.ts";

const HOUR_MS = 3_600_000;
const WRITE_MS = 1000;
const KEPT_FETCHES = 20;
/** More of one feed are noted between two writes only by many processes' clients at once; the oldest go. */
const MOST_NOTED = 100;

/** Fetches: counted at once, stored by a timer. */
export interface FetchWriter extends FetchMeter {
  /** Stores what was counted and noted. Rejects if that fails; it is tried again with the next one. */
  flush(): Promise<void>;
  start(report: (error: unknown) => void): void;
  /** Stops the timer and stores what is left. */
  stop(): Promise<void>;
}

/** What this process knows of one feed's hour. */
interface Hour {
  at: Timestamp;
  /** What this process admitted, and how much of that it has told the database, or tries to. */
  own: number;
  told: number;
}

/** Fetches of feeds. A feed's limit is exact in each process, and known to others a second later. */
export const fetchWriter = (db: SqlDatabase, clock: Clock): FetchWriter => {
  const hours = new Map<number, Hour>();
  const noted = new Map<number, FeedFetch[]>();
  let writing: Promise<void> | null = null;
  let timer: Timer | undefined;
  let report: (error: unknown) => void = () => {};

  const isOver = (at: Timestamp): boolean => {
    const age = clock.nowMs() - msOf(at);
    return age >= HOUR_MS || age < -HOUR_MS;
  };

  const told = sqlStatement(
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

  const tell = async (id: number, hour: Hour): Promise<void> => {
    const count = hour.own - hour.told;
    // Before it is told: what others have is what is stored beyond that, and must not be counted twice.
    hour.told += count;
    try {
      await db.writeOne(told, { id, at: hour.at, count });
    } catch (error) {
      hour.told -= count;
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
      if (hour.own > hour.told) await tell(id, hour);
      if (isOver(hour.at) && hour.own === hour.told) hours.delete(id);
    }
    for (const [id, fetches] of [...noted]) {
      noted.delete(id);
      try {
        await store(id, fetches);
      } catch (error) {
        noted.set(id, [...fetches, ...(noted.get(id) ?? [])].slice(-MOST_NOTED));
        throw error;
      }
    }
  };

  const flush = async (): Promise<void> => {
    // What was noted meanwhile is not in a write that is under way.
    while (writing !== null) await writing.catch(() => {});
    if (noted.size === 0 && ![...hours.values()].some(({ own, told }) => own > told)) return;
    writing = writeAll().finally(() => {
      writing = null;
    });
    await writing;
  };

  return {
    take({ id, hour: stored }: Pick<ServedFeed, "id" | "hour">, most) {
      let hour = hours.get(id);
      if (hour === undefined || isOver(hour.at)) {
        hour = { at: stored === null || isOver(stored.at) ? clock.now() : stored.at, own: 0, told: 0 };
        hours.set(id, hour);
      }
      const others = stored === null || stored.at !== hour.at ? 0 : Math.max(0, stored.count - hour.told);
      if (hour.own + others >= most) return Math.max(1, Math.ceil((msOf(hour.at) + HOUR_MS - clock.nowMs()) / 1000));
      hour.own++;
      return 0;
    },
    note(id, fetch) {
      const fetches = noted.get(id);
      if (fetches === undefined) noted.set(id, [fetch]);
      else {
        fetches.push(fetch);
        if (fetches.length > MOST_NOTED) fetches.shift();
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
