import { type RawBuilder, sql } from "kysely";
import type { DealerScope } from "../../../core/access/decide.ts";
import {
  type AmountFacet,
  type Amounts,
  FACETS,
  type FacetName,
  FIRST_DAYS,
  mergedSpellings,
  type RangeCount,
  type ValueCount,
} from "../../../core/facets/facet.ts";
import type { FacetRepository, FacetValues } from "../../../core/facets/facet-repository.ts";
import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { type ReadCost, readCosts } from "../query/reader-by-cost.ts";
import { param, type SqlValue, type Statement, shapeCache, sqlStatement } from "../query/statement.ts";
import { daysOnLot } from "../vehicles/days-on-lot.ts";
import {
  type FilterPlan,
  filterPlanOf,
  type LocatedFilter,
  preparedFilters,
  searchOf,
  whereOf,
} from "../vehicles/filter-plan.ts";
import {
  AMOUNTS,
  columnOf,
  type FacetRow,
  FOLDED_COLUMNS,
  facetStatement,
  groupQuery,
  hasFixedRanges,
  isAmount,
  MAX_RANGES,
  mergesSpellings,
  RANGE_WIDTHS,
} from "./query.ts";

/** The time that counting takes for each vehicle, in µs. */
const MICROSECONDS_PER_VEHICLE = 2;
/** The same on PostgreSQL if this process counts, and if each vehicle has another make and model. */
const MICROSECONDS_IN_PROCESS = 25;
/** The time that finding a group's vehicles takes for each vehicle in reach, if its index has been read, in µs. */
const MICROSECONDS_PER_VISITED = 0.3;
/** After so much counting in this process, in µs, other requests run before the next group. */
const TURN_MICROSECONDS = 1000;
/**
 * Finding the vehicles of a search once for all groups is worth it if reading their words for each would take longer, in
 * µs. The list of ids that the groups then share costs as much.
 */
const MICROSECONDS_OF_SHARED_SEARCH = 200;
/**
 * The maximum number of rows whose spellings are merged in this process. Merging more would block the event loop, so
 * the database does it.
 */
const MAX_ROWS_IN_PROCESS = 1000;

const amountsOf = (name: AmountFacet, rows: readonly FacetRow[]): Amounts => {
  const [{ width } = { width: null }] = rows;
  const least = Math.min(...rows.map((row) => row.least ?? 0));
  const most = Math.max(...rows.map((row) => row.most ?? 0));
  const { unit } = AMOUNTS[name];
  const counts = new Map(rows.map(({ value, count }) => [Number(value), count]));
  if (rows.length > 0 && hasFixedRanges(name)) {
    const days = FIRST_DAYS.map(
      (from, number): RangeCount => ({ from, to: FIRST_DAYS[number + 1] ?? null, count: counts.get(number) ?? 0 }),
    );
    return { min: least, max: most, ranges: days };
  }
  if (width === null) return { min: null, max: null, ranges: [] };
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
  return mergesSpellings(name) ? mergedSpellings(name, counts) : counts;
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
  const counts = new Map<number, number>();
  const addTo = (number: number): unknown => counts.set(number, (counts.get(number) ?? 0) + 1);
  const rowsOf = (width: number | null): readonly FacetRow[] =>
    [...counts].map(([number, count]) => ({ facet: name, value: String(number), count, least, most, width }));
  if (hasFixedRanges(name)) {
    for (const amount of amounts) addTo(FIRST_DAYS.findLastIndex((first) => amount >= first));
    return rowsOf(null);
  }
  const width = RANGE_WIDTHS.map((one) => one * unit).find(
    (one) => Math.floor(most / one) - Math.floor(least / one) < MAX_RANGES,
  );
  if (width === undefined) throw new Error(`${name} has amounts beyond all ranges`);
  for (const amount of amounts) addTo(Math.floor(amount / width));
  return rowsOf(width);
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

/** Counts in this process what `facetStatement` counts. For few vehicles it takes a third of the time. */
const countInProcess = (facets: readonly FacetName[], vehicles: readonly Vehicle[]): readonly FacetRow[] => [
  { facet: "total", value: null, count: vehicles.length, ...NO_BOUNDS },
  ...facets.flatMap((name) => (isAmount(name) ? countRanges(name, vehicles) : countValues(name, vehicles))),
];

/** The parameter with the moment up to which days on the lot are counted, as the filters of days have it. */
const AS_OF = "as_of";
const momentOf = ({ as_of }: LocatedFilter): Readonly<Record<string, SqlValue>> =>
  as_of === undefined ? {} : { [AS_OF]: as_of };

/** The filter without a facet's own filters. */
const withoutOwnFilters = (filter: LocatedFilter, facet: FacetName): LocatedFilter => {
  const rest: { -readonly [Name in keyof LocatedFilter]: LocatedFilter[Name] } = { ...filter };
  for (const own of FACETS[facet].own) delete rest[own];
  return rest;
};

/** The filter with the vehicles that have the words of its search, if it has one. */
const withSearched = (filter: LocatedFilter, searched: LocatedFilter["searched"]): LocatedFilter =>
  filter.q === undefined || searched === undefined ? filter : { ...filter, searched };

/** The facets that are counted over the same vehicles, with the filter that these vehicles match. */
interface Group {
  readonly facets: readonly FacetName[];
  readonly filter: LocatedFilter;
  readonly isTotal: boolean;
}

/** The groups of facets. The first one is that of all facets without filters of their own. */
const groupsOf = (filter: LocatedFilter, facets: readonly FacetName[]): readonly Group[] => {
  const isOwn = (name: FacetName): boolean => FACETS[name].own.some((own) => filter[own] !== undefined);
  return [
    { facets: facets.filter((name) => !isOwn(name)), filter, isTotal: true },
    ...facets
      .filter(isOwn)
      .map((name) => ({ facets: [name], filter: withoutOwnFilters(filter, name), isTotal: false })),
  ];
};

/** A request with its groups. */
interface Count {
  readonly scope: DealerScope;
  readonly filter: LocatedFilter;
  readonly groups: readonly Group[];
}

/** Counts of vehicles in SQL; see the port for what it guarantees. */
export const makeFacetRepository = (db: SqlDatabase): FacetRepository => {
  const statements = shapeCache<Statement<FacetRow>>();
  const parts = shapeCache<Statement<FacetRow>>();
  const readings = shapeCache<Statement<Vehicle>>();
  const searches = shapeCache<Statement<{ id: number }>>();
  const costOf = readCosts(db);
  const prepared = preparedFilters(db);

  const foundBy = (
    plan: FilterPlan,
    facets: readonly FacetName[],
    more: readonly string[] = [],
  ): RawBuilder<Vehicle> => {
    const stored = facets.filter((name) => !hasFixedRanges(name)).map(columnOf);
    const columns: RawBuilder<unknown>[] = [...new Set(["id", ...stored, ...more])].map((name) => sql.ref(name));
    if (facets.some(hasFixedRanges)) columns.push(sql`${daysOnLot(db.engine, param(AS_OF))} AS days_on_lot`);
    return sql`SELECT ${sql.join(columns)} FROM vehicles ${whereOf(plan)}`;
  };

  /** Vehicles that were found within a dealer are not all those of a group that covers more dealers. */
  const sharesSearch = (group: Group, { filter }: Count): boolean => group.filter.dealer_id === filter.dealer_id;

  /** The statement of this shape. A new one is compiled in a turn of its own, as it takes some milliseconds at first. */
  const compiled = async (shape: string, query: () => RawBuilder<FacetRow>): Promise<Statement<FacetRow>> => {
    let isNew = false;
    const made = parts(shape, () => {
      isNew = true;
      return sqlStatement(db, query());
    });
    if (isNew && made.text !== "") await db.nextTurn();
    return made;
  };

  /** Counts all groups in one statement, which reads the words of vehicles once. */
  const countInDatabase = async (on: Sql, count: Count): Promise<readonly FacetRow[]> => {
    const search = searchOf(db, count.scope, count.filter);
    const searched =
      search === null ? null : searches(search.form, () => sqlStatement<{ id: number }>(db, search.ids()));
    const counting: Statement<FacetRow>[] = [];
    const values: Record<string, SqlValue> = { ...search?.values, ...momentOf(count.filter) };
    const shapes: string[] = [];
    for (const group of count.groups) {
      const { facets, isTotal } = group;
      const filter = sharesSearch(group, count) ? withSearched(group.filter, "table") : group.filter;
      const plan = filterPlanOf(db, count.scope, filter);
      const folded = facets.flatMap((name) => FOLDED_COLUMNS[name] ?? []);
      const shape = `${plan.name}${facets}${isTotal}`;
      const query = () => groupQuery({ facets, isTotal, found: foundBy(plan, facets, folded) });
      counting.push(await compiled(shape, query));
      shapes.push(shape);
      Object.assign(values, plan.values);
    }
    const whole = statements(`${search?.form} ${shapes.join(";")}`, () => facetStatement(counting, searched));
    return on.all(whole, values);
  };

  /** The vehicles that have the words, if the groups would read many words without them. */
  const searchedIds = (count: Count, { wordsMicroseconds }: ReadCost): MaybePromise<readonly number[] | undefined> => {
    const isWorthIt = wordsMicroseconds * (count.groups.length - 1) > MICROSECONDS_OF_SHARED_SEARCH;
    const search = isWorthIt ? searchOf(db, count.scope, count.filter) : null;
    if (search === null) return undefined;
    const finding = searches(search.form, () => sqlStatement(db, search.ids()));
    return andThen(db.all(finding, search.values), (rows) => rows.map(({ id }) => id));
  };

  /**
   * Reads the few vehicles of each group and counts them in this process. Other requests run in between once the vehicles
   * that were visited and counted have taken long. `null` if there are too many spellings to merge here.
   */
  const countHere = async (count: Count, cost: ReadCost): Promise<readonly FacetRow[] | null> => {
    const ids = await searchedIds(count, cost);
    const rows: FacetRow[] = [];
    let spent = ids === undefined ? 0 : cost.wordsMicroseconds;
    for (const group of count.groups) {
      if (spent >= TURN_MICROSECONDS) {
        await db.nextTurn();
        spent = 0;
      }
      const { facets } = group;
      const isFound = ids !== undefined && sharesSearch(group, count);
      const plan = filterPlanOf(db, count.scope, isFound ? withSearched(group.filter, ids) : group.filter);
      const reading = readings(`${plan.name}${facets}`, () => sqlStatement(db, foundBy(plan, facets)));
      const vehicles = await db.all(reading, { ...plan.values, ...momentOf(count.filter) });
      spent += cost.vehicles * MICROSECONDS_PER_VISITED + vehicles.length * MICROSECONDS_PER_VEHICLE;
      if (!isFound) spent += cost.wordsMicroseconds;
      const counted = countInProcess(facets, vehicles);
      rows.push(...(group.isTotal ? counted : counted.filter(({ facet }) => facet !== "total")));
      if (rows.length > MAX_ROWS_IN_PROCESS) return null;
    }
    return rows;
  };

  /**
   * Chooses once for the whole request where it is counted. If one read of the vehicles, or one of their words, is
   * short, there may be one for each group.
   */
  const counted = async (count: Count): Promise<readonly FacetRow[]> => {
    const dealers = count.groups.map(({ filter }) => count.scope ?? filter.dealer_id ?? null);
    const dealer = dealers.includes(null) ? null : (dealers[0] ?? null);
    const texts = searchOf(db, count.scope, count.filter)?.searchedTexts ?? 0;
    const cost = await costOf(dealer, MICROSECONDS_PER_VEHICLE, texts);
    const { reader } = cost;
    const isHere =
      reader !== db.longReads &&
      (db.engine === "sqlite" || (await costOf(dealer, MICROSECONDS_IN_PROCESS)).reader !== db.longReads);
    if (!isHere) return countInDatabase(reader, count);
    return (await countHere(count, cost)) ?? countInDatabase(db.longReads, count);
  };

  return {
    async count({ scope, filter: asked, facets }) {
      const filter = await prepared(scope, asked);
      const rows = await counted({ scope, filter, groups: groupsOf(filter, facets) });
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
