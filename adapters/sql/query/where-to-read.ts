import { sql } from "kysely";
import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import type { Engine } from "../../../migrations/migration.ts";
import type { Sql, SqlDatabase } from "./database.ts";
import { param, statement } from "./statement.ts";

/**
 * The most that a read at once may take, in µs: on SQLite on the thread of the requests, where several may come in one
 * turn; on PostgreSQL on a connection that others wait for.
 */
const MOST_AT_ONCE: Readonly<Record<Engine, number>> = { sqlite: 2000, postgres: 50_000 };
/** How long a number of vehicles is remembered, in ms, if to read it takes a sum over all dealers, or a round trip. */
const KEPT_MS = 1000;
const MOST_KEPT = 10_000;

/**
 * Decides where a read of vehicles runs: at once if it reaches few vehicles, aside if it reaches so many that others
 * would have to wait. It reaches those of one dealer, or with `null` those of all. `microseconds` is what the read
 * takes for each vehicle in its reach: roughly 0.1 for an entry of an index, 1 for a row, 3 for a row that is sorted
 * or answered. For a read whose cost does not depend on how many vehicles there are, do not ask.
 */
export type WhereToRead = (dealerId: number | null, microseconds: number) => MaybePromise<Sql>;

/** The decision by the counts that are kept of each dealer's vehicles. */
export const whereToRead = (db: SqlDatabase): WhereToRead => {
  const total = sql<number>`CAST(COALESCE(SUM(available + sold + pending), 0) AS BIGINT)`.as("total");
  const ofDealer = statement(() =>
    db.build.selectFrom("dealer_inventory").select(total).where("dealer_id", "=", param("dealer")),
  );
  const ofAll = statement(() => db.build.selectFrom("dealer_inventory").select(total));
  const known = new Map<number | null, { readonly total: number; readonly since: number }>();

  const read = (dealerId: number | null): MaybePromise<number> =>
    andThen(
      dealerId === null ? db.first(ofAll, {}) : db.first(ofDealer, { dealer: dealerId }),
      (row) => row?.total ?? 0,
    );

  const remembered = (dealerId: number | null): MaybePromise<number> => {
    const now = performance.now();
    const kept = known.get(dealerId);
    if (kept !== undefined && now - kept.since < KEPT_MS) return kept.total;
    return andThen(read(dealerId), (total) => {
      if (known.size >= MOST_KEPT) known.clear();
      known.set(dealerId, { total, since: now });
      return total;
    });
  };

  return (dealerId, microseconds) =>
    andThen(dealerId === null || db.engine === "postgres" ? remembered(dealerId) : read(dealerId), (vehicles) =>
      vehicles * microseconds <= MOST_AT_ONCE[db.engine] ? db : db.aside,
    );
};
