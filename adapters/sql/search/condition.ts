import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { SearchedWord } from "../../../core/search/words.ts";

/**
 * The WHERE condition that texts have all words. `found` matches one text. Words of one part come first, as they are
 * probably the rarest. A search without words finds nothing.
 */
export const hasWords = (
  searched: readonly SearchedWord[],
  found: (text: RawBuilder<string>) => RawBuilder<SqlBool>,
): RawBuilder<SqlBool> => {
  const begins = (text: string): RawBuilder<SqlBool> => found(sql.val(` ${text}`));
  const words = searched
    .toSorted((one, other) => one.parts.length - other.parts.length)
    .map(({ parts, joined }) => {
      const all = sql<SqlBool>`(${sql.join(parts.map(begins), sql` AND `)})`;
      return joined === null ? all : sql<SqlBool>`(${all} OR ${begins(joined)})`;
    });
  return words.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`(${sql.join(words, sql` AND `)})`;
};

/**
 * The rows of a table whose words match. If there are `few` rows, such as those of one dealer, only their words are
 * read. Otherwise all words are read once, which is cheaper than reading them row by row.
 */
export const withWords = (
  { table, words, id }: { readonly table: string; readonly words: string; readonly id: string },
  few: boolean,
  holds: RawBuilder<SqlBool>,
): RawBuilder<SqlBool> => {
  const [rowId, wordsId] = [sql.ref(`${table}.id`), sql.ref(`${words}.${id}`)];
  return few
    ? sql<SqlBool>`EXISTS (SELECT 1 FROM ${sql.table(words)} WHERE ${wordsId} = ${rowId} AND ${holds})`
    : sql<SqlBool>`${rowId} IN (SELECT ${wordsId} FROM ${sql.table(words)} WHERE ${holds})`;
};
