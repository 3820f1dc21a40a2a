import { type RawBuilder, type SqlBool, sql } from "kysely";
import { type SearchedWord, searchedWords } from "../../../core/search/words.ts";

import { param, type Values } from "../query/statement.ts";

/** How the names of all parameters begin that are looked for in stored words. */
export const SEARCHED_TEXT = "q.";
/** The parameter of a word's part. */
export const partName = (word: number, part: number): string => `${SEARCHED_TEXT}${word}.${part}`;
/** The parameter of a word whose parts are written as one. */
export const joinedName = (word: number): string => `${SEARCHED_TEXT}${word}.joined`;

/**
 * The values of a search, as filters of a list. The names of the filters say how many parts each word has, so that
 * searches of the same form share a statement. A search without words finds nothing. Words of one part come first, as
 * they are probably the rarest.
 */
export const searchValues = (q: string): Values => wordValues(searchedWords(q));

/** The same values for words that are already split. */
export const wordValues = (searched: readonly SearchedWord[]): Values => {
  const values: Record<string, string> = {};
  const words = searched.toSorted((one, other) => one.parts.length - other.parts.length);
  for (const [word, { parts, joined }] of words.entries()) {
    for (const [part, text] of parts.entries()) values[partName(word, part)] = ` ${text}`;
    if (joined !== null) values[joinedName(word)] = ` ${joined}`;
  }
  return words.length > 0 ? values : { [partName(0, 0)]: MATCHES_NOTHING };
};

/** Stored words contain no double spaces, so this matches none of them, with or without its first space. */
const MATCHES_NOTHING = "   ";

const numbersWhile = (isPresent: (number: number) => boolean): readonly number[] => {
  const numbers: number[] = [];
  while (isPresent(numbers.length)) numbers.push(numbers.length);
  return numbers;
};

/** True if these filters belong to a search. */
export const isSearch = (has: (filter: string) => boolean): boolean => has(partName(0, 0));

/** The WHERE condition of a search. `found` matches one text; `has` tells which of the `searchValues` are present. */
export const hasWords = (
  has: (filter: string) => boolean,
  found: (text: RawBuilder<string>) => RawBuilder<SqlBool>,
): RawBuilder<SqlBool> => {
  const foundWord = (word: number): RawBuilder<SqlBool> => {
    const parts = numbersWhile((part) => has(partName(word, part))).map((part) => found(param(partName(word, part))));
    const all = sql<SqlBool>`(${sql.join(parts, sql` AND `)})`;
    return has(joinedName(word)) ? sql<SqlBool>`(${all} OR ${found(param(joinedName(word)))})` : all;
  };
  return sql<SqlBool>`(${sql.join(numbersWhile((word) => has(partName(word, 0))).map(foundWord), sql` AND `)})`;
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
