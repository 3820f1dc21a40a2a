import { type RawBuilder, type SqlBool, sql } from "kysely";
import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import type { SearchedWord } from "../../../core/search/words.ts";
import { begins, lastWordOf, textsOfVin } from "../../../core/suggestions/suggestion.ts";
import type { SuggestionRepository } from "../../../core/suggestions/suggestion-repository.ts";
import type { Sql, SqlDatabase, Values } from "../query/database.ts";
import { param, statementCache } from "../query/statement.ts";
import { whereToRead } from "../query/where-to-read.ts";
import { type FilterPlan, filterPlanOf, matching } from "../vehicles/filter-plan.ts";

/** What a suggestion takes for each vehicle in reach, in µs. */
const COST = 5;
/** Values that are looked at: as a rule all have the word, but of values beyond ASCII only the service can tell. */
const LOOKED_AT = 1000;

type Column = "stock_number" | "vin";
interface Counted {
  readonly value: string;
  readonly count: number;
}

/** Signs that join words: a value without them has the joined forms as words. */
const JOINING = ["-", ".", "/", "'"];

const partName = (part: number): string => `last.${part}`;

/** The texts by which a value is found, as one. */
const TEXT: Readonly<Record<Column, RawBuilder<string>>> = {
  stock_number: sql`lower(stock_number)`,
  // Also by its last 6 and 8 characters. An empty one has none.
  vin: sql`lower(vin || ' ' || substr(vin, length(vin) - 5) || ' ' || substr(vin, length(vin) - 7))`,
};

/** True for values that have words with this beginning, and for all beyond ASCII, which the service looks at. */
const mayBegin = (db: SqlDatabase, column: Column, { parts, joined }: SearchedWord): RawBuilder<SqlBool> => {
  const text = TEXT[column];
  const unjoined = JOINING.reduce((made, sign) => sql<string>`replace(${made}, ${sql.lit(sign)}, '')`, text);
  const begun = (part: number): RawBuilder<SqlBool> =>
    db.beginsWord(sql<string>`(${text} || ' ' || ${unjoined})`, param<string>(partName(part)));
  const all = sql.join(
    parts.map((_, part) => begun(part)),
    sql` AND `,
  );
  const whole = joined === null ? sql`` : sql` OR ${begun(parts.length)}`;
  return sql<SqlBool>`(octet_length(${sql.ref(column)}) <> length(${sql.ref(column)}) OR (${all})${whole})`;
};

const lastValues = ({ parts, joined }: SearchedWord): Values =>
  Object.fromEntries(
    [...parts, ...(joined === null ? [] : [joined])].map((text, part) => [partName(part), text] as const),
  );

const textsOf = (column: Column, value: string): readonly string[] => (column === "vin" ? textsOfVin(value) : [value]);

/** Suggestions in SQL; see the port for what it guarantees. */
export const makeSuggestionRepository = (db: SqlDatabase): SuggestionRepository => {
  const whereRead = whereToRead(db);
  const models = statementCache<{ make: string; model: string; count: number }>();
  const values = statementCache<Counted>();
  const count = sql<number>`COUNT(*)`.as("count");

  const modelsOf = (plan: FilterPlan) =>
    models(plan.name, () =>
      matching(db.build.selectFrom("vehicles"), plan).select(["make", "model", count]).groupBy(["make", "model"]),
    );

  const valuesOf = (plan: FilterPlan, column: Column, last: SearchedWord) =>
    values(`${plan.name}${column} ${last.parts.length} ${last.joined !== null}`, () =>
      matching(db.build.selectFrom("vehicles"), plan)
        .select([sql.ref<string>(column).as("value"), count])
        .where(column, "is not", null)
        .where(mayBegin(db, column, last))
        .groupBy(column)
        .orderBy(sql`COUNT(*)`, "desc")
        .orderBy(column)
        .limit(sql.lit(LOOKED_AT)),
    );

  /** The values of most vehicles that the last word begins. */
  const begun = async (
    on: Sql,
    { plan, column, q, limit }: { plan: FilterPlan; column: Column; q: string; limit: number },
  ): Promise<readonly Counted[]> => {
    const last = lastWordOf(q);
    const rows = await on.all(valuesOf(plan, column, last), { ...plan.values, ...lastValues(last) });
    return rows.filter(({ value }) => begins(last, ...textsOf(column, value))).slice(0, limit);
  };

  return {
    values({ scope, q, limit }) {
      const plan = filterPlanOf(db, scope, { q });
      return andThen(whereRead(scope, COST) as MaybePromise<Sql>, async (on) => ({
        models: await on.all(modelsOf(plan), plan.values),
        stock_numbers: await begun(on, { plan, column: "stock_number", q, limit }),
        vins: await begun(on, { plan, column: "vin", q, limit }),
      }));
    },
  };
};
