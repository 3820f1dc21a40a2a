import {
  type Compilable,
  type Expression,
  type ExpressionBuilder,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from "kysely";
import type { DealerScope } from "../../../core/access/decide.ts";
import { mapped } from "../../../core/long-items.ts";
import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import { LONG_BYTES, type Page } from "../../../core/page.ts";
import { JsonArray } from "../../../core/stored-json.ts";
import { fold } from "../../../core/text.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import type {
  LongVehicles,
  Position,
  VehicleFilter,
  VehicleRepository,
} from "../../../core/vehicles/vehicle-repository.ts";
import type { Engine } from "../../../migrations/migration.ts";
import type { SqlDatabase, Values } from "../query/database.ts";
import { byIds, inSlices, listOf, type Weighed } from "../query/slices.ts";
import { param, type SqlValue, type Statement, statementCache } from "../query/statement.ts";
import type { Tables } from "../query/tables.ts";

type Vehicles = SelectQueryBuilder<Tables, "vehicles", object>;
type Where = (columns: ExpressionBuilder<Tables, "vehicles">) => Expression<SqlBool>;

/** Prices are compared in cents; no price is above this one. */
const MAX_CENTS = 100_000_000_01;
const cents = (amount: number): number => Math.min(amount * 100, MAX_CENTS);

interface Condition<Wanted> {
  readonly column: keyof Tables["vehicles"];
  readonly operator: "=" | ">=" | "<=";
  readonly value: (wanted: Wanted) => SqlValue;
}

/** The column that each filter compares, and the value that it binds. */
const CONDITIONS: { readonly [Key in keyof VehicleFilter]-?: Condition<NonNullable<VehicleFilter[Key]>> } = {
  dealerId: { column: "dealer_id", operator: "=", value: (wanted) => wanted },
  status: { column: "status", operator: "=", value: (wanted) => wanted },
  featured: { column: "featured", operator: "=", value: (wanted) => (wanted ? 1 : 0) },
  make: { column: "make_folded", operator: "=", value: fold },
  model: { column: "model_folded", operator: "=", value: fold },
  year: { column: "year", operator: "=", value: (wanted) => wanted },
  minPrice: { column: "price_cents", operator: ">=", value: cents },
  maxPrice: { column: "price_cents", operator: "<=", value: cents },
};

const comparison =
  (key: keyof VehicleFilter): Where =>
  (v) =>
    v(CONDITIONS[key].column, CONDITIONS[key].operator, param(key));

/**
 * The same comparison, for which SQLite uses no index. Without statistics its planner takes all indexes for equally
 * good: it would read every dealer's vehicles of a year to find those of one dealer.
 */
const unindexedComparison =
  (key: keyof VehicleFilter): Where =>
  (v) =>
    v(sql<SqlValue>`+${sql.ref(CONDITIONS[key].column)}`, CONDITIONS[key].operator, param(key));

/** True for the filters that an index of one dealer's vehicles serves. */
const isInDealersIndex = (key: keyof VehicleFilter, { make }: VehicleFilter): boolean =>
  key === "dealerId" || key === "status" || (make !== undefined && (key === "make" || key === "model"));

// A literal, not a parameter: otherwise the planner cannot use the partial index of featured vehicles.
const FEATURED_ONLY: Where = (v) => v("featured", "=", sql.lit(1));

interface FilterPlan {
  readonly name: string;
  readonly where: readonly Where[];
  readonly values: Values;
}

/** The vehicles of a plan, all of them or those behind a position. */
interface Range {
  readonly plan: FilterPlan;
  readonly from: Position | null;
}

/** The WHERE of a filter within a scope; the scope always applies, whatever the filter says. */
const filterPlanOf = (engine: Engine, scope: DealerScope, filter: VehicleFilter): FilterPlan => {
  let name = "";
  const where: Where[] = [];
  const values: Record<string, SqlValue> = {};
  if (scope !== null) {
    name = "scope ";
    where.push((v) => v("dealer_id", "=", param("scope")));
    values.scope = scope;
  }
  const hidesIndexes = engine === "sqlite" && (scope !== null || filter.dealerId !== undefined);
  const add = <Wanted>(key: keyof VehicleFilter, wanted: Wanted | undefined, { value }: Condition<Wanted>): void => {
    // Repeating the scope's dealer as a filter would hide the index from the planner.
    if (wanted === undefined || (key === "dealerId" && values.scope === wanted)) return;
    if (key === "featured" && wanted && !hidesIndexes) {
      name += "featured-only ";
      where.push(FEATURED_ONLY);
      return;
    }
    name += `${key} `;
    where.push(hidesIndexes && !isInDealersIndex(key, filter) ? unindexedComparison(key) : comparison(key));
    values[key] = value(wanted);
  };
  add("dealerId", filter.dealerId, CONDITIONS.dealerId);
  add("status", filter.status, CONDITIONS.status);
  add("featured", filter.featured, CONDITIONS.featured);
  add("make", filter.make, CONDITIONS.make);
  add("model", filter.model, CONDITIONS.model);
  add("year", filter.year, CONDITIONS.year);
  add("minPrice", filter.minPrice, CONDITIONS.minPrice);
  add("maxPrice", filter.maxPrice, CONDITIONS.maxPrice);
  return { name, where, values };
};

const COUNTED_FILTERS = new Set(["scope", "dealerId", "status"]);

const isByPrice = ({ values }: FilterPlan): boolean => "minPrice" in values || "maxPrice" in values;

const newestFirst = <Row>(query: SelectQueryBuilder<Tables, "vehicles", Row>): typeof query =>
  query.orderBy("created_at", "desc").orderBy("id", "desc");

const ofDocument = <Value>(value: RawBuilder<Value>) =>
  sql<Value>`(SELECT ${value} FROM vehicle_documents WHERE vehicle_documents.id = vehicles.id)`;

const DOCUMENT = ofDocument(sql<string>`document`).as("document");
/** `NULL` for a document that is longer than most: its length is known without reading it. */
const SHORT_DOCUMENT = ofDocument(
  sql<string | null>`CASE WHEN octet_length(document) <= ${param("most")} THEN document END`,
).as("document");
const BYTES = ofDocument(sql<number>`octet_length(document)`).as("bytes");

/** Longer than any document: callers who cannot take slices get the whole page. */
const ANY_LENGTH = 2_147_483_647;
/** Most documents are shorter, so that one statement reads pages of any length. */
const USUAL_BYTES = 2048;

/** The longest document with which a page can still be short. */
const mostOf = ({ limit, sliceBytes }: Page): number =>
  sliceBytes === undefined ? ANY_LENGTH : Math.max(Math.floor(LONG_BYTES / limit), USUAL_BYTES);

const textOf = ({ document }: { readonly document: string }): string => document;

interface DocumentRow {
  readonly document: string | null;
}

/** The documents of a page; `null` if the page is or may be long. */
const shortTexts = (rows: readonly DocumentRow[], { limit, sliceBytes }: Page): string[] | null => {
  const texts: string[] = [];
  for (const { document } of rows) {
    if (document === null) return null;
    if (texts.length < limit) texts.push(document);
  }
  if (sliceBytes === undefined || limit * USUAL_BYTES <= LONG_BYTES) return texts;
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) <= LONG_BYTES ? texts : null;
};

/** Lists of vehicles. Each combination of filter and scope is compiled once and cached. */
export const vehicleList = (db: SqlDatabase): VehicleRepository["list"] => {
  const pages = statementCache<DocumentRow>();
  const weights = statementCache<Weighed & Position>();
  const slices = statementCache<{ document: string }>();
  const totals = statementCache<{ total: number }>();

  const matching = (plan: FilterPlan) => {
    let matches = db.build.selectFrom("vehicles");
    for (const where of plan.where) matches = matches.where(where);
    return matches;
  };

  const pageStatement = <Row>(
    cache: ReturnType<typeof statementCache<Row>>,
    { plan, from }: Range,
    select: (query: Vehicles) => Compilable<Row>,
  ): Statement<Row> =>
    cache(`${plan.name}${from === null ? "" : "from"}`, () => {
      let matches = matching(plan);
      if (from !== null)
        matches = matches.where(sql<SqlBool>`(created_at, id) < (${param("fromMoment")}, ${param("fromId")})`);
      matches = newestFirst(matches).limit(param<number>("limit"));
      if (from === null) matches = matches.offset(param<number>("offset"));
      if (!isByPrice(plan)) return select(matches);
      // No index has this order: sort ids and ages only, and read the documents of the page alone.
      return select(newestFirst(db.build.selectFrom("vehicles").where("id", "in", matches.select("id"))));
    });

  /** The parts with which a long page is read: each slice applies scope and filter again. */
  const longVehicles = (range: Range, page: Page, values: Values): MaybePromise<LongVehicles | string[]> => {
    const { plan } = range;
    const read = (ids: readonly number[]): MaybePromise<readonly { document: string }[]> =>
      db.all(
        slices(plan.name, () => byIds(db, matching(plan).select("id").select(DOCUMENT))),
        { ...plan.values, ids: listOf(ids) },
      );
    const weighing = pageStatement(weights, range, (query) => query.select(["id", "created_at"]).select(BYTES));
    return andThen(db.all(weighing, values), (weighed) => {
      const rows = weighed.slice(0, page.limit);
      const last = rows.at(-1);
      const long = inSlices(rows, page, read);
      if (long === null || last === undefined)
        return andThen(read(rows.map(({ id }) => id)), (found) => found.map(textOf));
      return { ...mapped(long, textOf), last };
    });
  };

  /** Totals by dealer and status come from stored counts; others are counted. */
  const totalStatement = (plan: FilterPlan, filter: VehicleFilter): Statement<{ total: number }> =>
    totals(plan.name + (filter.status ?? ""), () => {
      const names = plan.name.split(" ").filter((name) => name !== "");
      if (names.every((name) => COUNTED_FILTERS.has(name))) {
        const count = filter.status === undefined ? sql`available + sold + pending` : sql.ref(filter.status);
        let counts = db.build
          .selectFrom("dealer_inventory")
          .select(sql<number>`CAST(COALESCE(SUM(${count}), 0) AS BIGINT)`.as("total"));
        if (names.includes("scope")) counts = counts.where("dealer_id", "=", param("scope"));
        if (names.includes("dealerId")) counts = counts.where("dealer_id", "=", param("dealerId"));
        return counts;
      }
      let query = db.build.selectFrom("vehicles").select((v) => v.fn.countAll<number>().as("total"));
      for (const where of plan.where) query = query.where(where);
      return query;
    });

  return ({ scope, filter, page, from }) => {
    const plan = filterPlanOf(db.engine, scope, filter);
    const range = { plan, from };
    const listed = pageStatement(pages, range, (query) => query.select(SHORT_DOCUMENT));
    const place: Values = from === null ? { offset: page.offset } : { fromMoment: from.created_at, fromId: from.id };
    // After a cursor, only an extra row tells whether more follow: the total does not know the position.
    const values = {
      ...plan.values,
      ...place,
      limit: from === null ? page.limit : page.limit + 1,
      most: mostOf(page),
    };
    return andThen(db.all(listed, values), (rows) => {
      const short = shortTexts(rows, page);
      return andThen(short ?? longVehicles(range, page, values), (found) =>
        andThen(db.first(totalStatement(plan, filter), values), (counted) => {
          const total = counted?.total ?? 0;
          const more = from === null ? page.offset + rows.length < total && rows.length > 0 : rows.length > page.limit;
          const isShort = Array.isArray(found);
          const vehicles = new JsonArray<Vehicle>(isShort ? found : []);
          return { total, vehicles, ...(!isShort && { long: found }), more, sql: listed.text };
        }),
      );
    });
  };
};
