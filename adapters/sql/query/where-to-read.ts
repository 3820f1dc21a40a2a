import { sql } from "kysely";
import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import type { Sql, SqlDatabase } from "./database.ts";
import { param, statement } from "./statement.ts";

/** The most that a read may take on the thread of the requests, in µs: several may come in one turn of it. */
const MOST_INLINE = 2000;
/** How long the number of all vehicles is remembered, in ms: it takes a sum over all dealers. */
const KEPT_MS = 1000;

/**
 * Decides where a read of vehicles runs: at once if it reaches few vehicles, aside if it reaches so many that others
 * would have to wait. It reaches those of one dealer, or with `null` those of all. `microseconds` is what the read
 * takes for each vehicle in its reach: roughly 0.1 for an entry of an index, 1 for a row, 3 for a row that is sorted
 * or answered. For a read whose cost does not depend on how many vehicles there are, do not ask.
 */
export type WhereToRead = (dealerId: number | null, microseconds: number) => MaybePromise<Sql>;

/** The decision by the counts that are kept of each dealer's vehicles. PostgreSQL holds up nobody: it is not asked. */
export const whereToRead = (db: SqlDatabase): WhereToRead => {
  if (db.engine === "postgres") return () => db.aside;
  const total = sql<number>`CAST(COALESCE(SUM(available + sold + pending), 0) AS BIGINT)`.as("total");
  const ofDealer = statement(() =>
    db.build.selectFrom("dealer_inventory").select(total).where("dealer_id", "=", param("dealer")),
  );
  const ofAll = statement(() => db.build.selectFrom("dealer_inventory").select(total));
  let known: { readonly total: number; readonly since: number } | null = null;

  const all = (): MaybePromise<number> => {
    const now = performance.now();
    if (known !== null && now - known.since < KEPT_MS) return known.total;
    return andThen(db.first(ofAll, {}), (row) => {
      known = { total: row?.total ?? 0, since: now };
      return known.total;
    });
  };

  return (dealerId, microseconds) => {
    const reached =
      dealerId === null ? all() : andThen(db.first(ofDealer, { dealer: dealerId }), (row) => row?.total ?? 0);
    return andThen(reached, (vehicles) => (vehicles * microseconds <= MOST_INLINE ? db : db.aside));
  };
};
