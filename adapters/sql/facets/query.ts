import { type RawBuilder, sql } from "kysely";
import { type AmountFacet, FACETS, type FacetName, FIRST_DAYS, MAX_VALUES } from "../../../core/facets/facet.ts";
import { combinedStatement, type Statement } from "../query/statement.ts";
import { SEARCHED } from "../vehicles/filter-plan.ts";

/** The columns of price, mileage and days on the lot, and the number of units of the column in one unit of the amount. */
export const AMOUNTS = {
  price: { column: "price_cents", unit: 100 },
  mileage: { column: "mileage", unit: 1 },
  days_on_lot: { column: "days_on_lot", unit: 1 },
} as const satisfies Readonly<Record<AmountFacet, { readonly column: string; readonly unit: number }>>;
/** The columns that have makes and models in the form in which spellings are compared. */
export const FOLDED_COLUMNS: { readonly [Name in FacetName]?: string } = { make: "make_folded", model: "model_folded" };

/** True if a facet counts spellings that differ only in case and accents as one value. */
export const mergesSpellings = (name: FacetName): boolean => FACETS[name].kind === "spelled";
/** True if a facet's amounts are counted in ranges. */
export const isAmount = (name: FacetName): name is AmountFacet => name in AMOUNTS;
/** True if the ranges are always the same: those of days on the lot. */
export const hasFixedRanges = (name: FacetName): boolean => FACETS[name].kind === "days";

/** The widths of ranges, narrowest first: 100, 200, 500 and so on, up to a width that all amounts fit into. */
export const RANGE_WIDTHS = Array.from({ length: 7 }, (_, power) =>
  [1, 2, 5].map((digit) => digit * 10 ** (power + 2)),
).flat();
/** The maximum number of ranges. */
export const MAX_RANGES = 10;

/** A value of a facet with the number of vehicles that have it. Amounts also have the bounds of their range. */
export interface FacetRow {
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
  facet: FacetRow["facet"],
  value: RawBuilder<unknown>,
  { least, most, width }: Readonly<Record<"least" | "most" | "width", RawBuilder<unknown>>> = NO_BOUNDS,
) => sql`${sql.lit(facet)} AS facet, CAST(${value} AS TEXT) AS value, count(*) AS count,
  ${least} AS least, ${most} AS most, ${width} AS width`;
const NULL = sql`CAST(NULL AS BIGINT)`;
const NO_BOUNDS = { least: NULL, most: NULL, width: NULL };

/**
 * The maximum number of rows. More would block the event loop, as each vehicle may have a different value. One row is
 * for vehicles without a value.
 */
const MAX_ROWS = MAX_VALUES + 1;

/** The rows of the most frequent values. The row for vehicles without a value comes first. */
const mostFrequent = (name: FacetName, counted: RawBuilder<unknown>): RawBuilder<unknown> => {
  const { least, most, width } = NO_BOUNDS;
  return sql`SELECT * FROM (
    SELECT ${sql.lit(name)} AS facet, CAST(value AS TEXT) AS value, CAST(number AS BIGINT) AS count,
      ${least} AS least, ${most} AS most, ${width} AS width
    FROM (${counted}) AS counted ORDER BY value IS NOT NULL, number DESC, value LIMIT ${sql.lit(MAX_ROWS)}) AS ${sql.table(name)}`;
};

/** Each stored value with its number of vehicles. */
const numbers = (name: FacetName): RawBuilder<unknown> => {
  const column = sql.ref(columnOf(name));
  return sql`SELECT ${column} AS value, count(*) AS number FROM found GROUP BY ${column}`;
};

/**
 * Each value with its folded form. The folded form may not be stored yet if an instance of an earlier version wrote the
 * value.
 */
const foldedNumbers = (name: FacetName): RawBuilder<unknown> => {
  const folded = FOLDED_COLUMNS[name];
  return folded !== undefined
    ? sql`SELECT ${sql.ref(name)} AS value, MIN(${sql.ref(folded)}) AS folded, count(*) AS number
        FROM found GROUP BY ${sql.ref(name)}`
    : sql`SELECT numbers.value, COALESCE(folded, lower(numbers.value)) AS folded, number FROM (${numbers(name)}) AS numbers
        LEFT JOIN vehicle_spellings ON field = ${sql.lit(columnOf(name))} AND vehicle_spellings.value = numbers.value`;
};

/** Each value in its most frequent spelling, with the number of vehicles of all its spellings. */
const spelled = (name: FacetName): RawBuilder<unknown> =>
  sql`SELECT value, total AS number FROM (
      SELECT value, SUM(number) OVER (PARTITION BY folded) AS total,
        ROW_NUMBER() OVER (PARTITION BY folded ORDER BY number DESC, value) AS place
      FROM (${foldedNumbers(name)}) AS spellings) AS placed WHERE place = 1`;

const values = (name: FacetName): RawBuilder<unknown> =>
  mostFrequent(name, mergesSpellings(name) ? spelled(name) : numbers(name));

const widthOf = (name: AmountFacet) => sql.table(`${name}_width`);

/**
 * The width of ranges that include all amounts. It is a CTE of its own because it would otherwise be computed for each
 * vehicle.
 */
const width = (name: AmountFacet): RawBuilder<unknown> => {
  const { column, unit } = AMOUNTS[name];
  const widths = sql.join(
    RANGE_WIDTHS.map((one) => sql`SELECT ${sql.lit(one * unit)} AS width`),
    sql` UNION ALL `,
  );
  return sql`${widthOf(name)} AS MATERIALIZED (
    SELECT (SELECT min(width) FROM (${widths}) AS widths
      WHERE most / width - least / width < ${sql.lit(MAX_RANGES)}) AS width
    FROM (SELECT min(${sql.ref(column)}) AS least, max(${sql.ref(column)}) AS most FROM found) AS extremes)`;
};

/** Each range of days with its number from 0, as those of amounts. */
const rangesOfDays = (name: AmountFacet): RawBuilder<unknown> => {
  const days = sql.ref(AMOUNTS[name].column);
  const later = FIRST_DAYS.slice(1).map((first) => sql`CASE WHEN ${days} >= ${sql.lit(first)} THEN 1 ELSE 0 END`);
  const bounds = { least: sql`min(${days})`, most: sql`max(${days})`, width: NULL };
  return sql`SELECT ${rowOf(name, sql`(${sql.join(later, sql` + `)})`, bounds)} FROM found GROUP BY 2`;
};

/** Each range of amounts with its number from 0, its number of vehicles, and its lowest and highest amount. */
const ranges = (name: AmountFacet): RawBuilder<unknown> => {
  const amount = sql.ref(AMOUNTS[name].column);
  const rangeWidth = sql`(SELECT width FROM ${widthOf(name)})`;
  const bounds = { least: sql`min(${amount})`, most: sql`max(${amount})`, width: rangeWidth };
  // The rows are grouped by the position of the column: databases do not recognize that two expressions with a subquery
  // are equal.
  return sql`SELECT ${rowOf(name, sql`${amount} / ${rangeWidth}`, bounds)} FROM found WHERE ${amount} IS NOT NULL GROUP BY 2`;
};

/** Facets that are counted over the same vehicles: those that match every filter except the facet's own. */
export interface FacetGroup {
  readonly facets: readonly FacetName[];
  /** Selects the vehicles, with the columns of the facets. */
  readonly found: RawBuilder<unknown>;
  /** True if the vehicles are those that match all filters. Their number is the total. */
  readonly isTotal: boolean;
}

/** Counts all facets of a group in one pass over its vehicles. */
export const groupQuery = ({ facets, found, isTotal }: FacetGroup): RawBuilder<FacetRow> => {
  const part = (name: FacetName): RawBuilder<unknown> => {
    if (!isAmount(name)) return values(name);
    return hasFixedRanges(name) ? rangesOfDays(name) : ranges(name);
  };
  const parts = facets.map(part);
  const total = isTotal ? [sql`SELECT ${rowOf("total", sql`NULL`)} FROM found`] : [];
  const given = [
    sql`found AS MATERIALIZED (${found})`,
    ...facets
      .filter(isAmount)
      .filter((name) => !hasFixedRanges(name))
      .map(width),
  ];
  return sql<FacetRow>`WITH ${sql.join(given)} ${sql.join([...total, ...parts], sql` UNION ALL `)}`;
};

/**
 * Counts the facets of all groups in one statement. If the groups share a search, `searched` selects the ids of the
 * vehicles that have its words, so that the words are read only once.
 */
export const facetStatement = (
  groups: readonly Statement<FacetRow>[],
  searched: Statement<unknown> | null,
): Statement<FacetRow> =>
  combinedStatement(searched === null ? groups : [searched, ...groups], (texts) => {
    const given = searched === null ? "" : `WITH ${SEARCHED} AS MATERIALIZED (${texts[0]}) `;
    const counted = texts.slice(searched === null ? 0 : 1);
    return `${given}${counted.map((text, place) => `SELECT * FROM (${text}) AS group_${place}`).join(" UNION ALL ")}`;
  });
