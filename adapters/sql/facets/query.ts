import { type RawBuilder, sql } from "kysely";
import { type AmountFacet, FACETS, type FacetName, MAX_VALUES } from "../../../core/facets/facet.ts";

/** Price and mileage, and what one of them is in its column. */
export const AMOUNTS = {
  price: { column: "price_cents", unit: 100 },
  mileage: { column: "mileage", unit: 1 },
} as const satisfies Readonly<Record<AmountFacet, { readonly column: string; readonly unit: number }>>;
/** The columns with makes and models in the form in which spellings are compared. */
export const FOLDED: { readonly [Name in FacetName]?: string } = { make: "make_folded", model: "model_folded" };

/** True for a facet whose spellings are one value where they are equal without regard to case and accents. */
export const isSpelled = (name: FacetName): boolean => FACETS[name].kind === "spelled";
/** True for a facet whose amounts are counted in ranges. */
export const isAmount = (name: FacetName): name is AmountFacet => name in AMOUNTS;

/** The widths of ranges, narrowest first: 100, 200, 500 and so on to one that all amounts fit into. */
export const WIDTHS = Array.from({ length: 7 }, (_, power) =>
  [1, 2, 5].map((digit) => digit * 10 ** (power + 2)),
).flat();
/** How many ranges there are at most. */
export const MOST_RANGES = 10;

/** A value of a facet and how many vehicles have it; of the amounts also their bounds. */
export interface Row {
  readonly facet: FacetName | "total";
  readonly value: string | null;
  readonly count: number;
  readonly least: number | null;
  readonly most: number | null;
  readonly width: number | null;
}

/** The column whose values a facet counts. */
export const columnOf = (name: FacetName): string => (isAmount(name) ? AMOUNTS[name].column : FACETS[name].field);

const rowOf = (
  facet: Row["facet"],
  value: RawBuilder<unknown>,
  { least, most, width }: Readonly<Record<"least" | "most" | "width", RawBuilder<unknown>>> = NO_BOUNDS,
) => sql`${sql.lit(facet)} AS facet, CAST(${value} AS TEXT) AS value, count(*) AS count,
  ${least} AS least, ${most} AS most, ${width} AS width`;
const NULL = sql`CAST(NULL AS BIGINT)`;
const NO_BOUNDS = { least: NULL, most: NULL, width: NULL };

/** More would hold the event loop, as each vehicle may have a value of its own; one more for those without a value. */
const MOST_ROWS = MAX_VALUES + 1;

/** The rows of the most frequent of these values; those without a value come first. */
const mostFrequent = (name: FacetName, counted: RawBuilder<unknown>): RawBuilder<unknown> => {
  const { least, most, width } = NO_BOUNDS;
  return sql`SELECT * FROM (
    SELECT ${sql.lit(name)} AS facet, CAST(value AS TEXT) AS value, CAST(number AS BIGINT) AS count,
      ${least} AS least, ${most} AS most, ${width} AS width
    FROM (${counted}) AS counted ORDER BY value IS NOT NULL, number DESC, value LIMIT ${sql.lit(MOST_ROWS)}) AS ${sql.table(name)}`;
};

/** Each value, as it is stored, with its number of vehicles. */
const numbers = (name: FacetName): RawBuilder<unknown> => {
  const column = sql.ref(columnOf(name));
  return sql`SELECT ${column} AS value, count(*) AS number FROM found GROUP BY ${column}`;
};

/** Each value with its form in which spellings are compared. Those of an older instance may not be stored yet. */
const foldedNumbers = (name: FacetName): RawBuilder<unknown> => {
  const folded = FOLDED[name];
  return folded !== undefined
    ? sql`SELECT ${sql.ref(name)} AS value, MIN(${sql.ref(folded)}) AS folded, count(*) AS number
        FROM found GROUP BY ${sql.ref(name)}`
    : sql`SELECT numbers.value, COALESCE(folded, lower(numbers.value)) AS folded, number FROM (${numbers(name)}) AS numbers
        LEFT JOIN vehicle_spellings ON field = ${sql.lit(columnOf(name))} AND vehicle_spellings.value = numbers.value`;
};

/** Each value in the spelling of most vehicles, with the number of vehicles of all its spellings. */
const spelled = (name: FacetName): RawBuilder<unknown> =>
  sql`SELECT value, total AS number FROM (
      SELECT value, SUM(number) OVER (PARTITION BY folded) AS total,
        ROW_NUMBER() OVER (PARTITION BY folded ORDER BY number DESC, value) AS place
      FROM (${foldedNumbers(name)}) AS spellings) AS placed WHERE place = 1`;

const values = (name: FacetName): RawBuilder<unknown> =>
  mostFrequent(name, isSpelled(name) ? spelled(name) : numbers(name));

const widthOf = (name: AmountFacet) => sql.table(`${name}_width`);

/** The width of the ranges that all amounts fit into. On its own, as it would be looked for once for each vehicle. */
const width = (name: AmountFacet): RawBuilder<unknown> => {
  const { column, unit } = AMOUNTS[name];
  const widths = sql.join(
    WIDTHS.map((one) => sql`SELECT ${sql.lit(one * unit)} AS width`),
    sql` UNION ALL `,
  );
  return sql`${widthOf(name)} AS MATERIALIZED (
    SELECT (SELECT min(width) FROM (${widths}) AS widths
      WHERE most / width - least / width < ${sql.lit(MOST_RANGES)}) AS width
    FROM (SELECT min(${sql.ref(column)}) AS least, max(${sql.ref(column)}) AS most FROM found) AS extremes)`;
};

/** Each range of amounts, by its number from 0 on, with its number of vehicles and what its amounts are within. */
const ranges = (name: AmountFacet): RawBuilder<unknown> => {
  const amount = sql.ref(AMOUNTS[name].column);
  const own = sql`(SELECT width FROM ${widthOf(name)})`;
  const bounds = { least: sql`min(${amount})`, most: sql`max(${amount})`, width: own };
  // By the second column, its value: an expression with a query in it would not be recognized as the same.
  return sql`SELECT ${rowOf(name, sql`${amount} / ${own}`, bounds)} FROM found WHERE ${amount} IS NOT NULL GROUP BY 2`;
};

/** All facets of the same vehicles in one pass over them. */
export const facetQuery = (facets: readonly FacetName[], found: RawBuilder<unknown>): RawBuilder<Row> => {
  const parts = facets.map((name) => (isAmount(name) ? ranges(name) : values(name)));
  const all = [sql`SELECT ${rowOf("total", sql`NULL`)} FROM found`, ...parts];
  const given = [sql`found AS MATERIALIZED (${found})`, ...facets.filter(isAmount).map(width)];
  return sql<Row>`WITH ${sql.join(given)} ${sql.join(all, sql` UNION ALL `)}`;
};
