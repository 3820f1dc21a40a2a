import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { Timestamp } from "../../../core/clock.ts";
import { foldName } from "../../../core/search/names.ts";
import { lowerAscii } from "../../../core/text.ts";
import type { FilterQuery } from "../../../core/vehicles/vehicle-filter.ts";
import type { NearDealer } from "../dealers/near.ts";
import type { SqlDatabase } from "../query/database.ts";
import { type Condition, condition, type Param, param, type SqlValue, type ValuesOf } from "../query/statement.ts";
import type { Tables } from "../query/tables.ts";
import { foldedSpelling, type SPELLING_FIELDS } from "../search/spellings.ts";
import { wordsCondition, wordsOfRow } from "../search/vehicle-condition.ts";
import { daysOnLot } from "./days-on-lot.ts";

/** The filters that restrict the distance of dealers. Together they are one condition. */
type DistanceFilter = "near" | "radius" | "radius_unit";
/** The filters that are one condition each. */
export type FilterName = Exclude<keyof FilterQuery, DistanceFilter>;
/** The value of a filter that is set. */
export type FilterValue<Key extends FilterName> = NonNullable<FilterQuery[Key]>;
/** A column of the vehicles. */
export type Column = keyof Tables["vehicles"] & string;

/** The circumstances in which a filter is used. */
export interface FilterContext {
  readonly db: SqlDatabase;
  /** The SQL for a column. It is written such that SQLite uses no index if none may be used for the filter. */
  readonly column: (name: Column) => RawBuilder<unknown>;
  /** True if an index may be used for the filter. */
  readonly isIndexable: boolean;
  /** The time up to which days on the lot are counted. It is always set if a filter is about these days. */
  readonly asOf: Timestamp | undefined;
  /** The parameter that contains the dealer, if only one dealer's vehicles can match. */
  readonly dealer: "scope" | "dealer_id" | null;
  /** True if the condition must check one row at a time, without reading other rows. */
  readonly isPerRow: boolean;
  /** The filters with so many stored spellings that the spelling of each row is looked up instead of listing them. */
  readonly manySpellings: ReadonlySet<string>;
}

type ConditionMaker<Key extends FilterName> = (wanted: FilterValue<Key>, context: FilterContext) => Condition;

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
  (wanted, context) =>
    condition(
      key,
      { [key]: bound(wanted) } as ValuesOf<Key>,
      (param) => sql`${context.column(column)} ${sql.raw(operator)} ${param(key)}`,
    );

/**
 * The condition that something is one of the distinct values of a filter. A single value is a parameter; several are a
 * list in a parameter.
 */
const oneOf = <Key extends FilterName>(
  key: Key,
  { db }: FilterContext,
  values: readonly string[],
): ((form: string, where: (isIn: RawBuilder<SqlBool>) => RawBuilder<SqlBool>) => Condition) => {
  const [only, ...others] = new Set(values);
  const valuesOf = (value: string) => ({ [key]: value }) as Readonly<Record<Key, string>>;
  if (only !== undefined && others.length === 0)
    return (form, where) => condition(`${key}${form}`, valuesOf(only), (param) => where(sql`= ${param(key)}`));
  const listed = JSON.stringify([...new Set(values)].map((value) => [value]));
  return (form, where) =>
    condition(`${key}-of${form}`, valuesOf(listed), (param) => {
      const rows = db.jsonRows(param(key) as RawBuilder<string>, { listed: "text" });
      return where(sql`IN (SELECT listed FROM ${rows} AS ${sql.table(`${key}_listed`)})`);
    });
};

/** Compares a column with any of the values, which `bound` converts to their stored form. */
const anyOf =
  <Key extends "status" | "stage" | "make" | "model">(
    key: Key,
    { column, bound }: { readonly column: Column; readonly bound: (wanted: string) => string },
  ): ConditionMaker<Key> =>
  (wanted, context) =>
    oneOf(key, context, wanted.map(bound))("", (isIn) => sql`${context.column(column)} ${isIn}`);

/**
 * Compares a column with all stored spellings of any of the values. If there are many, or if only single rows are
 * checked, the row's own spelling is looked up: so the vehicles of one dealer cost the same, whatever spellings others
 * have stored.
 */
const anySpelling =
  <Key extends (typeof SPELLING_FIELDS)[number]>(key: Key): ConditionMaker<Key> =>
  (wanted, context) => {
    const found = oneOf(
      key,
      context,
      wanted.map((value) => foldedSpelling(key, value)),
    );
    if (context.isPerRow || context.manySpellings.has(key))
      // With the plus, SQLite finds the row's spelling by its key. Otherwise it might list all spellings of the value.
      return found(
        "-of-row",
        (isIn) => sql`EXISTS (SELECT 1 FROM vehicle_spellings WHERE vehicle_spellings.field = ${sql.lit(key)}
          AND vehicle_spellings.value = ${sql.ref(`vehicles.${key}`)} AND ${unindexedFolded(context.db)} ${isIn})`,
      );
    const spellings = sql`SELECT value FROM vehicle_spellings WHERE field = ${sql.lit(key)}`;
    return found("", (isIn) => sql`${context.column(key)} IN (${spellings} AND folded ${isIn})`);
  };

const unindexedFolded = ({ engine }: SqlDatabase): RawBuilder<unknown> =>
  engine === "sqlite" ? sql`+vehicle_spellings.folded` : sql`vehicle_spellings.folded`;

const LOWER_VIN = sql`lower("vin")`;
const LOWER_STOCK_NUMBER = sql`lower("stock_number")`;

const vin: ConditionMaker<"vin"> = (wanted) =>
  condition("vin", { vin: lowerAscii(wanted) }, (param) => sql`${LOWER_VIN} = ${param("vin")}`);

/**
 * Databases do not fold all letters, so stock numbers with letters beyond ASCII are also found by their stored
 * spellings.
 */
const stockNumber: ConditionMaker<"stock_number"> = (wanted) =>
  condition(
    "stock_number",
    { stock_number: lowerAscii(wanted), stock_folded: foldedSpelling("stock_number", wanted) },
    (param) => sql`${LOWER_STOCK_NUMBER} IN (SELECT ${param("stock_number")} UNION ALL
    SELECT lower(value) FROM vehicle_spellings WHERE field = 'stock_number' AND folded = ${param("stock_folded")})`,
  );

const HAS_IMAGES = sql<SqlBool>`EXISTS (SELECT 1 FROM vehicle_images WHERE vehicle_images.vehicle_id = vehicles.id)`;

const hasImages: ConditionMaker<"has_images"> = (wanted) =>
  wanted
    ? condition("with-images", {}, () => HAS_IMAGES)
    : condition("without-images", {}, () => sql`NOT ${HAS_IMAGES}`);

/** Compares the days on the lot with one value. */
const days =
  <Key extends "min_days_on_lot" | "max_days_on_lot">(key: Key, operator: ">=" | "<="): ConditionMaker<Key> =>
  (wanted, { db, asOf }) => {
    if (asOf === undefined) throw new Error(`${key} without the moment to which days are counted`);
    return condition(
      key,
      { [key]: wanted, as_of: asOf } as Readonly<Record<Key, number> & { as_of: string }>,
      (param) => sql`${daysOnLot(db.engine, param("as_of"))} ${sql.raw(operator)} ${param(key)}`,
    );
  };

const unchanged = <Value extends SqlValue>(value: Value): Value => value;

/** Prices are compared in cents. No price is above this limit. */
const MAX_CENTS = 100_000_000_01;
const cents = (amount: number): number => Math.min(amount * 100, MAX_CENTS);

const isFeatured = comparison("featured", { column: "featured", bound: (wanted) => (wanted ? 1 : 0) });
/** The value is a literal, because the planner cannot use the partial index of featured vehicles with a parameter. */
const FEATURED_ONLY = condition("featured-only", {}, () => sql`"featured" = ${sql.lit(1)}`);

/** The only definition of each filter in SQL. They are in the order of the WHERE. */
const CONDITIONS: { readonly [Key in FilterName]: ConditionMaker<Key> } = {
  dealer_id: comparison("dealer_id", { column: "dealer_id", bound: unchanged }),
  status: anyOf("status", { column: "status", bound: unchanged }),
  stage: anyOf("stage", { column: "stage", bound: unchanged }),
  featured: (wanted, context) => (wanted && context.isIndexable ? FEATURED_ONLY : isFeatured(wanted, context)),
  make: anyOf("make", { column: "make_folded", bound: foldName }),
  model: anyOf("model", { column: "model_folded", bound: foldName }),
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
  min_electric_range: comparison("min_electric_range", { column: "electric_range", operator: ">=", bound: unchanged }),
  max_electric_range: comparison("max_electric_range", { column: "electric_range", operator: "<=", bound: unchanged }),
  doors: comparison("doors", { column: "doors", bound: unchanged }),
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
/** The names of the filters in the order of the WHERE. */
export const FILTER_NAMES = Object.keys(CONDITIONS) as FilterName[];

/** The condition of one filter. */
export const filterCondition = <Key extends FilterName>(
  key: Key,
  wanted: FilterValue<Key>,
  context: FilterContext,
): Condition => {
  const make: ConditionMaker<Key> = CONDITIONS[key];
  return make(wanted, context);
};

/** The values of a condition by distance. */
type NearValues = { readonly near: string };

/** The dealers within the distance, as a table of their ids and distances in metres. */
const nearPlaces = (db: SqlDatabase, near: Param<NearValues> = param) =>
  db.jsonRows(near("near"), { near_id: "integer", near_metres: "integer" });

/** The condition for vehicles of the dealers within the distance. */
export const nearCondition = (
  dealers: readonly NearDealer[],
  { db, column }: Pick<FilterContext, "db" | "column">,
): Condition =>
  condition<NearValues>(
    "near",
    { near: JSON.stringify(dealers.map(({ id, metres }) => [id, metres])) },
    (param) => sql`${column("dealer_id")} IN (SELECT near_id FROM ${nearPlaces(db, param)} AS near_places)`,
  );

/** The vehicles of dealers within the distance of the plan's filter, with the column `near_metres`. */
export const vehiclesByDistance = (db: SqlDatabase): SelectQueryBuilder<Tables, "vehicles", object> =>
  db
    .selectFrom("vehicles")
    // No other table has columns of these two names, so that statements can use them without the table's name.
    .innerJoin(nearPlaces(db).as("near_places"), "near_id", "vehicles.dealer_id") as unknown as SelectQueryBuilder<
    Tables,
    "vehicles",
    object
  >;
