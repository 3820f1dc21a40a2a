import { type Compilable, type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { LongItems } from "../../../core/long-items.ts";
import { LONG_BYTES, type Page } from "../../../core/page.ts";
import type { SqlDatabase } from "./database.ts";
import type { Queries } from "./driver.ts";
import { param } from "./statement.ts";

/** A row of a page, with the size of its JSON in bytes or an upper bound of it. */
export interface MeasuredRow {
  readonly id: number;
  readonly bytes: number;
}

/** The columns of a row that contain free text. Columns of fixed words and timestamps are not among them. */
type TextColumn<Row> = {
  [Column in keyof Row & string]: Column extends `${string}_at`
    ? never
    : string extends NonNullable<Row[Column]>
      ? Column
      : never;
}[keyof Row & string];

/** The size of a list's rows as JSON. */
export interface RowSize<Row> {
  /** The maximum size of a row in bytes. */
  readonly maxBytes: number;
  /** The maximum size of everything that `textColumns` does not count, including field names and punctuation. */
  readonly otherBytes: number;
  /**
   * The text columns, each with the factor by which a stored byte may grow: control characters become six characters in
   * JSON, while stored JSON stays as it is. The factor is 0 for a short text that `otherBytes` includes.
   */
  readonly textColumns: Readonly<Record<TextColumn<Row>, number>>;
}

/** The maximum number of JSON bytes that one byte of text can take, as in `\u0001`. */
export const JSON_ESCAPE_FACTOR = 6;

/**
 * The size of a table's row, computed from the lengths of its columns, which the database knows without reading the
 * texts. The row is looked up by id, because measuring a subquery would read its texts.
 */
export const rowBytes = <Row>(
  table: string,
  { otherBytes: rest, textColumns: columns }: RowSize<Row>,
): RawBuilder<number> => {
  const lengths = Object.entries<number>(columns)
    .filter(([, factor]) => factor > 0)
    .map(([column, factor]) => sql`COALESCE(octet_length(weighed.${sql.ref(column)}), 0) * ${sql.lit(factor)}`);
  return sql<number>`(SELECT ${sql.lit(rest)} + ${sql.join(lengths, sql` + `)} FROM ${sql.table(table)} AS weighed
    WHERE weighed.id = ${sql.ref(`${table}.id`)})`;
};

/** True if a page may be long, given the maximum size of a row. Its rows must then be measured before they are read. */
export const mayBeLong = ({ limit, sliceBytes }: Page, most: number): boolean =>
  sliceBytes !== undefined && limit * most > LONG_BYTES;

/**
 * The rows of a query whose ids are listed in parameter `ids`, in that order. Rows that no longer match are left out.
 */
export const rowsByIds = <Row>(db: SqlDatabase, query: Expression<unknown>): Compilable<Row> => {
  const listed = db.jsonRows(param<string>("ids"), { listed_id: "integer", place: "integer" });
  // With CROSS JOIN the planner starts from the list. If it started with the query's own conditions, it would read all
  // rows of a large dealer once for each slice.
  const rows = sql<Row>`SELECT page.* FROM ${listed} AS listed CROSS JOIN ${query} AS page
    WHERE page.id = listed.listed_id ORDER BY listed.place`;
  return { compile: () => rows.compile(db) };
};

/** Reads the rows of a query that have these ids, in that order: see `rowsByIds`. */
export const readByIds = <Row>(
  { jsonRows }: Pick<SqlDatabase, "jsonRows">,
  on: Queries,
  { ids, rows }: { readonly ids: readonly number[]; readonly rows: SelectQueryBuilder<never, never, Row> },
): Promise<readonly Row[]> => {
  const listed = jsonRows(sql.val(orderedIdsValue(ids)), { listed_id: "integer", place: "integer" });
  const found = on.selectFrom(listed.as("listed")).crossJoin(rows.as("page")).selectAll("page");
  return found.where(sql<SqlBool>`page.id = listed.listed_id`).orderBy("listed.place").execute() as Promise<never>;
};

/** The value of parameter `ids` for `rowsByIds`. */
export const orderedIdsValue = (ids: readonly number[]): string => JSON.stringify(ids.map((id, place) => [id, place]));

const isListed = (db: SqlDatabase, ids: RawBuilder<string>): RawBuilder<SqlBool> =>
  sql<SqlBool>`id IN (SELECT listed_id FROM ${db.jsonRows(ids, { listed_id: "integer" })} AS listed)`;

/** The WHERE condition that the row's id is in parameter `ids`. The value of the parameter is `idsValue`. */
export const isInIds = (db: SqlDatabase): RawBuilder<SqlBool> => isListed(db, param<string>("ids"));

/** The WHERE condition that the row's id is one of these. However many they are, the text is the same. */
export const isOneOf = (db: SqlDatabase, ids: readonly number[]): RawBuilder<SqlBool> =>
  isListed(db, sql.val(idsValue(ids)));

/** A query for these ids, to compare any column of a typed query with. However many they are, the text is the same. */
export const givenIds = (db: SqlDatabase, ids: readonly number[]) =>
  db.selectFrom(db.jsonRows(sql.val(idsValue(ids)), { listed_id: "integer" }).as("listed")).select("listed_id");

/** The value of parameter `ids` for `isInIds`. */
export const idsValue = (ids: readonly number[]): string => JSON.stringify(ids.map((id) => [id]));

/** The rows of a page in slices of about `sliceBytes`, with at least one row each. `null` if the page is not long. */
export const slicedRows = <Item>(
  rows: readonly MeasuredRow[],
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
