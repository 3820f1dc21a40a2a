import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { DealerScope } from "../../../core/access/decide.ts";
import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import type { FilterQuery, VehicleFilter } from "../../../core/vehicles/vehicle-filter.ts";
import { dealersNear, type NearDealer } from "../dealers/near.ts";
import type { SqlDatabase } from "../query/database.ts";
import { idsValue, isInIds } from "../query/slices.ts";
import { type Condition, condition, type SqlValue, type Values } from "../query/statement.ts";
import type { Tables } from "../query/tables.ts";
import { manySpellings } from "../search/many-spellings.ts";
import { SEARCHED_TEXT, type WordsSearch, wordsSearch } from "../search/vehicle-condition.ts";
import {
  type Column,
  FILTER_NAMES,
  type FilterContext,
  type FilterName,
  type FilterValue,
  filterCondition,
  nearCondition,
} from "./filter-conditions.ts";

const indexed = (name: Column): RawBuilder<unknown> => sql.ref(name);
/**
 * A column for which SQLite uses no index. Without statistics, its planner considers all indexes equally good: to find
 * one dealer's vehicles of a year, it would read the vehicles of every dealer of that year.
 */
const unindexed = (name: Column): RawBuilder<unknown> => sql`+${sql.ref(name)}`;

const isSingle = (wanted: readonly unknown[] | undefined): boolean => wanted?.length === 1;

/**
 * True if SQLite may use an index for this filter. If a VIN or stock number is given, only the index for that may be
 * used, as few vehicles match. Otherwise, vehicles of one dealer are found by the columns with which an index of a
 * dealer's vehicles begins: the status, the make, or the make and model. With `isOpen`, if there is no such dealer, any
 * index may be used. With `isByAge`, a make without a model does not use an index: the only index that has makes in the
 * order of age is that of all dealers, so the dealer's vehicles are read in that order instead, and their makes are
 * checked.
 */
const mayUseIndex = (
  key: FilterName,
  { vin, stock_number, status, make, model }: VehicleFilter,
  { isOpen, isByAge }: { readonly isOpen: boolean; readonly isByAge: boolean },
): boolean => {
  if (key === "dealer_id" || key === "vin") return true;
  if (vin !== undefined) return false;
  if (stock_number !== undefined) return key === "stock_number";
  if (isOpen) return true;
  if (key === "status") return isSingle(status);
  if (key === "make") return isSingle(make) && (!isByAge || isSingle(model));
  return key === "model" && isSingle(make) && isSingle(model);
};

/** The WHERE of a filter within a scope. */
export interface FilterPlan {
  /** The forms of its conditions. */
  readonly forms: readonly string[];
  /** Plans of the same name have the same SQL text. */
  readonly name: string;
  readonly where: readonly Condition["where"][];
  readonly values: Values;
  /** The number of texts that it looks for in the stored words of each vehicle. */
  readonly searchedTexts: number;
}

/** A filter with the dealers within its distance, if it has one. */
export interface LocatedFilter extends VehicleFilter {
  readonly dealers?: readonly NearDealer[];
  /** The filters by spelling that have many stored spellings; see `manySpellings`. */
  readonly manySpellings?: ReadonlySet<string>;
  /**
   * The vehicles that have the words of `q`, if they are known already: their ids, or a table of the statement with a
   * column `id`. The filter must still be restricted to the dealer for which they were found.
   */
  readonly searched?: readonly number[] | "table";
}

/** The table of the vehicles that have the words of a search, within a statement that uses it several times. */
export const SEARCHED = "searched";
export const SEARCHED_TABLE = sql.table(SEARCHED);

/** Finds the dealers for filters by distance. */
export const locatedFilters = (
  db: SqlDatabase,
): ((scope: DealerScope, filter: VehicleFilter) => MaybePromise<LocatedFilter>) => {
  const near = dealersNear(db);
  return (scope, filter) =>
    filter.around === undefined ? filter : andThen(near(scope, filter.around), (dealers) => ({ ...filter, dealers }));
};

/** The same, and finds out which filters by spelling have many spellings. It is for reads of many vehicles at once. */
export const preparedFilters = (
  db: SqlDatabase,
): ((scope: DealerScope, filter: VehicleFilter) => MaybePromise<LocatedFilter>) => {
  const located = locatedFilters(db);
  const many = manySpellings(db);
  return (scope, filter) =>
    andThen(located(scope, filter), (near) =>
      andThen(many(filter), (found) => (found.size === 0 ? near : { ...near, manySpellings: found })),
    );
};

interface PlanOptions {
  readonly scope: DealerScope;
  readonly filter: LocatedFilter;
  readonly isPerRow?: boolean;
  /** True if the vehicles are read in the order of their age. */
  readonly isByAge?: boolean;
}

/** The WHERE of a filter within a scope. The scope always applies, whatever the filter says. */
export const filterPlanOf = (db: SqlDatabase, scope: DealerScope, filter: LocatedFilter): FilterPlan =>
  planOf(db, { scope, filter });

/** The same WHERE for vehicles that are read in the order of their age. */
export const planByAge = (db: SqlDatabase, scope: DealerScope, filter: LocatedFilter): FilterPlan =>
  planOf(db, { scope, filter, isByAge: true });

/**
 * The same WHERE as a condition that is checked for one vehicle at a time, after the vehicles were found in another
 * way. It uses no index. Its cost is the same for each vehicle, however many there are.
 */
export const rowPlanOf = (db: SqlDatabase, scope: DealerScope, filter: LocatedFilter): FilterPlan =>
  planOf(db, { scope, filter, isPerRow: true });

const planOf = (db: SqlDatabase, { scope, filter, isPerRow = false, isByAge = false }: PlanOptions): FilterPlan => {
  const forms: string[] = [];
  let name = "";
  const where: Condition["where"][] = [];
  const values: Record<string, SqlValue> = {};
  const add = (added: Condition, isHidden = false): void => {
    forms.push(added.form);
    name += isHidden ? `+${added.form} ` : `${added.form} `;
    where.push(added.where);
    Object.assign(values, added.values);
  };
  if (scope !== null) add(condition("scope", { scope }, (param) => sql`"dealer_id" = ${param("scope")}`));
  const dealer = scope !== null ? "scope" : filter.dealer_id !== undefined ? "dealer_id" : null;
  const plansWell = isPerRow || db.engine !== "sqlite";
  const { manySpellings: many = NONE, searched } = filter;
  const addFilter = <Key extends FilterName>(key: Key): void => {
    const wanted: FilterQuery[Key] = filter[key];
    // Repeating the scope's dealer as a filter would keep the planner from using the index.
    if (wanted === undefined || (key === "dealer_id" && wanted === scope)) return;
    if (key === "q" && searched !== undefined) {
      add(searchedCondition(db, searched));
      return;
    }
    const isIndexable = plansWell || mayUseIndex(key, filter, { isOpen: dealer === null, isByAge });
    const column = isIndexable ? indexed : unindexed;
    const context: FilterContext = {
      db,
      column,
      isIndexable,
      asOf: filter.as_of,
      dealer,
      isPerRow,
      manySpellings: many,
    };
    add(filterCondition(key, wanted as FilterValue<Key>, context), !isIndexable);
  };
  for (const key of FILTER_NAMES) addFilter(key);
  const isHidden = !plansWell && (dealer !== null || isSelective({ values }));
  if (filter.dealers !== undefined)
    add(nearCondition(filter.dealers, { db, column: isHidden ? unindexed : indexed }), isHidden);
  else if (filter.around !== undefined) throw new Error("a filter by distance without its dealers: use locatedFilters");
  const searchedTexts = Object.keys(values).filter((key) => key.startsWith(SEARCHED_TEXT)).length;
  return { forms, name, where, values, searchedTexts };
};

const NONE: ReadonlySet<string> = new Set();

/** The condition that a vehicle is one of those that have the words of a search. */
const searchedCondition = (db: SqlDatabase, searched: NonNullable<LocatedFilter["searched"]>): Condition =>
  searched === "table"
    ? condition("searched", {}, () => sql`"id" IN (SELECT id FROM ${SEARCHED_TABLE})`)
    : condition("searched-ids", { ids: idsValue(searched) }, () => isInIds(db));

/**
 * The search of a filter alone, within its dealer if it has one; `null` if it has no search. The parameter `scope` is its
 * dealer, also where only the filter names one.
 */
export const searchOf = (db: SqlDatabase, scope: DealerScope, { q, dealer_id }: VehicleFilter): WordsSearch | null => {
  if (q === undefined) return null;
  const dealer = scope ?? dealer_id ?? null;
  const search = wordsSearch(db, q, dealer === null ? null : "scope");
  return dealer === null
    ? search
    : { ...search, form: `scope ${search.form}`, values: { ...search.values, scope: dealer } };
};

/** All conditions of a plan as one condition. */
export const conditionOf = ({ where }: FilterPlan): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.join(
    where.map((condition) => condition()),
    sql` AND `,
  )}`;

/** Restricts a query to the vehicles of a plan. */
export const matchingPlan = <Row>(
  query: SelectQueryBuilder<Tables, "vehicles", Row>,
  { where }: FilterPlan,
): SelectQueryBuilder<Tables, "vehicles", Row> =>
  where.reduce((narrowed, condition) => narrowed.where(condition()), query);

/** The WHERE as SQL text; empty if there are no conditions. */
export const whereOf = (plan: FilterPlan): RawBuilder<unknown> =>
  plan.where.length === 0 ? sql`` : sql`WHERE ${conditionOf(plan)}`;

const STORED_COUNT_FORMS = new Set(["scope", "dealer_id", "status", "status-of"]);

/** True if a plan finds few vehicles with its index, so that no other index should be read in the order of the list. */
export const isSelective = ({ values }: Pick<FilterPlan, "values">): boolean =>
  "vin" in values || "stock_number" in values;

/** True if the number of a plan's vehicles follows from the stored counts of dealers. */
export const hasStoredCount = ({ forms }: FilterPlan): boolean => forms.every((form) => STORED_COUNT_FORMS.has(form));
