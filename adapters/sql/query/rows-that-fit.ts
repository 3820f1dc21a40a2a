import { type RawBuilder, sql } from "kysely";
import { LONG_BYTES } from "../../../core/page.ts";

/** The total byte length of some columns of a row. The database knows it without reading the texts. */
export const byteLengthOf = (columns: readonly [string, ...string[]]): RawBuilder<number> =>
  sql<number>`${sql.join(
    columns.map((column) => sql`COALESCE(octet_length(${sql.ref(column)}), 0)`),
    sql` + `,
  )}`;

/**
 * The number of these rows that fit into one read: at most `limit`, and at most `maxBytes` together, but at least one.
 * The next read continues after them.
 */
export const rowsThatFit = (
  rows: readonly { readonly bytes: number }[],
  { limit, maxBytes = LONG_BYTES }: { readonly limit: number; readonly maxBytes?: number },
): number => {
  let room = maxBytes;
  const tooMany = rows.findIndex(({ bytes }, index) => {
    room -= bytes;
    return index > 0 && room < 0;
  });
  return Math.min(limit, tooMany < 0 ? rows.length : tooMany);
};
