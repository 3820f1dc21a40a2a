import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import type { TestEngine } from "./engines.ts";
import { eventually } from "./eventually.ts";
import { queryDatabase } from "./inspect-database.ts";

/** The same as `feedHasReachedNow`, for a database that is open. */
export const openFeedHasReachedNow = async (db: SqlDatabase): Promise<void> => {
  if (db.engine !== "postgres") return;
  const ask = <Row>(text: string) => db.all<Row>({ text, bind: () => [] }, {});
  const [present] = await ask<{ tx: string }>("SELECT pg_current_xact_id()::text AS tx");
  const look = `SELECT (pg_snapshot_xmin(pg_current_snapshot()) > '${present?.tx}'::xid8)::int AS reached`;
  await eventually(
    () => ask<{ reached: number }>(look),
    ([row]) => row?.reached === 1,
  );
};

/**
 * Waits until the change feed of a database has reached everything that was committed. Transactions of other tests on the
 * same server hold it back on PostgreSQL: a copy that begins then is told of what it has read already once more.
 */
export const feedHasReachedNow = async ({ name }: TestEngine, databaseUrl: string): Promise<void> => {
  if (name !== "PostgreSQL") return;
  const [present] = await queryDatabase<{ tx: string }>(databaseUrl, "SELECT pg_current_xact_id()::text AS tx");
  const look = `SELECT (pg_snapshot_xmin(pg_current_snapshot()) > '${present?.tx}'::xid8)::int AS reached`;
  await eventually(
    () => queryDatabase<{ reached: number }>(databaseUrl, look),
    ([row]) => row?.reached === 1,
  );
};
