import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { Listing, ListOrder, Page } from "../../../core/page.ts";
import type { Reader, SqlDatabase } from "./database.ts";
import type { Queries } from "./driver.ts";
import { type MeasuredRow, mayBeLong, type RowSize, readByIds, rowBytes, slicedRows } from "./slices.ts";

/** An order of a list. */
export interface Order {
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
    by: sql`${value} ${direction}${last}, ${sql.ref(`${table}.id`)} ${direction}`,
    ...(isComputed && { isComputed }),
  };
};

/** The rows that match a request, in no order. */
type Matching<Row> = SelectQueryBuilder<never, never, Row>;

/** A page, with the position of its last row if more rows follow. */
interface ListPage<Item> extends Listing<Item> {
  readonly last: RowPosition | null;
}

/** A request for a page of a list, and the place where the page begins. */
interface ListRequest<Row> {
  /** Builds the query for the rows that match. If they are read by id, another query may suit that better. */
  readonly rows: (on: Queries, isById: boolean) => Matching<Row>;
  /** True if the query reads every row, as a search does. */
  readonly isFullScan?: boolean;
  readonly page: Page;
  readonly after?: RowPosition | null;
  /** False if nobody reads the total. It is 0 then. */
  readonly isCounted?: boolean;
  readonly order?: Order;
  /** Where the page and its slices are read from. By default it is the database. */
  readonly source?: Reader;
}

/**
 * A list with the number of all matches. It is sorted by time of creation and id, both descending, unless another order
 * is requested. A page `after` a position begins directly after it and ignores the offset. If a page may be long, given
 * the maximum size of its rows, the rows are measured before they are read (see slices.ts). If every row must be read,
 * the ids of the page and the total are found in one pass; the page is then read by id.
 */
export const listing = <Row extends RowPosition>(
  db: SqlDatabase,
  { table, rowSize }: { readonly table: string; readonly rowSize: RowSize<NoInfer<Row>> },
): ((request: ListRequest<Row>) => Promise<ListPage<Row>>) => {
  const [id, createdAt] = [sql.ref<number>(`${table}.id`), sql.ref<string>(`${table}.created_at`)];
  const newestFirst: Order = { by: sql`${createdAt} DESC, ${id} DESC` };
  const position = [id.as("id"), createdAt.as("created_at")] as const;
  const bytes = rowBytes(table, rowSize);

  return async ({
    rows,
    isFullScan = false,
    page,
    after = null,
    order = newestFirst,
    isCounted = true,
    source = db,
  }): Promise<ListPage<Row>> => {
    const matching = rows(source, false);
    /** The page. One row more is read, to find out whether more rows follow. */
    const placed = <Selected>(selected: Matching<Selected>): Promise<Selected[]> =>
      selected
        .$if(after !== null, (all) =>
          all.where(sql<SqlBool>`(${createdAt}, ${id}) < (${after?.created_at}, ${after?.id})`),
        )
        .modifyEnd(sql`ORDER BY ${order.by} LIMIT ${page.limit + 1} OFFSET ${after === null ? page.offset : 0}`)
        .execute() as Promise<Selected[]>;
    const byIds = <Found>(ids: readonly number[], found: Matching<Found>): Promise<readonly Found[]> =>
      readByIds(db, source, { ids, rows: found });
    const slice = (ids: readonly number[]): Promise<readonly Row[]> => byIds(ids, rows(source, true));
    const count = async (): Promise<number> => {
      if (!isCounted) return 0;
      const counted = await matching.clearSelect().select(sql<number>`count(*)`.as("total")).executeTakeFirst();
      return counted?.total ?? 0;
    };
    const lastOf = (found: readonly RowPosition[]): RowPosition | null =>
      found.length > page.limit ? (found[page.limit - 1] ?? null) : null;
    const isWeighed = mayBeLong(page, rowSize.maxBytes);
    if (order.isComputed || isFullScan) {
      const total = sql<number>`count(*) OVER ()`.as("total");
      const found = await placed(matching.clearSelect().select([...position, total]));
      // A page after the last match has no rows, and therefore no total.
      const isKnown = after === null && (found.length > 0 || page.offset === 0);
      const ids = found.slice(0, page.limit).map((row) => row.id);
      const weighed = sql<MeasuredRow>`(SELECT id, ${bytes} AS bytes FROM ${sql.table(table)})`;
      const weighing = isWeighed ? await byIds<MeasuredRow>(ids, weighed as unknown as Matching<MeasuredRow>) : null;
      const long = weighing && slicedRows(weighing, page, slice);
      return {
        total: isKnown ? (found[0]?.total ?? 0) : await count(),
        items: long === null && ids.length > 0 ? await slice(ids) : [],
        ...(long !== null && { long }),
        last: lastOf(found),
      };
    }
    const weighing = isWeighed ? await placed(matching.clearSelect().select([...position, bytes.as("bytes")])) : null;
    const long = weighing && slicedRows(weighing.slice(0, page.limit), page, slice);
    const read = long === null ? await placed(matching) : [];
    return {
      total: await count(),
      items: read.slice(0, page.limit),
      ...(long !== null && { long }),
      last: lastOf(long === null ? read : (weighing ?? [])),
    };
  };
};
