import { type RawBuilder, sql } from "kysely";
import { FIGURES, type Figures } from "../../../core/report/figures.ts";

type Name = keyof Figures;

/** A list of columns of figures. */
export const joinedColumns = (column: (name: Name) => RawBuilder<unknown>, names: readonly Name[] = FIGURES) =>
  sql.join(names.map(column));

/**
 * The sums of all figures. They are integers, except for a sum that may exceed exact integers: it is the nearest
 * floating-point number.
 */
export const FIGURE_SUMS = FIGURES.map((name) =>
  name === "discount_percents"
    ? sql<number>`SUM(CAST(${sql.ref(name)} AS DOUBLE PRECISION))`.as(name)
    : sql<number>`CAST(SUM(${sql.ref(name)}) AS BIGINT)`.as(name),
);

/** All figures as columns: the given expressions, and 0 for all others. */
export const figureColumns = (given: { readonly [Figure in Name]?: RawBuilder<unknown> }): RawBuilder<unknown> =>
  joinedColumns((name) => sql`${given[name] ?? sql`0`} AS ${sql.ref(name)}`);
