import { type RawBuilder, sql } from "kysely";
import { FIGURES, type Figures } from "../../../core/report/figures.ts";

type Name = keyof Figures;

/** Columns of figures, joined. */
export const joinedColumns = (column: (name: Name) => RawBuilder<unknown>, names: readonly Name[] = FIGURES) =>
  sql.join(names.map(column));

/** The sums of all figures: integers, or the nearest floating-point number for sums that may exceed exact integers. */
export const figureSums = joinedColumns((name) =>
  name === "discount_percents"
    ? sql`SUM(CAST(${sql.ref(name)} AS DOUBLE PRECISION)) AS ${sql.ref(name)}`
    : sql`CAST(SUM(${sql.ref(name)}) AS BIGINT) AS ${sql.ref(name)}`,
);

/** All figures as columns: the given expressions, and 0 for the others. */
export const figureColumns = (given: { readonly [Figure in Name]?: RawBuilder<unknown> }): RawBuilder<unknown> =>
  joinedColumns((name) => sql`${given[name] ?? sql`0`} AS ${sql.ref(name)}`);
