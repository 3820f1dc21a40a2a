import { type Compilable, type Expression, type RawBuilder, sql } from "kysely";
import type { LongItems } from "../../core/long-items.ts";
import { LONG_BYTES, type Page } from "../../core/page.ts";
import type { SqlDatabase } from "./database.ts";
import { param } from "./statement.ts";

/** A row of a page and how many bytes its JSON takes, or at most. */
export interface Weighed {
  readonly id: number;
  readonly bytes: number;
}

/** How many bytes the rows of a list take as JSON. */
export interface Width {
  /** No row takes more. */
  readonly most: number;
  /** What the columns that are not named take at most, their names and marks included. */
  readonly rest: number;
  /**
   * Columns of text, and how many bytes one stored byte becomes: text of control characters is written as six times as
   * many, JSON as it is.
   */
  readonly columns: Readonly<Record<string, number>>;
}

/** What each byte of a text may become as JSON: `\u0001`. */
export const ESCAPED = 6;

/**
 * The bytes of a row of this table, from the lengths of its columns, which the database knows without reading the
 * texts; looked up by number, as a part of the table that has a query of its own would be read to be weighed.
 */
export const bytesOf = (table: string, { rest, columns }: Width): RawBuilder<number> => {
  const lengths = Object.entries(columns).map(
    ([column, factor]) => sql`COALESCE(octet_length(weighed.${sql.ref(column)}), 0) * ${sql.lit(factor)}`,
  );
  return sql<number>`(SELECT ${sql.lit(rest)} + ${sql.join(lengths, sql` + `)} FROM ${sql.table(table)} AS weighed
    WHERE weighed.id = ${sql.ref(`${table}.id`)})`;
};

/** True when a page of rows of at most so many bytes may be long, so that they have to be weighed before they are read. */
export const mayBeLong = ({ limit, sliceBytes }: Page, most: number): boolean =>
  sliceBytes !== undefined && limit * most > LONG_BYTES;

/** Rows of a query by id: of those that parameter `ids` lists, in its order, the ones that the query still has. */
export const byIds = <Row>(db: SqlDatabase, query: Expression<unknown>): Compilable<Row> => {
  const listed = db.rows(param<string>("ids"), { listed_id: "integer", place: "integer" });
  // By the list first, whatever the planner thinks of the query's own conditions: those of a large dealer would have it
  // go through all that the dealer has, once for each slice.
  const rows = sql<Row>`SELECT page.* FROM ${listed} AS listed CROSS JOIN ${query} AS page
    WHERE page.id = listed.listed_id ORDER BY listed.place`;
  return { compile: () => rows.compile(db.build) };
};

/** The value of parameter `ids`. */
export const listOf = (ids: readonly number[]): string => JSON.stringify(ids.map((id, place) => [id, place]));

/** The rows of a page in slices, each of about `sliceBytes` or one row; `null` when they are not long. */
export const inSlices = <Item>(
  rows: readonly Weighed[],
  { sliceBytes }: Page,
  read: (ids: readonly number[]) => ReturnType<LongItems<Item>["slices"][number]>,
): LongItems<Item> | null => {
  if (sliceBytes === undefined || rows.reduce((sum, { bytes }) => sum + bytes, 0) <= LONG_BYTES) return null;
  const groups: number[][] = [];
  let room = 0;
  for (const { id, bytes } of rows) {
    const group = bytes <= room ? groups.at(-1) : undefined;
    if (group === undefined) {
      groups.push([id]);
      room = sliceBytes - bytes;
    } else {
      group.push(id);
      room -= bytes;
    }
  }
  return { slices: groups.map((ids) => () => read(ids)) };
};
