import { type Compilable, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { Listing, Page } from "../../core/page.ts";
import type { SqlDatabase, Values } from "./database.ts";
import { param, statementCache } from "./statement.ts";

/** An order of a list; the name tells it from the list's others. */
interface Order {
  readonly name: string;
  readonly by: RawBuilder<unknown>;
}

/**
 * A list that is newest first, then by id descending, unless another order is asked for, with the count of all matches.
 * `query` builds the query for the filters that are present, once for each set of them; the filters' values are bound
 * at every call. A page `after` a place in the usual order begins right behind it, whatever its offset.
 */
export const listing = <Row>(
  db: SqlDatabase,
  table: string,
  query: (has: (filter: string) => boolean) => SelectQueryBuilder<never, never, Row>,
) => {
  const pages = statementCache<Row>();
  const totals = statementCache<{ total: number }>();

  const newestFirst: Order = {
    name: "newest first",
    by: sql`${sql.ref(`${table}.created_at`)} DESC, ${sql.ref(`${table}.id`)} DESC`,
  };

  return async (
    filters: Values,
    page: Page,
    after: { readonly created_at: string; readonly id: number } | null = null,
    order = newestFirst,
  ): Promise<Listing<Row>> => {
    const shape = Object.keys(filters).join();
    const has = (filter: string): boolean => filter in filters;
    const behind = sql<SqlBool>`(${sql.ref(`${table}.created_at`)}, ${sql.ref(`${table}.id`)}) < (${param("after.created_at")}, ${param("after.id")})`;
    const place: Values = after === null ? {} : { "after.created_at": after.created_at, "after.id": after.id };
    const items = await db.all(
      pages(`${shape} ${after !== null} ${order.name}`, () =>
        query(has)
          .$if(after !== null, (all) => all.where(behind))
          .modifyEnd(sql`ORDER BY ${order.by} LIMIT ${param("limit")} OFFSET ${param("offset")}`),
      ),
      { ...filters, ...place, limit: page.limit, offset: after === null ? page.offset : 0 },
    );
    const [counted] = await db.all(
      totals(
        shape,
        () =>
          query(has).clearSelect().select(sql<number>`count(*)`.as("total")) as unknown as Compilable<{
            total: number;
          }>,
      ),
      filters,
    );
    return { total: counted?.total ?? 0, items };
  };
};
