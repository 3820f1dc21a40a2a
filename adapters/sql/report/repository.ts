import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { DealerScope } from "../../../core/access/decide.ts";
import { FIGURES, type Figures } from "../../../core/report/figures.ts";
import type { DealerFigures, LotAges, MonthFigures, ReportRepository } from "../../../core/report/report-repository.ts";
import type { SqlDatabase } from "../query/database.ts";
import type { Queries } from "../query/driver.ts";
import { readerByCost } from "../query/reader-by-cost.ts";
import type { Tables } from "../query/tables.ts";
import { LISTED_AT } from "../vehicles/columns.ts";
import { LISTED_INDEX } from "../vehicles/days-on-lot.ts";
import { FIGURE_SUMS } from "./figures.ts";

/** The time to count a vehicle on the lot, in µs. Only an index entry is read. */
const MICROSECONDS_PER_VEHICLE = 0.3;

/** The dealers of a query, and its days. A dealer outside the scope has no rows. */
interface Reach {
  readonly scope: DealerScope;
  readonly dealerId: number | null;
}
type Period = Parameters<ReportRepository["months"]>[0]["period"];

const isWithin = ({ scope, dealerId }: Reach, column: string): RawBuilder<SqlBool> => {
  const dealer = dealerId === null ? sql`` : sql`AND ${sql.ref(column)} = ${dealerId}`;
  return scope === null ? sql`TRUE ${dealer}` : sql`${sql.ref(column)} = ${scope} ${dealer}`;
};

const MONTH = sql<string>`substr(day, 1, 7)`;

/** The daily figures of dealers in a period, both of vehicles that are still stored and of deleted ones. */
const daysOf = (on: Pick<Queries, "selectFrom">, reach: Reach, { from, to }: Period) => {
  const daysIn = (table: "daily_figures" | "former_figures") =>
    on
      .selectFrom("dealers")
      .innerJoin(sql<Tables["daily_figures"]>`${sql.table(table)}`.as("days"), "days.dealer_id", "dealers.id")
      .select(["dealers.id as dealer_id", "days.day", ...FIGURES])
      .where(isWithin(reach, "dealers.id"))
      .where("days.day", ">=", from)
      .where("days.day", "<=", to);
  return daysIn("daily_figures").unionAll(daysIn("former_figures")).as("days");
};

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

  return {
    async months({ period, ...reach }) {
      return db
        .selectFrom(daysOf(db, reach, period))
        .select(MONTH.as("month"))
        .select(FIGURE_SUMS)
        .groupBy(MONTH)
        .execute();
    },

    async byDealer({ scope, period }) {
      const reach = { scope, dealerId: null };
      const rows = await (scope === null ? db.longReads : db)
        .with(
          (made) => made("summed").materialized(),
          (on) =>
            on
              .selectFrom(daysOf(on, reach, period))
              .select(["dealer_id", MONTH.as("month")])
              .select(FIGURE_SUMS)
              .groupBy(["dealer_id", MONTH]),
        )
        .selectFrom("summed")
        .select([sql<number | null>`NULL`.as("dealer_id"), sql<string | null>`NULL`.as("name")])
        .select(sql<string | null>`month`.as("month"))
        .select(FIGURE_SUMS)
        .groupBy("month")
        .unionAll((on) =>
          on
            .selectFrom("dealers")
            .leftJoin(
              on.selectFrom("summed").select("dealer_id").select(FIGURE_SUMS).groupBy("dealer_id").as("totals"),
              "totals.dealer_id",
              "dealers.id",
            )
            .select([sql<number | null>`dealers.id`.as("dealer_id"), sql<string | null>`dealers.name`.as("name")])
            .select(sql<string | null>`NULL`.as("month"))
            .select(FIGURES.map((name) => sql<number>`COALESCE(${sql.ref(name)}, 0)`.as(name)))
            .where(isWithin(reach, "dealers.id")),
        )
        .execute();
      const dealers = rows.filter((row): row is OverallRow & DealerFigures => row.dealer_id !== null);
      return {
        months: rows.filter((row): row is OverallRow & MonthFigures => row.month !== null),
        dealers: dealers
          .map(({ month: _, ...figures }) => figures)
          .sort((one, other) => one.dealer_id - other.dealer_id),
      };
    },

    async lot({ borders, oldest: most, ...reach }): Promise<LotAges> {
      const onLot = sql<SqlBool>`${isWithin(reach, "vehicles.dealer_id")} AND status <> 'sold'`;
      const counted = (name: number, isMeant: RawBuilder<SqlBool>) => [
        sql<number>`count(*) FILTER (WHERE ${isMeant})`.as(`vehicles${name}`),
        sql<number>`CAST(COALESCE(SUM(price_cents) FILTER (WHERE ${isMeant}), 0) AS BIGINT)`.as(`cents${name}`),
      ];
      const younger = borders.flatMap((border, group) => counted(group, sql`${listed} > ${form(border)}`));
      const reader = await readerByVehicles(reach.scope ?? reach.dealerId, MICROSECONDS_PER_VEHICLE);
      // The queries run one after the other: see `longReads`.
      const totals = await reader
        .selectFrom("vehicles")
        .select([...younger, ...counted(borders.length, sql`TRUE`)])
        .where(onLot)
        .$castTo<LotRow>()
        .executeTakeFirst();
      const first = reader.selectFrom("vehicles").select("id").where(onLot).orderBy(listed).orderBy("id").limit(most);
      // Only these rows are read from the table. The sort uses the index alone.
      const oldest = reader
        .selectFrom("vehicles")
        .select(["id", "title", "stock_number", LISTED_AT.as("listed_at"), "price_cents as cents"])
        .where("id", "in", first)
        .orderBy(LISTED_AT)
        .orderBy("id");
      const found = most === 0 ? [] : await oldest.execute();
      const valueIn = (column: string): number => totals?.[column] ?? 0;
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
