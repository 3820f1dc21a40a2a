import { type Compilable, type RawBuilder, type SqlBool, sql } from "kysely";
import { andThen } from "../../../core/maybe-promise.ts";
import type { SearchedWord } from "../../../core/search/words.ts";
import { begins, type Counted, lastWordOf, textsOfVin } from "../../../core/suggestions/suggestion.ts";
import type { SuggestionRepository } from "../../../core/suggestions/suggestion-repository.ts";
import type { SqlDatabase, Values } from "../query/database.ts";
import { param, statementCache } from "../query/statement.ts";
import { whereToRead } from "../query/where-to-read.ts";
import { type FilterPlan, filterPlanOf, matching } from "../vehicles/filter-plan.ts";

/** What a suggestion takes for each vehicle in reach, in µs. */
const COST = 5;
/**
 * Texts that are looked at: as a rule all have the word, but of letters beyond ASCII only the service can tell. More
 * would hold the event loop, as each vehicle may have a make and model of its own.
 */
const LOOKED_AT = 1000;

type Row = Counted[number];

/** Signs that join words: a value without them has the joined forms as words. */
const JOINING = ["-", ".", "/", "'"];

const partName = (part: number): string => `last.${part}`;

/** True for texts that have words with this beginning, and for some others with letters beyond ASCII. */
const mayBegin = (db: SqlDatabase, text: RawBuilder<string>, { parts, joined }: SearchedWord): RawBuilder<SqlBool> => {
  const unjoined = JOINING.reduce((made, sign) => sql<string>`replace(${made}, ${sql.lit(sign)}, '')`, text);
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

/** The texts of a kind, and the words by which each is found. */
interface Kind {
  readonly select: (db: SqlDatabase, plan: FilterPlan, last: SearchedWord) => Compilable<Row>;
  readonly textsOf: (text: string) => readonly string[];
}

const NUMBER = sql`COUNT(*)`;

/** Makes or models: all spellings that fold to the same text are one, that of most vehicles. */
const spelled = (text: RawBuilder<string>, folded: RawBuilder<string>): Kind => ({
  textsOf: (value) => [value],
  select(db, plan, last) {
    const spellings = matching(db.build.selectFrom("vehicles"), plan)
      .select([folded.as("folded"), text.as("text"), NUMBER.as("number")])
      .where(mayBegin(db, folded, last))
      // By their places: expressions with parameters would not be recognized as the same.
      .groupBy([sql`1`, sql`2`]);
    const query = sql<Row>`SELECT text, CAST(total AS BIGINT) AS count FROM (
        SELECT text, SUM(number) OVER (PARTITION BY folded) AS total,
          ROW_NUMBER() OVER (PARTITION BY folded ORDER BY number DESC, text) AS place
        FROM ${spellings} AS spellings) AS placed
      WHERE place = 1 ORDER BY total DESC, text LIMIT ${sql.lit(LOOKED_AT)}`;
    return { compile: () => query.compile(db.build) };
  },
});

/** Values of a column as they are; of those beyond ASCII, which databases do not fold, all are looked at. */
const plain = (column: "stock_number" | "vin", words: RawBuilder<string>, textsOf: Kind["textsOf"]): Kind => ({
  textsOf,
  select(db, plan, last) {
    const value = sql.ref<string>(column);
    return matching(db.build.selectFrom("vehicles"), plan)
      .select([value.as("text"), NUMBER.as("count")])
      .where(column, "is not", null)
      .where(sql<SqlBool>`(octet_length(${value}) <> length(${value}) OR ${mayBegin(db, words, last)})`)
      .groupBy(column)
      .orderBy(NUMBER, "desc")
      .orderBy(column)
      .limit(sql.lit(LOOKED_AT));
  },
});

const KINDS = {
  make: spelled(sql`make`, sql`make_folded`),
  model: spelled(sql`(make || ' ' || model)`, sql`(make_folded || ' ' || model_folded)`),
  stock_number: plain("stock_number", sql`lower(stock_number)`, (value) => [value]),
  // Also by its last 6 and 8 characters. An empty one has none.
  vin: plain(
    "vin",
    sql`lower(vin || ' ' || substr(vin, length(vin) - 5) || ' ' || substr(vin, length(vin) - 7))`,
    textsOfVin,
  ),
} as const;

/** Suggestions in SQL; see the port for what it guarantees. */
export const makeSuggestionRepository = (db: SqlDatabase): SuggestionRepository => {
  const whereRead = whereToRead(db);
  const statements = statementCache<Row>();

  return {
    values({ scope, q, limit }) {
      const plan = filterPlanOf(db, scope, { q });
      const last = lastWordOf(q);
      const values = { ...plan.values, ...lastValues(last) };
      return andThen(whereRead(scope, COST), async (on) => {
        const begun = async (name: keyof typeof KINDS): Promise<Counted> => {
          const { select, textsOf } = KINDS[name];
          const shape = `${name} ${plan.name} ${last.parts.length} ${last.joined !== null}`;
          const rows = await on.all(
            statements(shape, () => select(db, plan, last)),
            values,
          );
          const found: Row[] = [];
          for (const row of rows) {
            if (found.length === limit) break;
            if (begins(last, ...textsOf(row.text))) found.push(row);
          }
          return found;
        };
        return {
          make: await begun("make"),
          model: await begun("model"),
          stock_number: await begun("stock_number"),
          vin: await begun("vin"),
        };
      });
    },
  };
};
