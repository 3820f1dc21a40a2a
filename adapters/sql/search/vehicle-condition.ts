import { type RawBuilder, type SqlBool, sql } from "kysely";
import { type SearchedVehicleWord, searchedVehicleWords } from "../../../core/vehicles/vehicle-words.ts";
import type { SqlDatabase } from "../query/database.ts";
import { type Condition, condition, type Param, param, type Values } from "../query/statement.ts";

/** How the names of all parameters begin that are looked for in stored words. */
export const SEARCHED_TEXT = "q.";
type TextName = `${typeof SEARCHED_TEXT}${string}`;
/** The texts that are looked for in stored words. */
type Texts = Readonly<Record<TextName, string>>;
/** The parameter of a word's part. */
const partName = (word: number, part: number): TextName => `${SEARCHED_TEXT}${word}.${part}`;
/** The parameter of a word whose parts are written as one. */
const joinedName = (word: number): TextName => `${SEARCHED_TEXT}${word}.joined`;
const text: Param<Texts> = param;

/** Words consist of letters and digits only, so nothing between these quotes can be read as syntax. */
const INDEX_SYNTAX = {
  sqlite: { begins: (text: string) => `"${text}"*`, is: (text: string) => `"${text}"`, and: " AND ", or: " OR " },
  postgres: { begins: (text: string) => `'${text}':*`, is: (text: string) => `'${text}'`, and: " & ", or: " | " },
} as const;

/** The query for the index of all dealers' words. */
const indexQuery = (engine: SqlDatabase["engine"], words: readonly SearchedVehicleWord[]): string => {
  const { begins, is, and, or } = INDEX_SYNTAX[engine];
  return words
    .map(({ parts, joined, others }) => {
      const ways = [
        `(${parts.map(begins).join(and)})`,
        ...(joined === null ? [] : [begins(joined)]),
        ...others.map(({ words: other, areWhole }) => `(${other.map(areWhole ? is : begins).join(and)})`),
      ];
      return ways.length === 1 ? ways.join("") : `(${ways.join(or)})`;
    })
    .join(and);
};

/** The parameter of a word that may stand for a searched one. */
const otherName = (word: number, place: number, part: number): TextName =>
  `${SEARCHED_TEXT}${word}.other.${place}.${part}`;

/** The searched parts of stored words, by the names of their parameters. */
const storedValues = (words: readonly SearchedVehicleWord[]): Texts =>
  Object.fromEntries(
    words.flatMap(({ parts, joined, others }, word) => [
      ...parts.map((text, part) => [partName(word, part), ` ${text}`] as const),
      ...(joined === null ? [] : [[joinedName(word), ` ${joined}`] as const]),
      ...others.flatMap(({ words: other, areWhole }, place) =>
        other.map((text, part) => [otherName(word, place, part), areWhole ? ` ${text} ` : ` ${text}`] as const),
      ),
    ]),
  );

/** True if the stored words of a row match. */
const holds = (
  db: SqlDatabase,
  words: readonly SearchedVehicleWord[],
  stored: RawBuilder<string>,
): RawBuilder<SqlBool> => {
  const found = (name: TextName) => db.contains(stored, text(name));
  // Behind the last word there is no blank.
  const isThere = (name: TextName) => db.contains(sql<string>`(${stored} || ' ')`, text(name));
  const every = (conditions: readonly RawBuilder<SqlBool>[]) => sql<SqlBool>`(${sql.join(conditions, sql` AND `)})`;
  const conditions = words.map(({ parts, joined, others }, word) => {
    const ways = [
      every(parts.map((_, part) => found(partName(word, part)))),
      ...(joined === null ? [] : [found(joinedName(word))]),
      ...others.map(({ words: other, areWhole }, place) =>
        every(other.map((_, part) => (areWhole ? isThere : found)(otherName(word, place, part)))),
      ),
    ];
    return ways.length === 1 ? sql<SqlBool>`${sql.join(ways)}` : sql<SqlBool>`(${sql.join(ways, sql` OR `)})`;
  });
  return sql<SqlBool>`${sql.join(conditions, sql` AND `)}`;
};

const shapeOf = (words: readonly SearchedVehicleWord[]): string =>
  words
    .map(({ parts, joined, others }) => {
      const more = others.map(({ words: other, areWhole }) => `${areWhole ? "w" : "b"}${other.length}`);
      return `${parts.length}${joined === null ? "" : "j"}${more.join("")}`;
    })
    .join();

const STORED = sql<string>`vehicle_words.words`;

/** The ids of the vehicles that have the words, of all dealers. */
const found = (db: SqlDatabase, words: readonly SearchedVehicleWord[]): RawBuilder<{ id: number }> =>
  db.engine === "postgres"
    ? sql`SELECT vehicle_id AS id FROM vehicle_words
        WHERE array_to_tsvector(string_to_array(substr(words, 2), ' ')) @@ CAST(${param("q")} AS text)::tsquery`
    : sql`SELECT rowid AS id FROM vehicle_index WHERE vehicle_index MATCH ${param("q")}
          AND rowid NOT IN (SELECT vehicle_id FROM vehicle_words_fresh)
        UNION ALL SELECT vehicle_words.vehicle_id FROM vehicle_words_fresh
          CROSS JOIN vehicles AS fresh ON fresh.id = vehicle_words_fresh.vehicle_id
          CROSS JOIN vehicle_words
            ON vehicle_words.dealer_id = fresh.dealer_id AND vehicle_words.vehicle_id = fresh.id
          WHERE ${holds(db, words, STORED)}`;

/** The parameter that contains the dealer of a search. */
export type DealerParameter = "scope" | "dealer_id";

/**
 * The ids of a dealer's vehicles that have the words. On PostgreSQL they are found once, whatever it knows of the tables:
 * without statistics it takes them for one or two, and read the words of all vehicles again for each of them.
 */
const foundOfDealer = (
  db: SqlDatabase,
  words: readonly SearchedVehicleWord[],
  dealer: DealerParameter,
): RawBuilder<{ id: number }> => {
  const ids = sql<{ id: number }>`SELECT vehicle_id AS id FROM vehicle_words
    WHERE vehicle_words.dealer_id = ${param(dealer)} AND ${holds(db, words, STORED)}`;
  return db.engine === "postgres" ? sql`SELECT unnest(ARRAY(${ids})) AS id` : ids;
};

/** The ids of the vehicles that have the words of a query. Searches of the same form have the same SQL text. */
export interface WordsSearch {
  readonly form: string;
  readonly ids: () => RawBuilder<{ id: number }>;
  readonly values: Values;
  /** The number of texts that are looked for in the stored words of each vehicle. */
  readonly searchedTexts: number;
}

/**
 * Finds the vehicles that have every word of a query. For one dealer, whose id is in parameter `dealer`, it reads the
 * stored words one by one, so that other dealers' vehicles cost nothing. For all dealers it uses the index.
 */
export const wordsSearch = (db: SqlDatabase, q: string, dealer: DealerParameter | null): WordsSearch => {
  const words = searchedVehicleWords(q);
  const texts = storedValues(words);
  const form = `q:${shapeOf(words)}`;
  if (dealer !== null)
    return {
      form,
      ids: () => foundOfDealer(db, words, dealer),
      values: texts,
      searchedTexts: Object.keys(texts).length,
    };
  const isOnSqlite = db.engine === "sqlite";
  return {
    form,
    ids: () => found(db, words),
    values: { ...(isOnSqlite && texts), q: indexQuery(db.engine, words) },
    searchedTexts: isOnSqlite ? Object.keys(texts).length : 0,
  };
};

/** The condition that a vehicle is one of those. */
export const wordsCondition = (db: SqlDatabase, q: string, dealer: DealerParameter | null): Condition => {
  const { form, ids, values } = wordsSearch(db, q, dealer);
  return condition(form, values, () => sql`"id" IN (${ids()})`);
};

/** The same condition for one vehicle at a time. It reads only that vehicle's stored words. */
export const wordsOfRow = (db: SqlDatabase, q: string): Condition => {
  const words = searchedVehicleWords(q);
  return condition(
    `q:${shapeOf(words)}`,
    storedValues(words),
    () => sql`EXISTS (SELECT 1 FROM vehicle_words WHERE vehicle_words.dealer_id = vehicles.dealer_id
        AND vehicle_words.vehicle_id = vehicles.id AND ${holds(db, words, STORED)})`,
  );
};
