import { sql } from "kysely";
import type { DealerFiguresRepository, StoredFigures } from "../../../core/dealer-figures/figures-repository.ts";
import { figureValues } from "../dealers/figure-values.ts";
import type { SqlDatabase } from "../query/database.ts";
import { givenIds } from "../query/slices.ts";
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
  const { listed, form } = LISTED_INDEX[db.engine];
  return {
    async of({ ids, scope, sight, borders }) {
      if (ids.length === 0) return [];
      const rows = await db
        .selectFrom("dealers")
        .select("dealers.id")
        .select(Object.entries(figureValues(db.engine, sight)).map(([name, value]) => sql`${value}`.as(name)))
        .where("dealers.id", "in", givenIds(db, ids))
        .$if(scope !== null, (query) => query.where("dealers.id", "=", scope))
        .$castTo<FigureRow>()
        .execute();
      const found = await db
        .selectFrom("vehicles")
        .select("vehicles.dealer_id")
        .select(
          borders.map((border, place) =>
            sql<number>`count(*) FILTER (WHERE ${listed} > ${form(border)})`.as(`younger${place}`),
          ),
        )
        .where("vehicles.dealer_id", "in", givenIds(db, ids))
        .$if(scope !== null, (query) => query.where("vehicles.dealer_id", "=", scope))
        .where("status", "<>", sql.lit("sold"))
        .groupBy("vehicles.dealer_id")
        .$castTo<AgeRow>()
        .execute();
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
