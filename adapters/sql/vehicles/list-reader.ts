import { sql } from "kysely";
import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import { ORDERS, type VehicleOrder } from "../../../core/vehicles/vehicle-order.ts";
import type { VehicleRepository } from "../../../core/vehicles/vehicle-repository.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { readerByCost } from "../query/reader-by-cost.ts";
import { statementCache } from "../query/statement.ts";
import {
  type FilterPlan,
  filterPlanOf,
  hasStoredCount,
  isSelective,
  type LocatedFilter,
  matchingPlan,
} from "./filter-plan.ts";

/** A query whose filter contains the dealers within its distance. */
export type LocatedQuery = Parameters<VehicleRepository["list"]>[0] & { readonly filter: LocatedFilter };

type Scoped = Pick<LocatedQuery, "scope" | "filter">;

/** True if a list has a limit of the price. */
export const isByPrice = ({ values }: FilterPlan): boolean => "min_price" in values || "max_price" in values;

/** True if a list is of a search. */
export const isSearch = ({ forms }: FilterPlan): boolean => forms.some((form) => form.startsWith("q:"));

const isDefault = ({ by, ascending }: VehicleOrder): boolean => by === "created_at" && !ascending;

/**
 * Filters for which one index returns the vehicles in the default order, either of all dealers or within one dealer.
 */
const BY_ONE_INDEX = {
  all: new Set([
    "status",
    "make",
    "model",
    "make model",
    "year",
    "featured-only",
    "make model min_price",
    "make model max_price",
    "make model min_price max_price",
  ]),
  dealer: new Set(["status", "make", "make model"]),
};
/** The sort values by which SQLite sorts one dealer's vehicles from their index, without reading their rows. */
const INDEXED_OF_DEALER: ReadonlySet<VehicleOrder["by"]> = new Set(["price", "mileage", "year"]);
const DEALER_FORMS = new Set(["scope", "dealer_id"]);

/** How often the words of each vehicle are read: for the page, and again for the total. */
const READS_OF_WORDS = 2;
/** The time for each of the vehicles in reach if all of them have the same VIN or stock number, in µs. */
const US_PER_SAME = 3;
/** The maximum number of vehicles with the same VIN or stock number that are read as an ordinary read. */
const MAX_SAME = 100;

/** Reads of what no vehicle matches. */
const NOTHING: Sql = { all: () => [] };

/**
 * The time for each vehicle in reach if only the matches are counted, in µs. An entry of an index takes 0.1, but most
 * filters match few of the vehicles.
 */
const US_PER_COUNTED = 0.02;

/**
 * The time that a list takes for each vehicle in reach, in µs. `null` if it does not read all vehicles, because the
 * page and the total come from an index or from the stored counts.
 */
const costOf = (plan: FilterPlan, order: VehicleOrder): number | null => {
  if (isSearch(plan)) return 4;
  const forms = plan.forms.filter((form) => !DEALER_FORMS.has(form));
  const isOfDealer = forms.length < plan.forms.length;
  if (isOfDealer && INDEXED_OF_DEALER.has(order.by) && hasStoredCount(plan)) return 0.3;
  if (!isDefault(order)) return 3;
  if (hasStoredCount(plan)) return null;
  const indexes = isOfDealer ? BY_ONE_INDEX.dealer : BY_ONE_INDEX.all;
  if (indexes.has(forms.join(" "))) return US_PER_COUNTED;
  return isByPrice(plan) ? 3 : 1;
};

/** Returns the function that chooses where a list is read: one that visits many vehicles must not block others. */
export const listReader = (db: SqlDatabase): ((plan: FilterPlan, query: LocatedQuery) => MaybePromise<Sql>) => {
  const readerByVehicles = readerByCost(db);
  const same = statementCache<{ number: number }>();

  /**
   * Chooses where the vehicles with a VIN or stock number are read. Nothing keeps many vehicles from having the same. Only
   * in a large lot it is looked whether they do. If none has it, nothing is left to be read.
   */
  const readerBySame = (whole: FilterPlan, { scope, filter }: Scoped): MaybePromise<Sql> => {
    if (db.engine === "postgres") return db;
    return andThen(readerByVehicles(scope ?? filter.dealer_id ?? null, US_PER_SAME), (reader) =>
      reader === db ? db : readerInLargeLot(whole, { scope, filter }),
    );
  };

  const readerInLargeLot = (whole: FilterPlan, { scope, filter }: Scoped): MaybePromise<Sql> => {
    if (filter.manySpellings?.has("stock_number") === true) return db.longReads;
    const { dealer_id, vin, stock_number } = filter;
    const isAlone = whole.forms.filter((form) => !DEALER_FORMS.has(form)).length === 1;
    const plan = isAlone
      ? whole
      : filterPlanOf(db, scope, {
          ...(dealer_id !== undefined && { dealer_id }),
          ...(vin !== undefined ? { vin } : stock_number !== undefined && { stock_number }),
        });
    const counting = same(plan.name, () =>
      db
        .selectFrom(
          matchingPlan(db.selectFrom("vehicles"), plan)
            .select(sql.lit(1).as("one"))
            .limit(sql.lit(MAX_SAME + 1))
            .as("same"),
        )
        .select((found) => found.fn.countAll<number>().as("number")),
    );
    return andThen(db.first(counting, plan.values), (row) => {
      const number = row?.number ?? 0;
      if (number === 0) return NOTHING;
      return number > MAX_SAME ? db.longReads : db;
    });
  };

  return (plan, { scope, filter, order = ORDERS.newest }) => {
    if (isSelective(plan)) return readerBySame(plan, { scope, filter });
    const cost = costOf(plan, order);
    if (cost === null) return db;
    return readerByVehicles(scope ?? filter.dealer_id ?? null, cost, READS_OF_WORDS * plan.searchedTexts);
  };
};
