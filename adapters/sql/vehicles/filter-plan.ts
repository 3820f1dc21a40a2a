import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { DealerScope } from "../../../core/access/decide.ts";
import type { Timestamp } from "../../../core/clock.ts";
import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import { foldLetters } from "../../../core/search/words.ts";
import { lowerAscii } from "../../../core/text.ts";
import type { FilterQuery, VehicleFilter } from "../../../core/vehicles/vehicle-filter.ts";
import { dealersNear, type NearDealer } from "../dealers/near.ts";
import type { SqlDatabase, Values } from "../query/database.ts";
import { param, type SqlValue } from "../query/statement.ts";
import type { Tables } from "../query/tables.ts";
import { foldedSpelling, type SPELLING_FIELDS } from "../search/spellings.ts";
import { wordsCondition, wordsOfRow } from "../search/vehicle-condition.ts";
import { daysOnLot } from "./days-on-lot.ts";

/** The filters that together restrict the distance of dealers: one condition. */
type DistanceFilter = "near" | "radius" | "radius_unit";
type FilterName = Exclude<keyof FilterQuery, DistanceFilter>;
type FilterValue<Key extends FilterName> = NonNullable<FilterQuery[Key]>;
type Column = keyof Tables["vehicles"] & string;

type Vehicles = SelectQueryBuilder<Tables, "vehicles", object>;

/** One condition of a WHERE. Conditions of the same form have the same text, whatever their values. */
interface Condition {
  readonly form: string;
  readonly where: () => RawBuilder<SqlBool>;
  readonly values: Values;
}

/** Where a filter is used. */
interface FilterContext {
  readonly db: SqlDatabase;
  /** The column in SQL, written so that SQLite uses no index if none may serve the filter. */
  readonly column: (name: Column) => RawBuilder<unknown>;
  /** True if an index may serve the filter. */
  readonly isIndexable: boolean;
  /** The time up to which days on the lot are counted; always set with filters by days. */
  readonly asOf: Timestamp | undefined;
  /** The parameter with the dealer, if only one dealer's vehicles can match. */
  readonly dealer: "scope" | "dealer_id" | null;
  /** True if the condition must judge one row at a time, without reading others. */
  readonly isPerRow: boolean;
}

type ConditionMaker<Key extends FilterName> = (wanted: FilterValue<Key>, place: FilterContext) => Condition;

/** Compares a column with one value, which `bound` converts to its stored form. */
const comparison =
  <Key extends FilterName>(
    key: Key,
    {
      column,
      operator = "=",
      bound,
    }: {
      readonly column: Column;
      readonly operator?: "=" | ">=" | "<=";
      readonly bound: (wanted: FilterValue<Key>) => SqlValue;
    },
  ): ConditionMaker<Key> =>
  (wanted, place) => ({
    form: key,
    where: () => sql<SqlBool>`${place.column(column)} ${sql.raw(operator)} ${param(key)}`,
    values: { [key]: bound(wanted) },
  });

/** The distinct values of a filter, converted by `bound`: one, or a list as a parameter. */
const valueList = (
  key: FilterName,
  { db }: FilterContext,
  values: readonly string[],
): { readonly form: string; readonly isIn: () => RawBuilder<SqlBool>; readonly values: Values } => {
  const [only, ...others] = new Set(values);
  if (only !== undefined && others.length === 0)
    return { form: key, isIn: () => sql`= ${param(key)}`, values: { [key]: only } };
  const rows = () => db.jsonRows(param<string>(key), { listed: "text" });
  return {
    form: `${key}-of`,
    isIn: () => sql`IN (SELECT listed FROM ${rows()} AS ${sql.table(`${key}_listed`)})`,
    values: { [key]: JSON.stringify([...new Set(values)].map((value) => [value])) },
  };
};

/** Compares a column with any of the values, which `bound` converts to their stored form. */
const anyOf =
  <Key extends "status" | "stage" | "make" | "model">(
    key: Key,
    { column, bound }: { readonly column: Column; readonly bound: (wanted: string) => string },
  ): ConditionMaker<Key> =>
  (wanted, place) => {
    const { form, isIn, values } = valueList(key, place, wanted.map(bound));
    return { form, where: () => sql<SqlBool>`${place.column(column)} ${isIn()}`, values };
  };

/** Compares a column with every stored spelling of any of the values. */
const anySpelling =
  <Key extends (typeof SPELLING_FIELDS)[number]>(key: Key): ConditionMaker<Key> =>
  (wanted, place) => {
    const { form, isIn, values } = valueList(
      key,
      place,
      wanted.map((value) => foldedSpelling(key, value)),
    );
    const spellings = () => sql`SELECT value FROM vehicle_spellings WHERE field = ${sql.lit(key)} AND folded ${isIn()}`;
    return { form, where: () => sql<SqlBool>`${place.column(key)} IN (${spellings()})`, values };
  };

const LOWER_VIN = sql`lower("vin")`;
const LOWER_STOCK_NUMBER = sql`lower("stock_number")`;

const vin: ConditionMaker<"vin"> = (wanted) => ({
  form: "vin",
  where: () => sql<SqlBool>`${LOWER_VIN} = ${param("vin")}`,
  values: { vin: lowerAscii(wanted) },
});

/** Databases do not fold all letters, so stock numbers beyond ASCII are also found by their stored spellings. */
const stockNumber: ConditionMaker<"stock_number"> = (wanted) => ({
  form: "stock_number",
  where: () => sql<SqlBool>`${LOWER_STOCK_NUMBER} IN (SELECT ${param("stock_number")} UNION ALL
    SELECT lower(value) FROM vehicle_spellings WHERE field = 'stock_number' AND folded = ${param("stock_folded")})`,
  values: { stock_number: lowerAscii(wanted), stock_folded: foldedSpelling("stock_number", wanted) },
});

const HAS_IMAGES = sql<SqlBool>`EXISTS (SELECT 1 FROM vehicle_images WHERE vehicle_images.vehicle_id = vehicles.id)`;

const hasImages: ConditionMaker<"has_images"> = (wanted) => ({
  form: wanted ? "with-images" : "without-images",
  where: () => (wanted ? HAS_IMAGES : sql<SqlBool>`NOT ${HAS_IMAGES}`),
  values: {},
});

/** Compares the days on the lot with one value. */
const days =
  <Key extends "min_days_on_lot" | "max_days_on_lot">(key: Key, operator: ">=" | "<="): ConditionMaker<Key> =>
  (wanted, { db, asOf }) => {
    if (asOf === undefined) throw new Error(`${key} without the moment to which days are counted`);
    return {
      form: key,
      where: () => sql<SqlBool>`${daysOnLot(db.engine, param("as_of"))} ${sql.raw(operator)} ${param(key)}`,
      values: { [key]: wanted, as_of: asOf },
    };
  };

const unchanged = <Value extends SqlValue>(value: Value): Value => value;

/** Prices are compared in cents; no price is above this one. */
const MAX_CENTS = 100_000_000_01;
const cents = (amount: number): number => Math.min(amount * 100, MAX_CENTS);

const isFeatured = comparison("featured", { column: "featured", bound: (wanted) => (wanted ? 1 : 0) });
/** A literal, not a parameter: otherwise the planner cannot use the partial index of featured vehicles. */
const FEATURED_ONLY: Condition = {
  form: "featured-only",
  where: () => sql<SqlBool>`"featured" = ${sql.lit(1)}`,
  values: {},
};

/** The only definition of each filter in SQL, in the order of the WHERE. */
const CONDITIONS: { readonly [Key in FilterName]: ConditionMaker<Key> } = {
  dealer_id: comparison("dealer_id", { column: "dealer_id", bound: unchanged }),
  status: anyOf("status", { column: "status", bound: unchanged }),
  stage: anyOf("stage", { column: "stage", bound: unchanged }),
  featured: (wanted, place) => (wanted && place.isIndexable ? FEATURED_ONLY : isFeatured(wanted, place)),
  make: anyOf("make", { column: "make_folded", bound: foldLetters }),
  model: anyOf("model", { column: "model_folded", bound: foldLetters }),
  year: comparison("year", { column: "year", bound: unchanged }),
  min_price: comparison("min_price", { column: "price_cents", operator: ">=", bound: cents }),
  q: (wanted, { db, dealer, isPerRow }) => (isPerRow ? wordsOfRow(db, wanted) : wordsCondition(db, wanted, dealer)),
  max_price: comparison("max_price", { column: "price_cents", operator: "<=", bound: cents }),
  vin,
  stock_number: stockNumber,
  min_year: comparison("min_year", { column: "year", operator: ">=", bound: unchanged }),
  max_year: comparison("max_year", { column: "year", operator: "<=", bound: unchanged }),
  min_mileage: comparison("min_mileage", { column: "mileage", operator: ">=", bound: unchanged }),
  max_mileage: comparison("max_mileage", { column: "mileage", operator: "<=", bound: unchanged }),
  min_days_on_lot: days("min_days_on_lot", ">="),
  max_days_on_lot: days("max_days_on_lot", "<="),
  body_style: anySpelling("body_style"),
  fuel_type: anySpelling("fuel_type"),
  transmission: anySpelling("transmission"),
  drivetrain: anySpelling("drivetrain"),
  condition: anySpelling("condition"),
  exterior_color: anySpelling("exterior_color"),
  interior_color: anySpelling("interior_color"),
  trim: anySpelling("trim"),
  has_images: hasImages,
  created_since: comparison("created_since", { column: "created_at", operator: ">=", bound: unchanged }),
  updated_since: comparison("updated_since", { column: "updated_at", operator: ">=", bound: unchanged }),
  sold_since: comparison("sold_since", { column: "sold_at", operator: ">=", bound: unchanged }),
};
const NAMES = Object.keys(CONDITIONS) as FilterName[];

/** The dealers within the distance, as a table with their ids and distances in metres. */
const nearPlaces = (db: SqlDatabase) =>
  sql<{
    near_id: number;
    near_metres: number;
  }>`${db.jsonRows(param<string>("near"), { near_id: "integer", near_metres: "integer" })}`;

/** The vehicles of the dealers within the distance. */
const ofDealers = (
  dealers: readonly NearDealer[],
  { db, column }: Pick<FilterContext, "db" | "column">,
): Condition => ({
  form: "near",
  where: () => sql<SqlBool>`${column("dealer_id")} IN (SELECT near_id FROM ${nearPlaces(db)} AS near_places)`,
  values: { near: JSON.stringify(dealers.map(({ id, metres }) => [id, metres])) },
});

/** All vehicles, with `near_metres` for those of dealers within the distance of the plan's filter. */
export const vehiclesByDistance = (db: SqlDatabase): Vehicles =>
  db.build
    .selectFrom("vehicles")
    // No other table has the names of these two columns, so that statements can use them unqualified.
    .innerJoin(nearPlaces(db).as("near_places"), "near_id", "vehicles.dealer_id") as unknown as Vehicles;

const indexed = (name: Column): RawBuilder<unknown> => sql.ref(name);
/**
 * A column for which SQLite uses no index. Without statistics its planner considers all indexes equally good: to find
 * one dealer's vehicles of a year, it would read those of every dealer.
 */
const unindexed = (name: Column): RawBuilder<unknown> => sql`+${sql.ref(name)}`;

const isSingle = (wanted: readonly unknown[] | undefined): boolean => wanted?.length === 1;

/**
 * The filters that an index may serve: a VIN or stock number alone, as few vehicles have it; else those that indexes
 * of one dealer's vehicles begin with, or any index if `isOpen`. In the order of age, the dealer's vehicles of a make are
 * found among all of the dealer's: the only index that has a make in that order is that of all dealers.
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
  /** Plans of the same name have the same text. */
  readonly name: string;
  readonly where: readonly Condition["where"][];
  readonly values: Values;
}

/** A filter, with the dealers within its distance if it has one. */
export interface LocatedFilter extends VehicleFilter {
  readonly dealers?: readonly NearDealer[];
}

/** Finds the dealers that match a filter by distance. */
export const locatedFilters = (
  db: SqlDatabase,
): ((scope: DealerScope, filter: VehicleFilter) => MaybePromise<LocatedFilter>) => {
  const near = dealersNear(db);
  return (scope, filter) =>
    filter.around === undefined ? filter : andThen(near(scope, filter.around), (dealers) => ({ ...filter, dealers }));
};

/** Options of a plan. */
interface PlanOptions {
  readonly scope: DealerScope;
  readonly filter: LocatedFilter;
  readonly isPerRow?: boolean;
  /** True if the vehicles are read in the order of their age. */
  readonly isByAge?: boolean;
}

/** The WHERE of a filter within a scope; the scope always applies, whatever the filter says. */
export const filterPlanOf = (db: SqlDatabase, scope: DealerScope, filter: LocatedFilter): FilterPlan =>
  planOf(db, { scope, filter });

/** The same for vehicles that are read in the order of their age. */
export const planByAge = (db: SqlDatabase, scope: DealerScope, filter: LocatedFilter): FilterPlan =>
  planOf(db, { scope, filter, isByAge: true });

/**
 * The same as a condition that judges one vehicle at a time, for vehicles already found: it uses no index, and costs
 * the same for each vehicle, however many there are.
 */
export const rowPlanOf = (db: SqlDatabase, scope: DealerScope, filter: LocatedFilter): FilterPlan =>
  planOf(db, { scope, filter, isPerRow: true });

const planOf = (db: SqlDatabase, { scope, filter, isPerRow = false, isByAge = false }: PlanOptions): FilterPlan => {
  const forms: string[] = [];
  let name = "";
  const where: Condition["where"][] = [];
  const values: Record<string, SqlValue> = {};
  const add = (condition: Condition, isHidden = false): void => {
    forms.push(condition.form);
    name += isHidden ? `+${condition.form} ` : `${condition.form} `;
    where.push(condition.where);
    Object.assign(values, condition.values);
  };
  if (scope !== null)
    add({ form: "scope", where: () => sql<SqlBool>`"dealer_id" = ${param("scope")}`, values: { scope } });
  const dealer = scope !== null ? "scope" : filter.dealer_id !== undefined ? "dealer_id" : null;
  const plansWell = isPerRow || db.engine !== "sqlite";
  const addFilter = <Key extends FilterName>(key: Key): void => {
    const wanted: FilterQuery[Key] = filter[key];
    // Repeating the scope's dealer as a filter would hide the index from the planner.
    if (wanted === undefined || (key === "dealer_id" && wanted === scope)) return;
    const make: ConditionMaker<Key> = CONDITIONS[key];
    const isIndexable = plansWell || mayUseIndex(key, filter, { isOpen: dealer === null, isByAge });
    const column = isIndexable ? indexed : unindexed;
    add(
      make(wanted as FilterValue<Key>, { db, column, isIndexable, asOf: filter.as_of, dealer, isPerRow }),
      !isIndexable,
    );
  };
  for (const key of NAMES) addFilter(key);
  const isHidden = !plansWell && (dealer !== null || isSelective({ values }));
  if (filter.dealers !== undefined)
    add(ofDealers(filter.dealers, { db, column: isHidden ? unindexed : indexed }), isHidden);
  else if (filter.around !== undefined) throw new Error("a filter by distance without its dealers: use locatedFilters");
  return { forms, name, where, values };
};

/** The conditions of a plan as one. */
export const conditionOf = ({ where }: FilterPlan): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.join(
    where.map((condition) => condition()),
    sql` AND `,
  )}`;

/** The vehicles of a plan. */
export const matchingPlan = <Row>(
  query: SelectQueryBuilder<Tables, "vehicles", Row>,
  { where }: FilterPlan,
): SelectQueryBuilder<Tables, "vehicles", Row> =>
  where.reduce((narrowed, condition) => narrowed.where(condition()), query);

/** The same as text: WHERE and the conditions, or nothing. */
export const whereOf = (plan: FilterPlan): RawBuilder<unknown> =>
  plan.where.length === 0 ? sql`` : sql`WHERE ${conditionOf(plan)}`;

const STORED_COUNT_FORMS = new Set(["scope", "dealer_id", "status", "status-of"]);

/** True for a plan that finds so few vehicles by an index that no other index should be read in order instead. */
export const isSelective = ({ values }: Pick<FilterPlan, "values">): boolean =>
  "vin" in values || "stock_number" in values;

/** True for a plan whose vehicles are counted in the stored counts of dealers. */
export const hasStoredCount = ({ forms }: FilterPlan): boolean => forms.every((form) => STORED_COUNT_FORMS.has(form));
