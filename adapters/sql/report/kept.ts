import { type RawBuilder, sql } from "kysely";
import { FIGURES, type Figures } from "../../../core/report/figures.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { setOf } from "../query/slices.ts";
import { param, type Statement, sqlStatement } from "../query/statement.ts";
import { columnsOf, only } from "./figures.ts";

/** Dealers whose figures are computed in one transaction: so few that nobody waits for it long. */
const BATCH = 20;

/** Figures of a day, and those that were kept in their place. */
type DayRow = Figures & { readonly dealer_id: number; readonly day: string };

/** A day whose kept figures are not what follows from the vehicles. */
export interface WrongDay {
  readonly dealerId: number;
  readonly day: string;
  readonly figure: keyof Figures;
  readonly kept: number;
  readonly right: number;
}

const LISTED_DAY = sql`substr(COALESCE(listed_at, created_at), 1, 10)`;
const OF_SALE: readonly (keyof Figures)[] = FIGURES.filter((name) => name !== "added" && name !== "price_drops");

/** What vehicles count as: a row for each that was added, sold or reduced. `isMeant` says which by these columns. */
const sources = {
  present: (isMeant: RawBuilder<unknown>) =>
    sql`SELECT dealer_id, ${LISTED_DAY} AS day, ${only({ added: sql`1` })} FROM vehicles WHERE ${isMeant}`,
  ended: (isMeant: RawBuilder<unknown>) =>
    sql`SELECT dealer_id, day, ${only({ added: sql`1` })} FROM vehicle_stays WHERE ${isMeant}`,
  sold: (isMeant: RawBuilder<unknown>) =>
    sql`SELECT dealer_id, day, ${only(Object.fromEntries(OF_SALE.map((name) => [name, sql.ref(name)])))}
      FROM sale_figures WHERE ${isMeant}`,
  reduced: (isMeant: RawBuilder<unknown>) =>
    sql`SELECT dealer_id, substr(at, 1, 10) AS day, ${only({ price_drops: sql`1` })} FROM vehicle_history
      WHERE ${isMeant} AND field = 'price' AND dealer_id IS NOT NULL
      AND CAST(new_value AS BIGINT) < CAST(old_value AS BIGINT)`,
};

const byDay = (sign: 1 | -1, rows: readonly RawBuilder<unknown>[]) =>
  sql<DayRow>`SELECT dealer_id, day, ${columnsOf((name) => sql`CAST(${sql.lit(sign)} * SUM(${sql.ref(name)}) AS BIGINT) AS ${sql.ref(name)}`)}
    FROM (${sql.join(rows, sql` UNION ALL `)}) AS counted WHERE TRUE GROUP BY dealer_id, day`;

const NAMES = columnsOf((name) => sql.ref(name));

const addTo = (table: "daily_figures" | "former_figures", rows: RawBuilder<unknown>) =>
  sql<object>`INSERT INTO ${sql.table(table)} (dealer_id, day, ${NAMES}) ${rows}
    ON CONFLICT (dealer_id, day) DO UPDATE SET ${columnsOf(
      (name) => sql`${sql.ref(name)} = ${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
    )}`;

const statementsOf = (db: SqlDatabase) => {
  const listed = sql`(SELECT listed_id FROM ${db.jsonRows(param<string>("ids"), { listed_id: "integer" })} AS listed)`;
  const lock = (dealers: RawBuilder<unknown>): Statement<object> =>
    sqlStatement(
      db,
      sql<object>`SELECT dealer_id FROM dealer_inventory WHERE dealer_id IN (${dealers}) ORDER BY dealer_id ${db.forUpdate}`,
    );
  const own = sql`dealer_id = ${param("dealer")}`;
  // Whatever was ever this dealer's: sales and changes are found by their vehicles.
  const ofOwn = sql`${own} AND vehicle_id IN (SELECT id FROM vehicles WHERE ${own}
    UNION SELECT vehicle_id FROM vehicle_stays WHERE ${own})`;
  const right = byDay(1, [sources.present(own), sources.ended(own), sources.sold(ofOwn), sources.reduced(ofOwn)]);
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
    clear: sqlStatement(db, sql<object>`DELETE FROM daily_figures WHERE ${own}`),
    compute: sqlStatement(db, sql<object>`INSERT INTO daily_figures (dealer_id, day, ${NAMES}) ${right}`),
    computed: sqlStatement(db, sql<object>`DELETE FROM figures_missing WHERE ${own}`),
    kept: sqlStatement(db, sql<DayRow>`SELECT dealer_id, day, ${NAMES} FROM daily_figures WHERE ${own}`),
    right: sqlStatement(db, right),
    lockHolders: lock(sql`SELECT dealer_id FROM vehicle_stays WHERE ${removed}
      UNION SELECT dealer_id FROM vehicle_sales WHERE ${removed}`),
    settle: sqlStatement(
      db,
      addTo("former_figures", byDay(1, [sources.ended(removed), sources.sold(removed), sources.reduced(removed)])),
    ),
    // Their sales are taken away as they are deleted.
    takeAway: sqlStatement(db, addTo("daily_figures", byDay(-1, [sources.ended(removed), sources.reduced(removed)]))),
    forget: sqlStatement(db, sql<object>`DELETE FROM vehicle_stays WHERE ${removed}`),
  };
};

const wrongDays = (kept: readonly DayRow[], right: readonly DayRow[]): WrongDay[] => {
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
 * The daily figures of dealers beside what they follow from: the vehicles that are there, the times that vehicles were
 * with a dealer before, their sales and the changes of their prices. The database keeps them by itself.
 */
export const keptFigures = (db: SqlDatabase) => {
  const statements = statementsOf(db);

  /** Computes the figures of these dealers anew. Whoever changes them waits; nothing is lost or counted twice. */
  const compute = async (tx: Sql, dealers: readonly number[]): Promise<void> => {
    await tx.all(statements.lockDealers, { ids: setOf(dealers) });
    for (const dealer of dealers) {
      await tx.all(statements.clear, { dealer });
      await tx.all(statements.compute, { dealer });
      await tx.all(statements.computed, { dealer });
    }
  };

  /** Computes what is missing, some dealers in each transaction; it goes on where it was interrupted. */
  const fill = async (): Promise<void> => {
    for (;;) {
      const dealers = (await db.all(statements.missing, {})).map(({ dealer_id }) => dealer_id);
      if (dealers.length === 0) return;
      await db.writeWithoutTimeout((tx) => compute(tx, dealers));
    }
  };

  return {
    fill,

    /** Computes the figures of all dealers within a transaction that nobody else sees yet. */
    async fillWithin(tx: Sql): Promise<void> {
      await compute(
        tx,
        (await tx.all(statements.dealers, {})).map(({ dealer_id }) => dealer_id),
      );
    },

    /** Computes all figures anew while others go on; once begun, the next `fill` ends it. */
    async rebuild(): Promise<void> {
      await db.writeWithoutTimeout(async (tx) => void (await tx.all(statements.everyMissing, {})));
      await fill();
    },

    /** Compares all figures with what they follow from, dealer by dealer, while others go on. */
    async verify(): Promise<readonly WrongDay[]> {
      const dealers = (await db.all(statements.dealers, {})).map(({ dealer_id }) => dealer_id);
      const wrong: WrongDay[] = [];
      for (const dealer of dealers)
        await db.writeWithoutTimeout(async (tx) => {
          await tx.all(statements.lockDealers, { ids: setOf([dealer]) });
          wrong.push(
            ...wrongDays(await tx.all(statements.kept, { dealer }), await tx.all(statements.right, { dealer })),
          );
        });
      return wrong;
    },

    /**
     * Within a transaction that deletes everything of these removed vehicles: what happened with them stays counted.
     * Call it before their sales and changes are deleted.
     */
    async settle(tx: Sql, vehicles: readonly number[]): Promise<void> {
      const ids = setOf(vehicles);
      await tx.all(statements.lockHolders, { ids });
      await tx.all(statements.settle, { ids });
      await tx.all(statements.takeAway, { ids });
      await tx.all(statements.forget, { ids });
    },
  };
};
