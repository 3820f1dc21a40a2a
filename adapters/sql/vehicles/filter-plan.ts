import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { DealerScope } from "../../../core/access/decide.ts";
import { fold } from "../../../core/text.ts";
import type { VehicleFilter } from "../../../core/vehicles/vehicle-filter.ts";
import type { SqlDatabase, Values } from "../query/database.ts";
import { param, type SqlValue } from "../query/statement.ts";
import type { Tables } from "../query/tables.ts";

type Name = keyof VehicleFilter;
type Wanted<Key extends Name> = NonNullable<VehicleFilter[Key]>;
type Column = keyof Tables["vehicles"] & string;

/** One condition of a WHERE. Conditions of the same form have the same text, whatever their values. */
interface Condition {
  readonly form: string;
  readonly where: () => RawBuilder<SqlBool>;
  readonly values: Values;
}

/** Where a filter is used. */
interface Place {
  readonly db: SqlDatabase;
  /** How a column is written: where no index may be searched by it, so that SQLite does not. */
  readonly column: (name: Column) => RawBuilder<unknown>;
  /** True if the planner may choose among all indexes. */
  readonly isOpen: boolean;
}

type Maker<Key extends Name> = (wanted: Wanted<Key>, place: Place) => Condition;

/** Compares a column with one value, which `bound` makes of what is wanted. */
const compared =
  <Key extends Name>(
    key: Key,
    {
      column,
      operator = "=",
      bound,
    }: {
      readonly column: Column;
      readonly operator?: "=" | ">=" | "<=";
      readonly bound: (wanted: Wanted<Key>) => SqlValue;
    },
  ): Maker<Key> =>
  (wanted, place) => ({
    form: key,
    where: () => sql<SqlBool>`${place.column(column)} ${sql.raw(operator)} ${param(key)}`,
    values: { [key]: bound(wanted) },
  });

/** Compares a column with any of the values, of which `bound` makes what is stored. */
const anyOf =
  <Key extends "status" | "make" | "model">(key: Key, column: Column, bound: (wanted: string) => string): Maker<Key> =>
  (wanted, place) => {
    const values = [...new Set(wanted.map(bound))];
    const [only] = values;
    if (only !== undefined && values.length === 1)
      return {
        form: key,
        where: () => sql<SqlBool>`${place.column(column)} = ${param(key)}`,
        values: { [key]: only },
      };
    return {
      form: `${key}-of`,
      where: () => {
        const listed = place.db.rows(param<string>(key), { listed: "text" });
        return sql<SqlBool>`${place.column(column)} IN (SELECT listed FROM ${listed} AS ${sql.table(`${key}_listed`)})`;
      },
      values: { [key]: JSON.stringify(values.map((value) => [value])) },
    };
  };

const same = <Value extends SqlValue>(value: Value): Value => value;

/** Prices are compared in cents; no price is above this one. */
const MAX_CENTS = 100_000_000_01;
const cents = (amount: number): number => Math.min(amount * 100, MAX_CENTS);

const isFeatured = compared("featured", { column: "featured", bound: (wanted) => (wanted ? 1 : 0) });
/** A literal, not a parameter: otherwise the planner cannot use the partial index of featured vehicles. */
const FEATURED_ONLY: Condition = {
  form: "featured-only",
  where: () => sql<SqlBool>`"featured" = ${sql.lit(1)}`,
  values: {},
};

/** THE list: what each filter means in SQL, in the order of the WHERE. */
const CONDITIONS: { readonly [Key in Name]: Maker<Key> } = {
  dealer_id: compared("dealer_id", { column: "dealer_id", bound: same }),
  status: anyOf("status", "status", same),
  featured: (wanted, place) => (wanted && place.isOpen ? FEATURED_ONLY : isFeatured(wanted, place)),
  make: anyOf("make", "make_folded", fold),
  model: anyOf("model", "model_folded", fold),
  year: compared("year", { column: "year", bound: same }),
  min_price: compared("min_price", { column: "price_cents", operator: ">=", bound: cents }),
  max_price: compared("max_price", { column: "price_cents", operator: "<=", bound: cents }),
};
const NAMES = Object.keys(CONDITIONS) as Name[];

const indexed = (name: Column): RawBuilder<unknown> => sql.ref(name);
/**
 * A column for which SQLite uses no index. Without statistics its planner takes all indexes for equally good: it would
 * read every dealer's vehicles of a year to find those of one dealer.
 */
const unindexed = (name: Column): RawBuilder<unknown> => sql`+${sql.ref(name)}`;

const isSingle = (wanted: readonly unknown[] | undefined): boolean => wanted?.length === 1;

/** True for the filters that an index of one dealer's vehicles serves. */
const isInDealersIndex = (key: Name, { status, make, model }: VehicleFilter): boolean => {
  if (key === "status") return isSingle(status);
  if (key === "make") return isSingle(make);
  if (key === "model") return isSingle(make) && isSingle(model);
  return key === "dealer_id";
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

/** The WHERE of a filter within a scope; the scope always applies, whatever the filter says. */
export const filterPlanOf = (db: SqlDatabase, scope: DealerScope, filter: VehicleFilter): FilterPlan => {
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
  const isOfDealer = scope !== null || filter.dealer_id !== undefined;
  const hidesIndexes = db.engine === "sqlite" && isOfDealer;
  const addFilter = <Key extends Name>(key: Key): void => {
    const wanted: VehicleFilter[Key] = filter[key];
    // Repeating the scope's dealer as a filter would hide the index from the planner.
    if (wanted === undefined || (key === "dealer_id" && wanted === scope)) return;
    const make: Maker<Key> = CONDITIONS[key];
    const isHidden = hidesIndexes && !isInDealersIndex(key, filter);
    add(make(wanted as Wanted<Key>, { db, column: isHidden ? unindexed : indexed, isOpen: !hidesIndexes }), isHidden);
  };
  for (const key of NAMES) addFilter(key);
  return { forms, name, where, values };
};

/** The vehicles of a plan. */
export const matching = <Row>(
  query: SelectQueryBuilder<Tables, "vehicles", Row>,
  { where }: FilterPlan,
): SelectQueryBuilder<Tables, "vehicles", Row> =>
  where.reduce((narrowed, condition) => narrowed.where(condition()), query);

const COUNTED_FORMS = new Set(["scope", "dealer_id", "status", "status-of"]);

/** True for a plan whose vehicles the kept counts of dealers have counted already. */
export const isCounted = ({ forms }: FilterPlan): boolean => forms.every((form) => COUNTED_FORMS.has(form));
