import { sql } from "kysely";
import type { DealerFiguresRepository, StoredFigures } from "../../../core/dealer-figures/figures-repository.ts";
import { figureParams, figureValues } from "../dealers/figure-values.ts";
import type { SqlDatabase } from "../query/database.ts";
import { idsValue } from "../query/slices.ts";
import { param, type Statement, shapeCache, sqlStatement } from "../query/statement.ts";
import { LISTED_INDEX } from "../vehicles/days-on-lot.ts";

interface FigureRow {
  readonly id: number;
  readonly vehicles: number | null;
  readonly listed: number | null;
  readonly quality: number | null;
  readonly leftOut: number | null;
  readonly refusedKeys: number | null;
  readonly fileId: number | null;
  readonly fileAt: string | null;
  readonly failed: number | null;
  readonly lastChange: string;
}

/** How many vehicles of a dealer are younger than each of the moments. */
type AgeRow = { readonly dealer_id: number } & Readonly<Record<`younger${number}`, number>>;

const figuresOf = (row: FigureRow, ages: readonly number[]): StoredFigures => ({
  id: row.id,
  vehicles: row.vehicles ?? 0,
  listedMs: row.listed,
  ages,
  quality: row.quality,
  leftOut: row.leftOut,
  refusedKeys: row.refusedKeys,
  lastFile:
    row.fileId === null || row.fileAt === null
      ? null
      : { import_id: row.fileId, at: row.fileAt, failed: row.failed ?? 0 },
  lastChange: row.lastChange,
});

/** The figures of dealers in SQL; see the port for what they guarantee. */
export const makeDealerFiguresRepository = (db: SqlDatabase): DealerFiguresRepository => {
  const figures = shapeCache<Statement<FigureRow>>();
  const ages = shapeCache<Statement<AgeRow>>();
  const { listed, form } = LISTED_INDEX[db.engine];
  const listedIds = sql`(SELECT listed_id FROM ${db.jsonRows(param<string>("ids"), { listed_id: "integer" })} AS listed)`;
  return {
    async of({ ids, scope, sight, borders }) {
      if (ids.length === 0) return [];
      const reach = { ids: idsValue(ids), ...(scope !== null && { scope }) };
      const within = (column: string) =>
        sql`${sql.ref(column)} IN ${listedIds} ${scope === null ? sql`` : sql`AND ${sql.ref(column)} = ${param("scope")}`}`;
      const values = figureParams(sight);
      const shape = `${scope !== null} ${Object.keys(values).join()}`;
      const rows = await db.all(
        figures(shape, () => {
          const selected = Object.entries(figureValues(db.engine, sight)).map(
            ([name, value]) => sql`${value} AS ${sql.ref(name)}`,
          );
          return sqlStatement<FigureRow>(
            db,
            sql<FigureRow>`SELECT dealers.id, ${sql.join(selected)} FROM dealers WHERE ${within("dealers.id")}`,
          );
        }),
        { ...reach, ...values },
      );
      const found = await db.all(
        ages(`${scope !== null} ${borders.length}`, () => {
          const younger = borders.map(
            (_, place) =>
              sql`count(*) FILTER (WHERE ${listed} > ${param(`border${place}`)}) AS ${sql.ref(`younger${place}`)}`,
          );
          return sqlStatement<AgeRow>(
            db,
            sql<AgeRow>`SELECT vehicles.dealer_id, ${sql.join(younger)} FROM vehicles
              WHERE ${within("vehicles.dealer_id")} AND status <> 'sold' GROUP BY vehicles.dealer_id`,
          );
        }),
        { ...reach, ...Object.fromEntries(borders.map((border, place) => [`border${place}`, form(border)])) },
      );
      const younger = new Map(found.map((row) => [row.dealer_id, row]));
      return rows.map((row) => {
        const until = borders.map((_, place) => younger.get(row.id)?.[`younger${place}`] ?? 0);
        return figuresOf(
          row,
          [...until, row.vehicles ?? 0].map((count, group, all) => count - (all[group - 1] ?? 0)),
        );
      });
    },
  };
};
