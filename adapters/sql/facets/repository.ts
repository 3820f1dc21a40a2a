import { type RawBuilder, sql } from "kysely";
import type { DealerScope } from "../../../core/access/decide.ts";
import {
  type AmountFacet,
  type Amounts,
  FACETS,
  type FacetName,
  type RangeCount,
  type ValueCount,
} from "../../../core/facets/facet.ts";
import type { Counted, FacetRepository } from "../../../core/facets/facet-repository.ts";
import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import type { SqlDatabase } from "../query/database.ts";
import { type Statement, shapeCache, sqlStatement } from "../query/statement.ts";
import { whereToRead } from "../query/where-to-read.ts";
import { filterPlanOf, type LocatedFilter, locatedFilters, whereOf } from "../vehicles/filter-plan.ts";

/** What the facets take for each vehicle in reach, in µs, where it is read and counted here. */
const COST = 2;

/** Price and mileage, and what one of them is in its column. */
const AMOUNTS = {
  price: { column: "price_cents", unit: 100 },
  mileage: { column: "mileage", unit: 1 },
} as const satisfies Readonly<Record<AmountFacet, { readonly column: string; readonly unit: number }>>;
const isAmount = (name: FacetName): name is AmountFacet => name in AMOUNTS;

/** The widths of ranges, narrowest first: 100, 200, 500 and so on to one that all amounts fit into. */
const WIDTHS = Array.from({ length: 7 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** (power + 2))).flat();
const MOST_RANGES = 10;

/** A value of a facet and how many vehicles have it; of the amounts also their bounds. */
interface Row {
  readonly facet: FacetName | "total";
  readonly value: string | null;
  readonly count: number;
  readonly least: number | null;
  readonly most: number | null;
  readonly width: number | null;
}

const columnOf = (name: FacetName): string => (isAmount(name) ? AMOUNTS[name].column : FACETS[name].field);

const rowOf = (
  facet: Row["facet"],
  value: RawBuilder<unknown>,
  { least, most, width }: Readonly<Record<"least" | "most" | "width", RawBuilder<unknown>>> = NO_BOUNDS,
) => sql`${sql.lit(facet)} AS facet, CAST(${value} AS TEXT) AS value, count(*) AS count,
  ${least} AS least, ${most} AS most, ${width} AS width`;
const NULL = sql`CAST(NULL AS BIGINT)`;
const NO_BOUNDS = { least: NULL, most: NULL, width: NULL };

/** Each value, as it is stored, with its number of vehicles. */
const values = (name: FacetName): RawBuilder<unknown> => {
  const column = sql.ref(columnOf(name));
  return sql`SELECT ${rowOf(name, column)} FROM found GROUP BY ${column}`;
};

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
const query = (facets: readonly FacetName[], found: RawBuilder<unknown>): RawBuilder<Row> => {
  const parts = facets.map((name) => (isAmount(name) ? ranges(name) : values(name)));
  const all = [sql`SELECT ${rowOf("total", sql`NULL`)} FROM found`, ...parts];
  const given = [sql`found AS MATERIALIZED (${found})`, ...facets.filter(isAmount).map(width)];
  return sql<Row>`WITH ${sql.join(given)} ${sql.join(all, sql` UNION ALL `)}`;
};

const amountsOf = (name: AmountFacet, rows: readonly Row[]): Amounts => {
  const [{ width } = { width: null }] = rows;
  if (width === null) return { min: null, max: null, ranges: [] };
  const least = Math.min(...rows.map((row) => row.least ?? 0));
  const most = Math.max(...rows.map((row) => row.most ?? 0));
  const { unit } = AMOUNTS[name];
  const counts = new Map(rows.map(({ value, count }) => [Number(value), count]));
  const [first, last] = [Math.floor(least / width), Math.floor(most / width)];
  const all = Array.from({ length: last - first + 1 }, (_, place): RangeCount => {
    const number = first + place;
    return {
      from: (number * width) / unit,
      to: number === last ? null : ((number + 1) * width) / unit,
      count: counts.get(number) ?? 0,
    };
  });
  return { min: least / unit, max: most / unit, ranges: all };
};

const valuesOf = (name: FacetName, rows: readonly Row[]): readonly ValueCount[] => {
  const isNumber = FACETS[name].kind === "number";
  return rows.map(({ value, count }) => ({ value: isNumber && value !== null ? Number(value) : value, count }));
};

type Vehicle = Readonly<Record<string, string | number | null>>;

/** Ranges of amounts as the statement counts them. */
const rangesHere = (name: AmountFacet, vehicles: readonly Vehicle[]): readonly Row[] => {
  const { column, unit } = AMOUNTS[name];
  const amounts = vehicles.flatMap((vehicle) => vehicle[column] ?? []).map(Number);
  const [least, most] = [
    amounts.reduce((a, b) => Math.min(a, b), Infinity),
    amounts.reduce((a, b) => Math.max(a, b), 0),
  ];
  const width = WIDTHS.map((one) => one * unit).find(
    (one) => Math.floor(most / one) - Math.floor(least / one) < MOST_RANGES,
  );
  if (width === undefined) throw new Error(`${name} has amounts beyond all ranges`);
  const counts = new Map<number, number>();
  for (const amount of amounts) {
    const number = Math.floor(amount / width);
    counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  return [...counts].map(([number, count]) => ({ facet: name, value: String(number), count, least, most, width }));
};

const valuesHere = (name: FacetName, vehicles: readonly Vehicle[]): readonly Row[] => {
  const column = columnOf(name);
  const counts = new Map<string | number | null, number>();
  for (const vehicle of vehicles) {
    const value = vehicle[column] ?? null;
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].map(([value, count]) => ({
    facet: name,
    value: value === null ? null : String(value),
    count,
    ...UNBOUND,
  }));
};
const UNBOUND = { least: null, most: null, width: null };

/** The rows of `query`, counted here: for few vehicles that takes a third of what a sort of each facet takes. */
const countedHere = (facets: readonly FacetName[], vehicles: readonly Vehicle[]): readonly Row[] => [
  { facet: "total", value: null, count: vehicles.length, ...UNBOUND },
  ...facets.flatMap((name) => (isAmount(name) ? rangesHere(name, vehicles) : valuesHere(name, vehicles))),
];

/** The filter as if a facet's own filters were not set. */
const without = (filter: LocatedFilter, facet: FacetName): LocatedFilter => {
  const rest: { -readonly [Name in keyof LocatedFilter]: LocatedFilter[Name] } = { ...filter };
  for (const own of FACETS[facet].own) delete rest[own];
  return rest;
};

/** Counts of vehicles in SQL; see the port for what it guarantees. */
export const makeFacetRepository = (db: SqlDatabase): FacetRepository => {
  const statements = shapeCache<Statement<Row>>();
  const readings = shapeCache<Statement<Vehicle>>();
  const whereRead = whereToRead(db);
  const located = locatedFilters(db);

  /** Counts the vehicles of a filter by some facets, each counted under all of the filter. */
  const counted = (
    scope: DealerScope,
    filter: LocatedFilter,
    facets: readonly FacetName[],
  ): MaybePromise<readonly Row[]> => {
    const plan = filterPlanOf(db, scope, filter);
    const shape = `${plan.name}${facets}`;
    const found = (): RawBuilder<Vehicle> => {
      const columns = [...new Set(["id", ...facets.map(columnOf)])].map((name) => sql.ref(name));
      return sql`SELECT ${sql.join(columns)} FROM vehicles ${whereOf(plan)}`;
    };
    return andThen(whereRead(scope ?? filter.dealer_id ?? null, COST), (on): MaybePromise<readonly Row[]> => {
      if (on === db.aside)
        return on.all(
          statements(shape, () => sqlStatement(db, query(facets, found()))),
          plan.values,
        );
      const reading = readings(shape, () => sqlStatement(db, found()));
      return andThen(on.all(reading, plan.values), (vehicles) => countedHere(facets, vehicles));
    });
  };

  return {
    async count({ scope, filter: asked, facets }) {
      const filter = await located(scope, asked);
      const isOwn = (name: FacetName): boolean => FACETS[name].own.some((own) => filter[own] !== undefined);
      const rows = [
        ...(await counted(
          scope,
          filter,
          facets.filter((name) => !isOwn(name)),
        )),
      ];
      for (const name of facets.filter(isOwn))
        rows.push(...(await counted(scope, without(filter, name), [name])).filter(({ facet }) => facet !== "total"));
      const of = Map.groupBy(rows, ({ facet }) => facet);
      const result: { values: Record<string, readonly ValueCount[]>; amounts: Record<string, Amounts> } = {
        values: {},
        amounts: {},
      };
      for (const name of facets) {
        const own = of.get(name) ?? [];
        if (isAmount(name)) result.amounts[name] = amountsOf(name, own);
        else result.values[name] = valuesOf(name, own);
      }
      return { total: of.get("total")?.[0]?.count ?? 0, ...result } satisfies Counted;
    },
  };
};
