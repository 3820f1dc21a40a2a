import { type Compilable, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import { mapped } from "../../../core/long-items.ts";
import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import { LONG_BYTES, type Page } from "../../../core/page.ts";
import { JsonArray } from "../../../core/stored-json.ts";
import { STATUSES, type Vehicle } from "../../../core/vehicles/vehicle.ts";
import type { VehicleFilter } from "../../../core/vehicles/vehicle-filter.ts";
import type { LongVehicles, Position, VehicleRepository } from "../../../core/vehicles/vehicle-repository.ts";
import type { SqlDatabase, Values } from "../query/database.ts";
import { byIds, inSlices, listOf, type Weighed } from "../query/slices.ts";
import { param, type Statement, statementCache } from "../query/statement.ts";
import type { Tables } from "../query/tables.ts";
import { type FilterPlan, filterPlanOf, findsFew, isCounted, matching } from "./filter-plan.ts";

type Vehicles = SelectQueryBuilder<Tables, "vehicles", object>;
/** The vehicles of a plan, all of them or those behind a position. */
interface Range {
  readonly plan: FilterPlan;
  readonly from: Position | null;
}

const isByPrice = ({ values }: FilterPlan): boolean => "min_price" in values || "max_price" in values;

/** When vehicles were created, by which lists are sorted; for few vehicles so that no index is read in this order. */
const ageOf = (plan: FilterPlan): RawBuilder<string> =>
  findsFew(plan) ? sql<string>`(created_at || '')` : sql.ref<string>("created_at");

const newestFirst = <Row>(
  query: SelectQueryBuilder<Tables, "vehicles", Row>,
  age: RawBuilder<string> = sql.ref("created_at"),
): typeof query => query.orderBy(age, "desc").orderBy("id", "desc");

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

  const matches = (plan: FilterPlan) => matching(db.build.selectFrom("vehicles"), plan);

  const pageStatement = <Row>(
    cache: ReturnType<typeof statementCache<Row>>,
    { plan, from }: Range,
    select: (query: Vehicles) => Compilable<Row>,
  ): Statement<Row> =>
    cache(`${plan.name}${from === null ? "" : "from"}`, () => {
      let page = matches(plan);
      if (from !== null)
        page = page.where(sql<SqlBool>`(${ageOf(plan)}, id) < (${param("fromMoment")}, ${param("fromId")})`);
      page = newestFirst(page, ageOf(plan)).limit(param<number>("limit"));
      if (from === null) page = page.offset(param<number>("offset"));
      if (!isByPrice(plan)) return select(page);
      // No index has this order: sort ids and ages only, and read the documents of the page alone.
      return select(newestFirst(db.build.selectFrom("vehicles").where("id", "in", page.select("id"))));
    });

  /** The parts with which a long page is read: each slice applies scope and filter again. */
  const longVehicles = (range: Range, page: Page, values: Values): MaybePromise<LongVehicles | string[]> => {
    const { plan } = range;
    const read = (ids: readonly number[]): MaybePromise<readonly { document: string }[]> =>
      db.all(
        slices(plan.name, () => byIds(db, matches(plan).select("id").select(DOCUMENT))),
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
      if (!isCounted(plan)) return matches(plan).select((v) => v.fn.countAll<number>().as("total"));
      const counted = sql.join([...new Set(filter.status ?? STATUSES)].map(sql.ref), sql` + `);
      let counts = db.build
        .selectFrom("dealer_inventory")
        .select(sql<number>`CAST(COALESCE(SUM(${counted}), 0) AS BIGINT)`.as("total"));
      for (const key of ["scope", "dealer_id"])
        if (key in plan.values) counts = counts.where("dealer_id", "=", param(key));
      return counts;
    });

  return ({ scope, filter, page, from }) => {
    const plan = filterPlanOf(db, scope, filter);
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
