import { type RawBuilder, sql } from "kysely";
import { FIGURES, type Figures } from "../../../core/report/figures.ts";

type Name = keyof Figures;

/** Columns of figures, joined. */
export const columnsOf = (column: (name: Name) => RawBuilder<unknown>, names: readonly Name[] = FIGURES) =>
  sql.join(names.map(column));

/** The sums of figures: whole numbers, and those beyond what numbers hold exactly as the nearest ones. */
export const sums = columnsOf((name) =>
  name === "discount_percents"
    ? sql`SUM(CAST(${sql.ref(name)} AS DOUBLE PRECISION)) AS ${sql.ref(name)}`
    : sql`CAST(SUM(${sql.ref(name)}) AS BIGINT) AS ${sql.ref(name)}`,
);

/** All figures as columns: those named as given, the others 0. */
export const only = (given: { readonly [Figure in Name]?: RawBuilder<unknown> }): RawBuilder<unknown> =>
  columnsOf((name) => sql`${given[name] ?? sql`0`} AS ${sql.ref(name)}`);
