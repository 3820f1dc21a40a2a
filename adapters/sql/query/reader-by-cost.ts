import { sql } from "kysely";
import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import type { Engine } from "../../../migrations/migration.ts";
import type { Sql, SqlDatabase } from "./database.ts";
import { param, statement } from "./statement.ts";

/**
 * The longest time of an ordinary read, in µs. On SQLite it runs on the main thread, and there may be several in one
 * turn of the event loop. On PostgreSQL it uses a connection that others may be waiting for.
 */
const MAX_SHORT_READ_US: Readonly<Record<Engine, number>> = { sqlite: 2000, postgres: 50_000 };
/** How long the number of vehicles is cached, in ms, where reading it takes a sum over all dealers or a round trip. */
const CACHE_MS = 1000;
const MAX_CACHED = 10_000;

/**
 * Chooses where a read of vehicles runs: as an ordinary read, or as a long read if it visits so many vehicles that
 * others would wait for it. It visits the vehicles of one dealer, or of all dealers (`null`). `microseconds` is the
 * time for each of them: about 0.1 for an index entry, 1 for a row, 3 for a row that is sorted or returned. A read
 * whose cost does not depend on the number of vehicles does not need it.
 */
export type ReaderByCost = (dealerId: number | null, microseconds: number) => MaybePromise<Sql>;

/** Makes the choice from the stored numbers of each dealer's vehicles. */
export const readerByCost = (db: SqlDatabase): ReaderByCost => {
  const total = sql<number>`CAST(COALESCE(SUM(available + sold + pending), 0) AS BIGINT)`.as("total");
  const ofDealer = statement(() =>
    db.build.selectFrom("dealer_inventory").select(total).where("dealer_id", "=", param("dealer")),
  );
  const ofAll = statement(() => db.build.selectFrom("dealer_inventory").select(total));
  const cache = new Map<number | null, { readonly total: number; readonly since: number }>();

  const read = (dealerId: number | null): MaybePromise<number> =>
    andThen(
      dealerId === null ? db.first(ofAll, {}) : db.first(ofDealer, { dealer: dealerId }),
      (row) => row?.total ?? 0,
    );

  const cachedTotal = (dealerId: number | null): MaybePromise<number> => {
    const now = performance.now();
    const cached = cache.get(dealerId);
    if (cached !== undefined && now - cached.since < CACHE_MS) return cached.total;
    return andThen(read(dealerId), (total) => {
      if (cache.size >= MAX_CACHED) cache.clear();
      cache.set(dealerId, { total, since: now });
      return total;
    });
  };

  return (dealerId, microseconds) =>
    andThen(dealerId === null || db.engine === "postgres" ? cachedTotal(dealerId) : read(dealerId), (vehicles) =>
      vehicles * microseconds <= MAX_SHORT_READ_US[db.engine] ? db : db.longReads,
    );
};
