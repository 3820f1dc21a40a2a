import { type SelectQueryBuilder, sql } from "kysely";
import type { SqlDatabase } from "./database.ts";
import { readerByRowCount } from "./reader-by-row-count.ts";
import { byteLengthOf, rowsThatFit } from "./rows-that-fit.ts";
import { type Param, param, statementCache, type Values } from "./statement.ts";
import type { Tables } from "./tables.ts";

/** The position of a page's last record: its id and its timestamp. */
interface RowPosition {
  readonly id: number;
  readonly at: string;
}

/** The filters of a list: which of them are set, and the parameters with their values. */
export interface Filtering<Filters extends Values> {
  has(filter: keyof Filters & string): boolean;
  readonly param: Param<Filters>;
}

interface PageRequest<Filters extends Values> {
  /**
   * The dealer whose records are read; `null` for the records of all dealers. The filters must restrict the query in
   * the same way.
   */
  readonly dealer: number | null;
  /** The values of the filters that are set. */
  readonly filters: Partial<Filters>;
  readonly limit: number;
  /** The position at which the previous page ended; `null` for the first page. */
  readonly after: RowPosition | null;
}

interface NewestPage<Row> {
  readonly rows: readonly Row[];
  /** The number of all records that match the filters. */
  readonly total: number;
  /** The position at which this page ends; `null` if no records follow. */
  readonly next: RowPosition | null;
}

/**
 * Returns a function that reads pages of records, newest first. `matching` builds the query for all records that the
 * filters match, without an order; it asks `has` which filters are set. The type of its argument says which there are. `texts` are the columns that may be long: a
 * page with long texts ends early. If a dealer has many records, they are read as a long read.
 */
export const newestFirstPages = <
  Table extends keyof Tables,
  Row extends { readonly id: number; readonly created_at: string },
  Filters extends Values,
>(
  db: SqlDatabase,
  { table, texts }: { readonly table: Table; readonly texts: readonly [string, ...string[]] },
  matching: (by: Filtering<Filters>) => SelectQueryBuilder<Tables, Table, Row>,
): ((wanted: PageRequest<Filters>) => Promise<NewestPage<Row>>) => {
  const pages = statementCache<Row>();
  const weights = statementCache<{ bytes: number }>();
  const totals = statementCache<{ total: number }>();
  const whereRead = readerByRowCount(db, table);
  return async ({ dealer, filters: given, limit, after }) => {
    const filters = given as Values;
    const on = await whereRead(dealer === null ? null : { column: "dealer_id", value: dealer });
    const name = Object.keys(filters).join();
    const found = () => matching({ has: (filter) => filter in filters, param });
    const placed = <Selected>(query: SelectQueryBuilder<Tables, Table, Selected>) =>
      query
        .$if(after !== null, (behind) =>
          behind.where(sql<boolean>`(created_at, id) < (${param("at")}, ${param("id")})`),
        )
        .orderBy(sql`created_at`, "desc")
        .orderBy(sql`id`, "desc")
        .limit(param<number>("limit"));
    const shape = `${name} ${after !== null}`;
    const values = { ...filters, ...(after !== null && { ...after }) };
    const weighed = await on.all(
      weights(shape, () => placed(found().clearSelect().select(byteLengthOf(texts).as("bytes")))),
      { ...values, limit: limit + 1 },
    );
    const fits = rowsThatFit(weighed, { limit });
    const page = pages(shape, () => placed(found()));
    const rows = fits === 0 ? [] : await on.all(page, { ...values, limit: fits });
    const [count] = await on.all(
      totals(name, () => found().clearSelect().select(sql<number>`count(*)`.as("total"))),
      filters,
    );
    const last = rows.at(-1);
    const next = weighed.length > fits && last !== undefined ? { id: last.id, at: last.created_at } : null;
    return { rows, total: count?.total ?? 0, next };
  };
};
