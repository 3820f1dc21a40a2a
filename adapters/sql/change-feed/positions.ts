import { sql } from "kysely";
import type { DealerScope } from "../../../core/access/decide.ts";
import type { Position } from "../../../core/change-feed/feed-place.ts";
import type { SqlDatabase } from "../query/database.ts";
import { type Param, scopedStatement, sqlStatement } from "../query/statement.ts";

/** A changed record as it is read. */
export interface ChangedRow extends Position {
  readonly kind: number;
  readonly id: number;
  readonly dealer_id: number;
  readonly state: number;
  readonly at: string;
}

type Bounds = ReturnType<typeof boundsOf>;

/**
 * How an engine orders changes. On SQLite, numbers become visible in their order. On PostgreSQL, a transaction may become
 * visible after others that began later. So nothing is read of transactions that began after the oldest one that is still open.
 */
const ORDERS = {
  sqlite: {
    head: sql<number>`COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'changed_records'), 0)`,
    headTx: sql<number>`0`,
    tx: sql`0`,
    isAfter: (param: Param<Bounds>) => sql`number > ${param("after.number")}`,
    isBefore: (param: Param<Bounds>) => sql`number <= ${param("until.number")}`,
    by: sql`number`,
  },
  postgres: {
    head: sql<number>`0`,
    headTx: sql<number>`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`,
    tx: sql`tx`,
    isAfter: (param: Param<Bounds>) => sql`(tx, number) > (${param("after.tx")}, ${param("after.number")})`,
    isBefore: (param: Param<Bounds>) => sql`tx < ${param("until.tx")}`,
    by: sql`tx, number`,
  },
} as const;

/** Statements about the positions of changes. */
export const changePositions = (db: SqlDatabase) => {
  const { head, headTx, tx, isAfter, isBefore, by } = ORDERS[db.engine];
  return {
    head: sqlStatement(
      db,
      sql<Position & { numbering: string }>`SELECT name AS numbering, ${headTx} AS tx, ${head} AS number
        FROM change_numbering`,
    ),
    /** The age in seconds of the oldest change that is not read yet, as a transaction is still open; `NULL` if there is none. */
    lag: sqlStatement(
      db,
      sql<{ seconds: number | null }>`SELECT ${
        db.engine === "sqlite"
          ? sql`NULL`
          : sql`(SELECT EXTRACT(EPOCH FROM clock_timestamp() - MIN(at)::timestamptz)::double precision FROM changed_records
            WHERE tx >= ${headTx})`
      } AS seconds`,
    ),
    /** Changes after a position and before a head, of a dealer or of all. */
    changed: scopedStatement((narrowed, param: Param<Bounds & { scope: DealerScope; limit: number }>) => {
      const rows = sql<ChangedRow>`SELECT kind, id, dealer_id, state, at, ${tx} AS tx, number FROM changed_records
        WHERE ${narrowed ? sql`dealer_id = ${param("scope")} AND` : sql``} ${isAfter(param)} AND ${isBefore(param)}
        ORDER BY ${by} LIMIT ${param("limit")}`;
      return { compile: () => rows.compile(db) };
    }),
  };
};

/** The values of the bounds of `changed`. */
export const boundsOf = ({ after, until }: { readonly after: Position; readonly until: Position }) => ({
  "after.tx": after.tx,
  "after.number": after.number,
  "until.tx": until.tx,
  "until.number": until.number,
});
