import { type Compilable, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { Listing, ListOrder, Page } from "../../../core/page.ts";
import type { Sql, SqlDatabase } from "./database.ts";
import {
  type MeasuredRow,
  mayBeLong,
  orderedIdsValue,
  type RowSize,
  rowBytes,
  rowsByIds,
  slicedRows,
} from "./slices.ts";
import { param, type Statement, statementCache, type Values } from "./statement.ts";

/** An order of a list. The name is unique within the list. */
export interface Order {
  readonly name: string;
  readonly by: RawBuilder<unknown>;
  readonly isComputed?: true;
}

/** A position in the default order of a list: the place directly after this row. */
interface RowPosition {
  readonly created_at: string;
  readonly id: number;
}

/**
 * A value by which a list can be sorted. Only values that may be unset get NULLS LAST, because it prevents index scans.
 */
export interface SortKey {
  readonly value: RawBuilder<unknown>;
  readonly mayBeUnset?: true;
  /** Set if finding a page reads every row, and rows are long. Only the ids are sorted then. */
  readonly isComputed?: true;
}

/** The order of a list of a table. Rows with equal values are sorted by id. */
export const orderedBy = <Sort extends string>(
  table: string,
  sorts: Readonly<Record<Sort, SortKey>>,
  { by, ascending }: ListOrder<Sort>,
): Order => {
  const direction = sql.raw(ascending ? "ASC" : "DESC");
  const { value, mayBeUnset, isComputed } = sorts[by];
  const last = mayBeUnset ? sql` NULLS LAST` : sql``;
  return {
    name: `${by} ${ascending}`,
    by: sql`${value} ${direction}${last}, ${sql.ref(`${table}.id`)} ${direction}`,
    ...(isComputed && { isComputed }),
  };
};

type Query<Row> = (has: (filter: string) => boolean) => SelectQueryBuilder<never, never, Row>;

/** A page, with the position of its last row if more rows follow. */
interface ListPage<Item> extends Listing<Item> {
  readonly last: RowPosition | null;
}

/** A request for a page of a list: the filters, and the place where the page begins. */
interface ListRequest {
  readonly filters: Values;
  readonly page: Page;
  readonly after?: RowPosition | null;
  /** False if nobody reads the total. It is 0 then. */
  readonly isCounted?: boolean;
  readonly order?: Order;
  /** Where the page and its slices are read from. By default it is the database. */
  readonly source?: Sql;
}

/**
 * A list with the number of all matches. It is sorted by time of creation and id, both descending, unless another order
 * is requested. `query` builds the query for the filters that are present, once for each combination of filters; the
 * values of filters are bound at every call. A page `after` a position begins directly after it and ignores the offset.
 * If a page may be long, given the maximum size of its rows, the rows are measured before they are read (see
 * slices.ts). If every row must be read, the ids of the page and the total are found in one pass; the page is then read
 * by id.
 */
export const listing = <Row extends RowPosition>(
  db: SqlDatabase,
  {
    table,
    rowSize,
    byIdQuery,
    isFullScan = () => false,
  }: {
    readonly table: string;
    readonly rowSize: RowSize<NoInfer<Row>>;
    /** The same query for rows that are read by id, if `query` is unsuitable for that. */
    readonly byIdQuery?: Query<Row>;
    /** True if the filters make the query read every row, as a search does. */
    readonly isFullScan?: (has: (filter: string) => boolean) => boolean;
  },
  query: Query<Row>,
) => {
  const pages = statementCache<Row>();
  const weights = statementCache<MeasuredRow & RowPosition>();
  const slices = statementCache<Row>();
  const totals = statementCache<{ total: number }>();
  const scans = statementCache<RowPosition & { total: number }>();
  const weightsOfIds = statementCache<MeasuredRow>();

  const column = (name: string): string => `${table}.${name}`;
  const newestFirst: Order = {
    name: "newest first",
    by: sql`${sql.ref(column("created_at"))} DESC, ${sql.ref(column("id"))} DESC`,
  };
  const isAfterPosition = sql<SqlBool>`(${sql.ref(column("created_at"))}, ${sql.ref(column("id"))}) < (${param("after.created_at")}, ${param("after.id")})`;
  const orderedPage = <Selected>(
    selected: SelectQueryBuilder<never, never, Selected>,
    isAfter: boolean,
    order: Order,
  ): Compilable<Selected> =>
    selected
      .$if(isAfter, (all) => all.where(isAfterPosition))
      .modifyEnd(sql`ORDER BY ${order.by} LIMIT ${param("limit")} OFFSET ${param("offset")}`);
  const counted = [
    sql.ref<number>(column("id")).as("id"),
    sql.ref<string>(column("created_at")).as("created_at"),
    sql<number>`count(*) OVER ()`.as("total"),
  ] as const;
  const weighedIds = (): Statement<MeasuredRow> =>
    weightsOfIds("", () =>
      rowsByIds(db, sql`(SELECT id, ${rowBytes(table, rowSize)} AS bytes FROM ${sql.table(table)})`),
    );
  const weight = [
    sql.ref<number>(column("id")).as("id"),
    sql.ref<string>(column("created_at")).as("created_at"),
    rowBytes(table, rowSize).as("bytes"),
  ] as const;

  return async ({
    filters,
    page,
    after = null,
    order = newestFirst,
    isCounted = true,
    source = db,
  }: ListRequest): Promise<ListPage<Row>> => {
    const shape = Object.keys(filters).join();
    const has = (filter: string): boolean => filter in filters;
    const variant = `${shape} ${after !== null} ${order.name}`;
    const values: Values = {
      ...filters,
      ...(after !== null && { "after.created_at": after.created_at, "after.id": after.id }),
      // One row more than the page is read, to find out whether more rows follow.
      limit: page.limit + 1,
      offset: after === null ? page.offset : 0,
    };
    const slice = (ids: readonly number[]) =>
      source.all(
        slices(shape, () => rowsByIds<Row>(db, (byIdQuery ?? query)(has))),
        { ...filters, ids: orderedIdsValue(ids) },
      );
    const count = async (): Promise<number> => {
      if (!isCounted) return 0;
      const [counted] = await source.all(
        totals(
          shape,
          () =>
            query(has).clearSelect().select(sql<number>`count(*)`.as("total")) as unknown as Compilable<{
              total: number;
            }>,
        ),
        filters,
      );
      return counted?.total ?? 0;
    };
    if (order.isComputed || isFullScan(has)) {
      const found = await source.all(
        scans(variant, () => orderedPage(query(has).clearSelect().select(counted), after !== null, order)),
        values,
      );
      // A page after the last match has no rows, and therefore no total.
      const isKnown = after === null && (found.length > 0 || page.offset === 0);
      const ids = found.slice(0, page.limit).map(({ id }) => id);
      const weighing = mayBeLong(page, rowSize.maxBytes)
        ? await source.all(weighedIds(), { ids: orderedIdsValue(ids) })
        : null;
      const long = weighing && slicedRows(weighing, page, slice);
      return {
        total: isKnown ? (found[0]?.total ?? 0) : await count(),
        items: long === null && ids.length > 0 ? await slice(ids) : [],
        ...(long !== null && { long }),
        last: found.length > page.limit ? (found[page.limit - 1] ?? null) : null,
      };
    }
    const weighed = (): Statement<MeasuredRow & RowPosition> =>
      weights(variant, () => orderedPage(query(has).clearSelect().select(weight), after !== null, order));
    const weighing = mayBeLong(page, rowSize.maxBytes) ? await source.all(weighed(), values) : null;
    const long = weighing && slicedRows(weighing.slice(0, page.limit), page, slice);
    const rows =
      long === null
        ? await source.all(
            pages(variant, () => orderedPage(query(has), after !== null, order)),
            values,
          )
        : [];
    const found: readonly RowPosition[] = long === null ? rows : (weighing ?? []);
    return {
      total: await count(),
      items: rows.slice(0, page.limit),
      ...(long !== null && { long }),
      last: found.length > page.limit ? (found[page.limit - 1] ?? null) : null,
    };
  };
};
