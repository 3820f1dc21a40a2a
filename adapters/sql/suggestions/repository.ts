import { type Compilable, type RawBuilder, type SqlBool, sql } from "kysely";
import { andThen } from "../../../core/maybe-promise.ts";
import type { SearchedWord } from "../../../core/search/words.ts";
import {
  beginsWords,
  lastWordOf,
  SUGGESTION_KINDS,
  type SuggestedTexts,
  type SuggestionKind,
  type TextCounts,
  textsOfVin,
} from "../../../core/suggestions/suggestion.ts";
import type { SuggestionRepository } from "../../../core/suggestions/suggestion-repository.ts";
import type { SqlDatabase } from "../query/database.ts";
import { readerByCost } from "../query/reader-by-cost.ts";
import { param, statementCache, type Values } from "../query/statement.ts";
import { type FilterPlan, filterPlanOf, matchingPlan, SEARCHED_TABLE, searchOf } from "../vehicles/filter-plan.ts";

/** The time that a suggestion takes for each vehicle in reach, in µs. */
const MICROSECONDS_PER_VEHICLE = 5;
/**
 * The maximum number of texts that are compared in this process. Usually all of them have the word, but only the
 * service can compare letters beyond ASCII. More would block the event loop, as each vehicle may have another make and
 * model.
 */
const MAX_CANDIDATES = 1000;

type Row = TextCounts[number] & { readonly kind: SuggestionKind };
type Wanted = { readonly kind: SuggestionKind; readonly limit: number };

/** Characters that join words. Without them, a value contains the joined forms as words. */
const JOINING_CHARACTERS = ["-", ".", "/", "'"];

const partName = (part: number): string => `last.${part}`;

/** True for texts with a word that begins like this, and also for some other texts with letters beyond ASCII. */
const mayHaveWord = (
  db: SqlDatabase,
  text: RawBuilder<string>,
  { parts, joined }: SearchedWord,
): RawBuilder<SqlBool> => {
  const unjoined = JOINING_CHARACTERS.reduce((made, sign) => sql<string>`replace(${made}, ${sql.lit(sign)}, '')`, text);
  const begun = (part: number): RawBuilder<SqlBool> =>
    db.beginsWord(sql<string>`(${text} || ' ' || ${unjoined})`, param<string>(partName(part)));
  const all = sql.join(
    parts.map((_, part) => begun(part)),
    sql` AND `,
  );
  const whole = joined === null ? sql`` : sql` OR ${begun(parts.length)}`;
  return sql<SqlBool>`((${all})${whole})`;
};

const lastValues = ({ parts, joined }: SearchedWord): Values =>
  Object.fromEntries(
    [...parts, ...(joined === null ? [] : [joined])].map((text, part) => [partName(part), text] as const),
  );

const NUMBER = sql`COUNT(*)`;

/** A query with the columns of `Row`. */
type TextQuery = (db: SqlDatabase, plan: FilterPlan, last: SearchedWord) => RawBuilder<unknown>;

/**
 * The most frequent of these texts with a word that may begin with `last`. Spellings that fold to the same text count
 * together, in the most frequent spelling. The query `spellings` has the columns `text`, `folded` and `number`.
 */
const mostFrequent = (
  kind: SuggestionKind,
  spellings: RawBuilder<unknown>,
  mayMatch: RawBuilder<SqlBool>,
): RawBuilder<unknown> => sql`SELECT * FROM (
    SELECT ${sql.lit(kind)} AS kind, text, CAST(total AS BIGINT) AS count FROM (
      SELECT text, SUM(number) OVER (PARTITION BY folded) AS total,
        ROW_NUMBER() OVER (PARTITION BY folded ORDER BY number DESC, text) AS place
      FROM (${spellings}) AS spellings WHERE ${mayMatch}) AS placed
    WHERE place = 1 ORDER BY total DESC, text LIMIT ${sql.lit(MAX_CANDIDATES)}) AS ${sql.table(`most_frequent_${kind}s`)}`;

const makesAndModels: TextQuery = (db, plan, last) => {
  const pairs = matchingPlan(db.selectFrom("vehicles"), plan)
    .select(["make", "model", NUMBER.as("number")])
    .select([sql`MIN(make_folded)`.as("make_folded"), sql`MIN(model_folded)`.as("model_folded")])
    .groupBy(["make", "model"]);
  // The words of a name are in its text, and without signs and blanks in its folded form. Databases do not fold every letter.
  const isMeant = sql<SqlBool>`(octet_length(text) <> length(text)
    OR ${mayHaveWord(db, sql`(lower(text) || ' ' || folded)`, last)})`;
  const makes = sql`SELECT make AS text, MIN(make_folded) AS folded, SUM(number) AS number FROM pairs GROUP BY make`;
  const models = sql`SELECT make || ' ' || model AS text, make_folded || ' ' || model_folded AS folded, number FROM pairs`;
  return sql`SELECT * FROM (WITH pairs AS MATERIALIZED ${pairs}
    ${mostFrequent("make", makes, isMeant)} UNION ALL ${mostFrequent("model", models, isMeant)}) AS makes_and_models`;
};

/**
 * The stored values of a column; `NULL` has no word. All values with letters beyond ASCII are selected and compared in
 * this process, because databases do not fold them.
 */
const valuesOf =
  (column: "stock_number" | "vin", words: RawBuilder<string>): TextQuery =>
  (db, plan, last) => {
    const value = sql.ref<string>(column);
    const values = matchingPlan(db.selectFrom("vehicles"), plan)
      .select([sql.lit(column).as("kind"), value.as("text"), NUMBER.as("count")])
      .where(sql<SqlBool>`(octet_length(${value}) <> length(${value}) OR ${mayHaveWord(db, words, last)})`)
      .groupBy(column)
      .orderBy(NUMBER, "desc")
      .orderBy(column)
      .limit(sql.lit(MAX_CANDIDATES));
    return sql`SELECT * FROM ${values} AS ${sql.table(`${column}s`)}`;
  };

const TEXT_QUERIES: readonly TextQuery[] = [
  makesAndModels,
  valuesOf("stock_number", sql`lower(stock_number)`),
  // The last 6 and 8 characters are searched, too. An empty VIN has none.
  valuesOf("vin", sql`lower(vin || ' ' || substr(vin, length(vin) - 5) || ' ' || substr(vin, length(vin) - 7))`),
];

type Search = NonNullable<ReturnType<typeof searchOf>>;

/** The texts of all kinds. The vehicles with the words are found once, as reading their words takes the longest. */
const textQuery = (
  db: SqlDatabase,
  { found, search }: { readonly found: FilterPlan; readonly search: Search },
  last: SearchedWord,
): Compilable<Row> => {
  const texts = TEXT_QUERIES.map((query) => query(db, found, last));
  const query = sql<Row>`WITH ${SEARCHED_TABLE} AS MATERIALIZED (${search.ids()}) ${sql.join(texts, sql` UNION ALL `)}`;
  return { compile: () => query.compile(db) };
};

/** The texts in whose words a suggestion is searched. */
const textsOf = ({ kind, text }: Row): readonly string[] => (kind === "vin" ? textsOfVin(text) : [text]);

/** The first texts of a kind in which the last word begins a word. */
const firstMatches = (rows: readonly Row[], last: SearchedWord, { kind, limit }: Wanted): TextCounts => {
  const found: Row[] = [];
  for (const row of rows) {
    if (found.length === limit) break;
    if (row.kind === kind && beginsWords(last, ...textsOf(row))) found.push(row);
  }
  return found;
};

/** Suggestions in SQL; see the port for what it guarantees. */
export const makeSuggestionRepository = (db: SqlDatabase): SuggestionRepository => {
  const readerByVehicles = readerByCost(db);
  const statements = statementCache<Row>();

  return {
    values({ scope, q, limit }) {
      const search = searchOf(db, scope, { q });
      if (search === null) throw new Error("suggestions are of a search");
      const found = filterPlanOf(db, scope, { q, searched: "table" });
      const last = lastWordOf(q);
      const values = { ...found.values, ...search.values, ...lastValues(last) };
      const shape = `${search.form} ${last.parts.length} ${last.joined !== null}`;
      const reading = statements(shape, () => textQuery(db, { found, search }, last));
      return andThen(readerByVehicles(scope, MICROSECONDS_PER_VEHICLE, search.searchedTexts), async (on) => {
        const rows = await on.all(reading, values);
        const texts: Partial<Record<SuggestionKind, TextCounts>> = {};
        for (const kind of SUGGESTION_KINDS) {
          texts[kind] = firstMatches(rows, last, { kind, limit });
          // Comparing many candidates takes long if their letters must be folded.
          if (rows.length > MAX_CANDIDATES) await db.nextTurn();
        }
        return texts as SuggestedTexts;
      });
    },
  };
};
