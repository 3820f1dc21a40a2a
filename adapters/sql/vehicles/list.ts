import { type Compilable, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import { type LongItems, mapped } from "../../../core/long-items.ts";
import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import { LONG_BYTES, type Page } from "../../../core/page.ts";
import { JsonArray } from "../../../core/stored-json.ts";
import { STATUSES, type Vehicle } from "../../../core/vehicles/vehicle.ts";
import type { VehicleFilter } from "../../../core/vehicles/vehicle-filter.ts";
import { ORDERS, type Position, positionAfter } from "../../../core/vehicles/vehicle-order.ts";
import type { VehiclePage, VehicleRepository } from "../../../core/vehicles/vehicle-repository.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { type MeasuredRow, orderedIdsValue, rowsByIds, slicedRows } from "../query/slices.ts";
import { type Param, param, type Statement, statementCache, type Values } from "../query/statement.ts";
import type { Tables } from "../query/tables.ts";
import { vehiclesByDistance } from "./filter-conditions.ts";
import {
  type FilterPlan,
  filterPlanOf,
  hasStoredCount,
  isSelective,
  matchingPlan,
  planByAge,
  preparedFilters,
  rowPlanOf,
} from "./filter-plan.ts";
import { isByPrice, isSearch, type LocatedQuery, listReader } from "./list-reader.ts";
import { orderValues, positionAfterRow, type SqlOrder, sqlOrder } from "./order.ts";

type Vehicles = SelectQueryBuilder<Tables, "vehicles", object>;

/** The parameters of a page, besides those of its plan and its order. */
type PageValues = { readonly limit: number; readonly offset: number; readonly most: number };
const of: Param<PageValues> = param;
const ofDealer: Param<{ scope: number; dealer_id: number }> = param;

/** The vehicles of a plan in an order: all of them, or those after a position. */
interface ListRange {
  readonly plan: FilterPlan;
  readonly order: SqlOrder;
  readonly from: Position | null;
  /**
   * True if few vehicles match. They are found first, whatever PostgreSQL expects: it would take rare words for common
   * ones, and read vehicle after vehicle in the order of the list, with their words, until the page is full.
   */
  readonly isFew: boolean;
}

/** A long page, with the stored sort value and the id of its last vehicle. */
interface LongPage {
  readonly long: LongItems<string>;
  readonly last: Pick<Position, "value" | "id">;
}

/**
 * True if the vehicles are found in no order. The index of all dealers' words has no order, while one dealer's vehicles
 * are read in the order of the list.
 */
const isUnordered = (plan: FilterPlan): boolean =>
  isSearch(plan) && !("scope" in plan.values || "dealer_id" in plan.values);

/** The maximum number of matches of a search that are all found before they are sorted. */
const FEW = 2000;

const ordered = <Row>(query: SelectQueryBuilder<Tables, "vehicles", Row>, { orderBy }: SqlOrder): typeof query =>
  query.orderBy(orderBy());

const ofDocument = <Value>(value: RawBuilder<Value>) =>
  sql<Value>`(SELECT ${value} FROM vehicle_documents WHERE vehicle_documents.id = vehicles.id)`;

const DOCUMENT = ofDocument(sql<string>`document`).as("document");
/** The document, or `NULL` if it is longer than most. Its length is known without reading it. */
const SHORT_DOCUMENT = ofDocument(
  sql<string | null>`CASE WHEN octet_length(document) <= ${of("most")} THEN document END`,
).as("document");
const BYTES = ofDocument(sql<number>`octet_length(document)`).as("bytes");

/** A length that no document exceeds. It is used for callers that cannot take slices and get the whole page. */
const ANY_LENGTH = 2_147_483_647;
/** Most documents are shorter. Up to this length, one statement can read pages of any size. */
const USUAL_DOCUMENT_BYTES = 2048;

/** The maximum length of a document with which a page can still be short. */
const maxDocumentBytes = ({ limit, sliceBytes }: Page): number =>
  sliceBytes === undefined ? ANY_LENGTH : Math.max(Math.floor(LONG_BYTES / limit), USUAL_DOCUMENT_BYTES);

const textOf = ({ document }: { readonly document: string }): string => document;

interface DocumentRow {
  readonly document: string | null;
}

/** The documents of a page; `null` if the page is long, or may be long. */
const shortTexts = (rows: readonly DocumentRow[], { limit, sliceBytes }: Page): string[] | null => {
  const texts: string[] = [];
  for (const { document } of rows) {
    if (document === null) return null;
    if (texts.length < limit) texts.push(document);
  }
  if (sliceBytes === undefined || limit * USUAL_DOCUMENT_BYTES <= LONG_BYTES) return texts;
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) <= LONG_BYTES ? texts : null;
};

/** Lists vehicles. The statement for each combination of filter and scope is compiled once and cached. */
export const vehicleList = (db: SqlDatabase): VehicleRepository["list"] => {
  const pages = statementCache<DocumentRow>();
  const weights = statementCache<MeasuredRow & Pick<Position, "value">>();
  const readerOf = listReader(db);
  const prepared = preparedFilters(db);
  const slices = statementCache<{ document: string }>();
  const totals = statementCache<{ total: number }>();

  const matches = (plan: FilterPlan) => matchingPlan(db.selectFrom("vehicles"), plan);

  const pageStatement = <Row>(
    cache: ReturnType<typeof statementCache<Row>>,
    { plan, order, from, isFew }: ListRange,
    select: (query: Vehicles) => Compilable<Row>,
  ): Statement<Row> =>
    cache(`${plan.name}${order.name}${from === null ? "" : "from"}${isFew ? "few" : ""}`, () => {
      const sorted = () => (order.isByDistance ? vehiclesByDistance(db) : db.selectFrom("vehicles"));
      let page = isFew
        ? sorted().where(sql<SqlBool>`"id" IN (SELECT unnest(ARRAY(${matches(plan).select("id")})))`)
        : matchingPlan(sorted(), plan);
      if (from !== null) page = page.where(order.isAfterPosition());
      page = ordered(page, order).limit(of("limit"));
      if (from === null) page = page.offset(of("offset"));
      if (!order.isSorted && !isByPrice(plan) && !isUnordered(plan)) return select(page);
      // No index has this order. Only ids and values are sorted, and only the documents of the page are read.
      return select(ordered(sorted().where("id", "in", page.select("id")), order));
    });

  /**
   * The functions that read a long page. Each slice applies the scope and the filter again, to its own vehicles only:
   * `ofRow` is the plan for that.
   */
  const longVehicles = (
    on: Sql,
    {
      range,
      ofRow,
      page,
      values,
    }: { readonly range: ListRange; readonly ofRow: FilterPlan; readonly page: Page; readonly values: Values },
  ): MaybePromise<LongPage | string[]> => {
    const { order } = range;
    const read = (ids: readonly number[]): MaybePromise<readonly { document: string }[]> =>
      db.all(
        slices(ofRow.name, () => rowsByIds(db, matches(ofRow).select("id").select(DOCUMENT))),
        { ...ofRow.values, ids: orderedIdsValue(ids) },
      );
    const weighing = pageStatement(weights, range, (query) =>
      query.select(["id", order.value().as("value")]).select(BYTES),
    );
    return andThen(on.all(weighing, values), (weighed) => {
      const rows = weighed.slice(0, page.limit);
      const last = rows.at(-1);
      const long = slicedRows(rows, page, read);
      if (long === null || last === undefined)
        return andThen(read(rows.map(({ id }) => id)), (found) => found.map(textOf));
      return { long: mapped(long, textOf), last };
    });
  };

  /** Totals by dealer and status come from the stored counts. Others are counted. */
  const totalStatement = (plan: FilterPlan, filter: VehicleFilter): Statement<{ total: number }> =>
    totals(plan.name + (filter.status ?? ""), () => {
      if (!hasStoredCount(plan)) return matches(plan).select((v) => v.fn.countAll<number>().as("total"));
      const counted = sql.join([...new Set(filter.status ?? STATUSES)].map(sql.ref), sql` + `);
      let counts = db
        .selectFrom("dealer_inventory")
        .select(sql<number>`CAST(COALESCE(SUM(${counted}), 0) AS BIGINT)`.as("total"));
      for (const key of ["scope", "dealer_id"] as const)
        if (key in plan.values) counts = counts.where("dealer_id", "=", ofDealer(key));
      return counts;
    });

  /**
   * The total. If the page was requested by offset and is the last one, its rows tell the total, so that the vehicles
   * are not counted. Nor are they if they were before: `known`.
   */
  const totalOn = (
    on: Sql,
    { plan, filter, values }: { readonly plan: FilterPlan; readonly filter: VehicleFilter; readonly values: Values },
    {
      offset,
      limit,
      found,
      known,
    }: {
      readonly offset: number | null;
      readonly limit: number;
      readonly found: number;
      readonly known: number | null;
    },
  ): MaybePromise<number> => {
    const isEnd = offset !== null && found < limit && (found > 0 || offset === 0);
    if (isEnd && !hasStoredCount(plan)) return offset + found;
    if (known !== null) return known;
    return andThen(on.all(totalStatement(plan, filter), values), ([counted]) => counted?.total ?? 0);
  };

  const list = (query: LocatedQuery): MaybePromise<VehiclePage> => {
    const { scope, filter, order = ORDERS.newest, page, from } = query;
    const plan = filterPlanOf(db, scope, filter);
    const dealerId = scope ?? filter.dealer_id ?? null;
    const hidesIndexes = isSelective(plan) || (dealerId !== null && order.by !== "created_at");
    const inOrder = sqlOrder(db.engine, order, { hidesIndexes, from });
    // A make is the only filter that is found in another way if vehicles are read by age.
    const isMakeByAge = filter.make !== undefined && order.by === "created_at";
    const shown = isMakeByAge ? planByAge(db, scope, filter) : plan;
    const values: Values = {
      ...plan.values,
      ...orderValues(order, from),
      ...(from === null && { offset: page.offset }),
      // After a cursor, only one more row shows whether more follow, because the total does not depend on the position.
      limit: from === null ? page.limit : page.limit + 1,
      most: maxDocumentBytes(page),
    } satisfies Values & Partial<PageValues>;
    const reached = (found: number) => ({ offset: from === null ? page.offset : null, limit: page.limit, found });
    const readPage = (on: Sql, known: number | null): MaybePromise<VehiclePage> => {
      const range = { plan: shown, order: inOrder, from, isFew: known !== null && known <= FEW };
      const listed = pageStatement(pages, range, (query) => query.select(SHORT_DOCUMENT));
      return andThen(on.all(listed, values), (rows) => {
        const short = shortTexts(rows, page);
        const long = () => longVehicles(on, { range, ofRow: rowPlanOf(db, scope, filter), page, values });
        return andThen(short ?? long(), (found) =>
          andThen(totalOn(on, { plan, filter, values }, { ...reached(rows.length), known }), (total) => {
            const more =
              from === null ? page.offset + rows.length < total && rows.length > 0 : rows.length > page.limit;
            const isShort = Array.isArray(found);
            const vehicles = new JsonArray<Vehicle>(isShort ? found : []);
            const end = (): Position | null => {
              if (!isShort) return positionAfterRow(order, found.last);
              return vehicles.last === undefined ? null : positionAfter(order, vehicles.last);
            };
            return {
              total,
              vehicles,
              ...(!isShort && { long: found.long }),
              more,
              last: more ? end() : null,
              sql: listed.text,
            };
          }),
        );
      });
    };
    const countsFirst = db.engine === "postgres" && isUnordered(plan) && !inOrder.isByDistance;
    const readOn = (on: Sql): MaybePromise<VehiclePage> =>
      countsFirst
        ? andThen(on.all(totalStatement(plan, filter), values), ([counted]) => readPage(on, counted?.total ?? 0))
        : readPage(on, null);
    return andThen(readerOf(plan, query), readOn);
  };

  return (query) =>
    andThen(prepared(query.scope, query.filter), (filter) => {
      const { order = ORDERS.newest } = query;
      if (order.by !== "distance") return list({ ...query, filter });
      const metres = new Map(filter.dealers?.map((dealer) => [dealer.id, dealer.metres]));
      return list({ ...query, filter, order: { ...order, metres } });
    });
};
