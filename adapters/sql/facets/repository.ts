import { type RawBuilder, sql } from "kysely";
import type { DealerScope } from "../../../core/access/decide.ts";
import {
  type AmountFacet,
  type Amounts,
  FACETS,
  type FacetName,
  mergedSpellings,
  type RangeCount,
  type ValueCount,
} from "../../../core/facets/facet.ts";
import type { FacetRepository, FacetValues } from "../../../core/facets/facet-repository.ts";
import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { readerByCost } from "../query/reader-by-cost.ts";
import { type Statement, shapeCache, sqlStatement } from "../query/statement.ts";
import { filterPlanOf, type LocatedFilter, locatedFilters, whereOf } from "../vehicles/filter-plan.ts";
import {
  AMOUNTS,
  columnOf,
  type FacetRow,
  FOLDED_COLUMNS,
  facetQuery,
  isAmount,
  MAX_RANGES,
  mergesSpellings,
  RANGE_WIDTHS,
} from "./query.ts";

/** The time that counting takes for each vehicle, in µs. */
const MICROSECONDS_PER_VEHICLE = 2;
/** The same on PostgreSQL if this process counts, and if each vehicle has another make and model. */
const MICROSECONDS_IN_PROCESS = 25;
/**
 * The maximum number of rows whose spellings are merged in this process. Merging more would block the event loop, so
 * the database does it.
 */
const MAX_ROWS_IN_PROCESS = 1000;

const amountsOf = (name: AmountFacet, rows: readonly FacetRow[]): Amounts => {
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

const valuesOf = (name: FacetName, rows: readonly FacetRow[]): readonly ValueCount[] => {
  const isNumber = FACETS[name].kind === "number";
  const counts = rows.map(({ value, count }) => ({ value: isNumber && value !== null ? Number(value) : value, count }));
  return mergesSpellings(name) ? mergedSpellings(counts) : counts;
};

type Vehicle = Readonly<Record<string, string | number | null>>;

/** Counts ranges of amounts in the same way as the SQL statement. */
const countRanges = (name: AmountFacet, vehicles: readonly Vehicle[]): readonly FacetRow[] => {
  const { column, unit } = AMOUNTS[name];
  const amounts = vehicles.flatMap((vehicle) => vehicle[column] ?? []).map(Number);
  const [least, most] = [
    amounts.reduce((a, b) => Math.min(a, b), Infinity),
    amounts.reduce((a, b) => Math.max(a, b), 0),
  ];
  const width = RANGE_WIDTHS.map((one) => one * unit).find(
    (one) => Math.floor(most / one) - Math.floor(least / one) < MAX_RANGES,
  );
  if (width === undefined) throw new Error(`${name} has amounts beyond all ranges`);
  const counts = new Map<number, number>();
  for (const amount of amounts) {
    const number = Math.floor(amount / width);
    counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  return [...counts].map(([number, count]) => ({ facet: name, value: String(number), count, least, most, width }));
};

const countValues = (name: FacetName, vehicles: readonly Vehicle[]): readonly FacetRow[] => {
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
    ...NO_BOUNDS,
  }));
};
const NO_BOUNDS = { least: null, most: null, width: null };

/** Counts in this process what `facetQuery` counts. For few vehicles it takes a third of the time. */
const countInProcess = (facets: readonly FacetName[], vehicles: readonly Vehicle[]): readonly FacetRow[] => [
  { facet: "total", value: null, count: vehicles.length, ...NO_BOUNDS },
  ...facets.flatMap((name) => (isAmount(name) ? countRanges(name, vehicles) : countValues(name, vehicles))),
];

/** The filter without a facet's own filters. */
const withoutOwnFilters = (filter: LocatedFilter, facet: FacetName): LocatedFilter => {
  const rest: { -readonly [Name in keyof LocatedFilter]: LocatedFilter[Name] } = { ...filter };
  for (const own of FACETS[facet].own) delete rest[own];
  return rest;
};

/** Counts of vehicles in SQL; see the port for what it guarantees. */
export const makeFacetRepository = (db: SqlDatabase): FacetRepository => {
  const statements = shapeCache<Statement<FacetRow>>();
  const readings = shapeCache<Statement<Vehicle>>();
  const readerByVehicles = readerByCost(db);
  const located = locatedFilters(db);

  /** Counts the vehicles that match the whole filter, by some facets. */
  const counted = (
    scope: DealerScope,
    filter: LocatedFilter,
    facets: readonly FacetName[],
  ): MaybePromise<readonly FacetRow[]> => {
    const plan = filterPlanOf(db, scope, filter);
    const shape = `${plan.name}${facets}`;
    const found = (more: readonly string[] = []): RawBuilder<Vehicle> => {
      const columns = [...new Set(["id", ...facets.map(columnOf), ...more])].map((name) => sql.ref(name));
      return sql`SELECT ${sql.join(columns)} FROM vehicles ${whereOf(plan)}`;
    };
    const countInDatabase = (on: Sql): MaybePromise<readonly FacetRow[]> =>
      on.all(
        statements(shape, () =>
          sqlStatement(db, facetQuery(facets, found(facets.flatMap((name) => FOLDED_COLUMNS[name] ?? [])))),
        ),
        plan.values,
      );
    const dealer = scope ?? filter.dealer_id ?? null;
    return andThen(readerByVehicles(dealer, MICROSECONDS_PER_VEHICLE), (on) =>
      andThen(
        db.engine === "sqlite" ? on : readerByVehicles(dealer, MICROSECONDS_IN_PROCESS),
        (reader): MaybePromise<readonly FacetRow[]> => {
          if (reader === db.longReads) return countInDatabase(on);
          const reading = readings(shape, () => sqlStatement(db, found()));
          return andThen(on.all(reading, plan.values), (vehicles) => {
            const rows = countInProcess(facets, vehicles);
            return rows.length > MAX_ROWS_IN_PROCESS ? countInDatabase(db.longReads) : rows;
          });
        },
      ),
    );
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
        rows.push(
          ...(await counted(scope, withoutOwnFilters(filter, name), [name])).filter(({ facet }) => facet !== "total"),
        );
      const of = Map.groupBy(rows, ({ facet }) => facet);
      const result: { values: Record<string, readonly ValueCount[]>; amounts: Record<string, Amounts> } = {
        values: {},
        amounts: {},
      };
      for (const name of facets) {
        const counts = of.get(name) ?? [];
        if (isAmount(name)) result.amounts[name] = amountsOf(name, counts);
        else result.values[name] = valuesOf(name, counts);
      }
      return { total: of.get("total")?.[0]?.count ?? 0, ...result } satisfies FacetValues;
    },
  };
};
