import { type RawBuilder, sql } from "kysely";
import { FIGURES, type Figures } from "../../../core/report/figures.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { idsValue } from "../query/slices.ts";
import { param, type Statement, sqlStatement } from "../query/statement.ts";
import { figureColumns, joinedColumns } from "./figures.ts";

/** The number of dealers whose figures are computed in one transaction. It is so small that nobody waits long. */
const BATCH = 20;

type DayRow = Figures & { readonly dealer_id: number; readonly day: string };

/** A day on which a stored figure differs from the one that is computed from the vehicles. */
export interface FigureMismatch {
  readonly dealerId: number;
  readonly day: string;
  readonly figure: keyof Figures;
  readonly kept: number;
  readonly right: number;
}

const LISTED_DAY = sql`substr(COALESCE(listed_at, created_at), 1, 10)`;
const OF_SALE: readonly (keyof Figures)[] = FIGURES.filter((name) => name !== "added" && name !== "price_drops");

/**
 * The sources of figures, with a row for each vehicle that was added, was sold, or had its price reduced. `isMeant`
 * filters the vehicles.
 */
const sources = {
  present: (isMeant: RawBuilder<unknown>) =>
    sql`SELECT dealer_id, ${LISTED_DAY} AS day, ${figureColumns({ added: sql`1` })} FROM vehicles WHERE ${isMeant}`,
  ended: (isMeant: RawBuilder<unknown>) =>
    sql`SELECT dealer_id, day, ${figureColumns({ added: sql`1` })} FROM vehicle_stays WHERE ${isMeant}`,
  sold: (isMeant: RawBuilder<unknown>) =>
    sql`SELECT dealer_id, day, ${figureColumns(Object.fromEntries(OF_SALE.map((name) => [name, sql.ref(name)])))}
      FROM sale_figures WHERE ${isMeant}`,
  reduced: (isMeant: RawBuilder<unknown>) =>
    sql`SELECT dealer_id, substr(at, 1, 10) AS day, ${figureColumns({ price_drops: sql`1` })} FROM vehicle_history
      WHERE ${isMeant} AND field = 'price' AND dealer_id IS NOT NULL
      AND CAST(new_value AS BIGINT) < CAST(old_value AS BIGINT)`,
};

const byDay = (sign: 1 | -1, rows: readonly RawBuilder<unknown>[]) =>
  sql<DayRow>`SELECT dealer_id, day, ${joinedColumns((name) => sql`CAST(${sql.lit(sign)} * SUM(${sql.ref(name)}) AS BIGINT) AS ${sql.ref(name)}`)}
    FROM (${sql.join(rows, sql` UNION ALL `)}) AS counted WHERE TRUE GROUP BY dealer_id, day`;

const NAMES = joinedColumns((name) => sql.ref(name));

const addTo = (table: "daily_figures" | "former_figures", rows: RawBuilder<unknown>) =>
  sql<object>`INSERT INTO ${sql.table(table)} (dealer_id, day, ${NAMES}) ${rows}
    ON CONFLICT (dealer_id, day) DO UPDATE SET ${joinedColumns(
      (name) => sql`${sql.ref(name)} = ${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
    )}`;

const statementsOf = (db: SqlDatabase) => {
  const listed = sql`(SELECT listed_id FROM ${db.jsonRows(param<string>("ids"), { listed_id: "integer" })} AS listed)`;
  const lock = (dealers: RawBuilder<unknown>): Statement<object> =>
    sqlStatement(
      db,
      sql<object>`SELECT dealer_id FROM dealer_inventory WHERE dealer_id IN (${dealers}) ORDER BY dealer_id ${db.forUpdate}`,
    );
  const isOfDealer = sql`dealer_id = ${param("dealer")}`;
  // These are all vehicles that the dealer has or had. Sales and changes are found by their vehicles.
  const isOfItsVehicles = sql`${isOfDealer} AND vehicle_id IN (SELECT id FROM vehicles WHERE ${isOfDealer}
    UNION SELECT vehicle_id FROM vehicle_stays WHERE ${isOfDealer})`;
  const right = byDay(1, [
    sources.present(isOfDealer),
    sources.ended(isOfDealer),
    sources.sold(isOfItsVehicles),
    sources.reduced(isOfItsVehicles),
  ]);
  const removed = sql`vehicle_id IN ${listed}`;
  return {
    missing: sqlStatement(
      db,
      sql<{
        dealer_id: number;
      }>`SELECT dealer_id FROM figures_missing ORDER BY dealer_id LIMIT ${sql.lit(BATCH)}`,
    ),
    everyMissing: sqlStatement(
      db,
      sql<object>`INSERT INTO figures_missing SELECT id FROM dealers WHERE TRUE ON CONFLICT DO NOTHING`,
    ),
    dealers: sqlStatement(db, sql<{ dealer_id: number }>`SELECT id AS dealer_id FROM dealers ORDER BY id`),
    lockDealers: lock(listed),
    clear: sqlStatement(db, sql<object>`DELETE FROM daily_figures WHERE ${isOfDealer}`),
    compute: sqlStatement(db, sql<object>`INSERT INTO daily_figures (dealer_id, day, ${NAMES}) ${right}`),
    computed: sqlStatement(db, sql<object>`DELETE FROM figures_missing WHERE ${isOfDealer}`),
    kept: sqlStatement(db, sql<DayRow>`SELECT dealer_id, day, ${NAMES} FROM daily_figures WHERE ${isOfDealer}`),
    right: sqlStatement(db, right),
    lockDealersOfRemoved: lock(sql`SELECT dealer_id FROM vehicle_stays WHERE ${removed}
      UNION SELECT dealer_id FROM vehicle_sales WHERE ${removed}`),
    archive: sqlStatement(
      db,
      addTo("former_figures", byDay(1, [sources.ended(removed), sources.sold(removed), sources.reduced(removed)])),
    ),
    // Triggers subtract their sales when these are deleted.
    subtract: sqlStatement(db, addTo("daily_figures", byDay(-1, [sources.ended(removed), sources.reduced(removed)]))),
    forget: sqlStatement(db, sql<object>`DELETE FROM vehicle_stays WHERE ${removed}`),
  };
};

const mismatches = (kept: readonly DayRow[], right: readonly DayRow[]): FigureMismatch[] => {
  const days = new Map<string, { dealerId: number; kept?: DayRow; right?: DayRow }>();
  for (const [side, rows] of [["kept", kept] as const, ["right", right] as const])
    for (const row of rows) days.set(row.day, { ...days.get(row.day), dealerId: row.dealer_id, [side]: row });
  return [...days].flatMap(([day, { dealerId, ...both }]) =>
    FIGURES.map((figure) => ({
      dealerId,
      day,
      figure,
      kept: both.kept?.[figure] ?? 0,
      right: both.right?.[figure] ?? 0,
    })).filter((one) => one.kept !== one.right),
  );
};

/**
 * The stored daily figures of dealers. They are derived from the present vehicles, from the earlier times of vehicles
 * at dealers, from sales, and from changes of prices. Triggers in the database keep them up to date.
 */
export const storedFigures = (db: SqlDatabase) => {
  const statements = statementsOf(db);

  /**
   * Recomputes the figures of these dealers. Concurrent changes wait meanwhile, so that nothing is lost or counted
   * twice.
   */
  const compute = async (tx: Sql, dealers: readonly number[]): Promise<void> => {
    await tx.all(statements.lockDealers, { ids: idsValue(dealers) });
    for (const dealer of dealers) {
      await tx.all(statements.clear, { dealer });
      await tx.all(statements.compute, { dealer });
      await tx.all(statements.computed, { dealer });
    }
  };

  /**
   * Computes missing figures, for some dealers in each transaction. After an interruption, it continues where it was.
   */
  const fill = async (): Promise<void> => {
    for (;;) {
      const dealers = (await db.all(statements.missing, {})).map(({ dealer_id }) => dealer_id);
      if (dealers.length === 0) return;
      await db.writeWithoutTimeout((tx) => compute(tx, dealers));
    }
  };

  return {
    fill,

    /** Computes the figures of all dealers within one transaction. It is meant for a database that nobody uses yet. */
    async fillWithin(tx: Sql): Promise<void> {
      await compute(
        tx,
        (await tx.all(statements.dealers, {})).map(({ dealer_id }) => dealer_id),
      );
    },

    /** Recomputes all figures while the database is in use. If it is interrupted, the next `fill` completes it. */
    async rebuild(): Promise<void> {
      await db.writeWithoutTimeout(async (tx) => void (await tx.all(statements.everyMissing, {})));
      await fill();
    },

    /** Compares the stored figures with newly computed ones, dealer by dealer, while the database is in use. */
    async verify(): Promise<readonly FigureMismatch[]> {
      const dealers = (await db.all(statements.dealers, {})).map(({ dealer_id }) => dealer_id);
      const wrong: FigureMismatch[] = [];
      for (const dealer of dealers)
        await db.writeWithoutTimeout(async (tx) => {
          await tx.all(statements.lockDealers, { ids: idsValue([dealer]) });
          wrong.push(
            ...mismatches(await tx.all(statements.kept, { dealer }), await tx.all(statements.right, { dealer })),
          );
        });
      return wrong;
    },

    /**
     * Keeps the figures of removed vehicles that are about to be deleted for good. It must be called within the same
     * transaction, before their sales and changes are deleted.
     */
    async archive(tx: Sql, vehicles: readonly number[]): Promise<void> {
      const ids = idsValue(vehicles);
      await tx.all(statements.lockDealersOfRemoved, { ids });
      await tx.all(statements.archive, { ids });
      await tx.all(statements.subtract, { ids });
      await tx.all(statements.forget, { ids });
    },
  };
};
