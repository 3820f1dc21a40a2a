import { type RawBuilder, sql } from "kysely";
import type { DealerScope } from "../../../core/access/decide.ts";
import type { Figures } from "../../../core/report/figures.ts";
import type {
  DealerFigures,
  LotAges,
  MonthFigures,
  OldVehicle,
  ReportRepository,
} from "../../../core/report/report-repository.ts";
import type { SqlDatabase } from "../query/database.ts";
import { readerByCost } from "../query/reader-by-cost.ts";
import { param, type Statement, shapeCache, sqlStatement } from "../query/statement.ts";
import { LISTED_AT } from "../vehicles/columns.ts";
import { LISTED_INDEX } from "../vehicles/days-on-lot.ts";
import { figureSums, joinedColumns } from "./figures.ts";

/** The time to count a vehicle on the lot, in µs. Only an index entry is read. */
const MICROSECONDS_PER_VEHICLE = 0.3;

/** The dealers of a query. A dealer outside the scope has no rows. */
interface DealerFilter {
  readonly scope: DealerScope;
  readonly dealerId: number | null;
}

const dealersOf = ({ scope, dealerId }: DealerFilter) => ({
  shape: `${scope === null} ${dealerId === null}`,
  values: { ...(scope !== null && { scope }), ...(dealerId !== null && { dealer: dealerId }) },
  isIn: (column: string): RawBuilder<unknown> => {
    const dealer = dealerId === null ? sql`` : sql`AND ${sql.ref(column)} = ${param("dealer")}`;
    return scope === null ? sql`TRUE ${dealer}` : sql`${sql.ref(column)} = ${param("scope")} ${dealer}`;
  },
});

const NAMES = joinedColumns((name) => sql.ref(name));

/** The daily figures of dealers in a period, both of vehicles that are still stored and of deleted ones. */
const daysOf = (dealers: RawBuilder<unknown>) =>
  sql.join(
    ["daily_figures", "former_figures"].map(
      (table) => sql`SELECT dealers.id AS dealer_id, days.day, ${NAMES} FROM dealers
        JOIN ${sql.table(table)} AS days ON days.dealer_id = dealers.id
        WHERE ${dealers} AND days.day BETWEEN ${param("from")} AND ${param("to")}`,
    ),
    sql` UNION ALL `,
  );

/** A month of all dealers together, or a dealer in all months together. */
interface OverallRow extends Figures {
  readonly dealer_id: number | null;
  readonly name: string | null;
  readonly month: string | null;
}

type LotRow = Readonly<Record<string, number>>;

/** Reports in SQL; see the port for what it guarantees. */
export const makeReportRepository = (db: SqlDatabase): ReportRepository => {
  const readerByVehicles = readerByCost(db);
  const { listed, form } = LISTED_INDEX[db.engine];
  const months = shapeCache<Statement<MonthFigures>>();
  const overall = shapeCache<Statement<OverallRow>>();
  const ages = shapeCache<Statement<LotRow>>();
  const oldest = shapeCache<Statement<OldVehicle>>();

  return {
    async months({ period, ...reach }) {
      const { shape, values, isIn } = dealersOf(reach);
      const query = months(shape, () =>
        sqlStatement(
          db,
          sql<MonthFigures>`SELECT substr(day, 1, 7) AS month, ${figureSums} FROM (${daysOf(isIn("dealers.id"))}) AS days
            GROUP BY substr(day, 1, 7)`,
        ),
      );
      return db.all(query, { ...values, ...period });
    },

    async byDealer({ scope, period }) {
      const { shape, values, isIn } = dealersOf({ scope, dealerId: null });
      const query = overall(shape, () =>
        sqlStatement(
          db,
          sql<OverallRow>`WITH summed AS MATERIALIZED (
              SELECT dealer_id, substr(day, 1, 7) AS month, ${figureSums} FROM (${daysOf(isIn("dealers.id"))}) AS days
              GROUP BY dealer_id, substr(day, 1, 7))
            SELECT NULL AS dealer_id, NULL AS name, month, ${figureSums} FROM summed GROUP BY month
            UNION ALL SELECT dealers.id, dealers.name, NULL, ${joinedColumns((name) => sql`COALESCE(${sql.ref(name)}, 0)`)}
            FROM dealers LEFT JOIN (SELECT dealer_id, ${figureSums} FROM summed GROUP BY dealer_id) AS totals
              ON totals.dealer_id = dealers.id WHERE ${isIn("dealers.id")}`,
        ),
      );
      const rows = await (scope === null ? db.longReads : db).all(query, { ...values, ...period });
      const dealers = rows.filter((row): row is OverallRow & DealerFigures => row.dealer_id !== null);
      return {
        months: rows.filter((row): row is OverallRow & MonthFigures => row.month !== null),
        dealers: dealers
          .map(({ month: _, ...figures }) => figures)
          .sort((one, other) => one.dealer_id - other.dealer_id),
      };
    },

    async lot({ borders, oldest: most, ...reach }): Promise<LotAges> {
      const { shape, values, isIn } = dealersOf(reach);
      const onLot = sql`${isIn("vehicles.dealer_id")} AND status <> 'sold'`;
      const counting = ages(`${shape} ${borders.length}`, () => {
        const counted = (name: string, isMeant: RawBuilder<unknown>) =>
          sql`count(*) FILTER (WHERE ${isMeant}) AS ${sql.ref(`vehicles${name}`)},
            CAST(COALESCE(SUM(price_cents) FILTER (WHERE ${isMeant}), 0) AS BIGINT) AS ${sql.ref(`cents${name}`)}`;
        const younger = borders.map((_, place) => counted(`${place}`, sql`${listed} > ${param(`border${place}`)}`));
        return sqlStatement(
          db,
          sql<LotRow>`SELECT ${sql.join([...younger, counted(`${borders.length}`, sql`TRUE`)])} FROM vehicles WHERE ${onLot}`,
        );
      });
      const first = oldest(`${shape} ${most}`, () =>
        sqlStatement(
          db,
          // Only these rows are read from the table. The sort uses the index alone.
          sql<OldVehicle>`SELECT id, title, stock_number, ${LISTED_AT} AS listed_at, price_cents AS cents FROM vehicles
            WHERE id IN (SELECT id FROM vehicles WHERE ${onLot} ORDER BY ${listed}, id LIMIT ${sql.lit(most)})
            ORDER BY ${LISTED_AT}, id`,
        ),
      );
      const moments = Object.fromEntries(borders.map((border, group) => [`border${group}`, form(border)]));
      const reader = await readerByVehicles(reach.scope ?? reach.dealerId, MICROSECONDS_PER_VEHICLE);
      // The queries run one after the other: see `longReads`.
      const [counted] = await reader.all(counting, { ...values, ...moments });
      const found = most === 0 ? [] : await reader.all(first, values);
      const valueIn = (column: string): number => counted?.[column] ?? 0;
      return {
        // Each group has the vehicles listed after its border, without those listed after the border before it.
        ages: [...borders, null].map((_, group) => ({
          vehicles: valueIn(`vehicles${group}`) - valueIn(`vehicles${group - 1}`),
          cents: valueIn(`cents${group}`) - valueIn(`cents${group - 1}`),
        })),
        oldest: found,
      };
    },
  };
};
