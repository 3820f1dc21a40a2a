import { sql } from "kysely";
import { foldLetters, wordsOf } from "../../../core/search/words.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, type SqlValue, type Statement, sqlStatement } from "../query/statement.ts";

const FILL_INTERVAL_MS = 30_000;
/** The number of records in one transaction. It is so small that SQLite blocks the event loop only briefly. */
const BATCH = 200;

/** A record without words, with the texts from which its words are made. */
type RecordWithoutWords = { readonly id: number } & Readonly<Record<string, SqlValue>>;

/** The tables with words. The longest text comes last, because words of long texts may be cut off. */
const WORDS = {
  dealers: { table: "dealer_words", id: "dealer_id", texts: ["name", "city", "state", "email", "phone", "id"] },
  users: { table: "user_words", id: "user_id", texts: ["name", "email"] },
  api_keys: { table: "key_words", id: "key_id", texts: ["name", "app_id", "key_start", "description"] },
} as const;

/** A kind of record that can be searched by words. */
type SearchedTable = keyof typeof WORDS;

const TABLES = Object.keys(WORDS) as SearchedTable[];

/**
 * Words as they are stored, with a space before each. A space and a text then match the words that begin with the text.
 */
const stored = (texts: readonly (string | null)[]): string =>
  wordsOf(texts)
    .map((word) => ` ${word}`)
    .join("");

const textOf = (value: SqlValue | undefined): string | null =>
  value === null || value === undefined ? null : String(value);

/** The words of a record, in the order in which `set` expects them. */
const wordsOfRecord = (kind: SearchedTable, record: RecordWithoutWords): readonly [number, string, string, string] => {
  const name = textOf(record.name) ?? "";
  const texts = WORDS[kind].texts.map((column) => textOf(record[column]));
  return [record.id, foldLetters(name), stored([name]), stored(texts)];
};

interface Statements {
  /** Returns a row if there is any record without words. */
  readonly any: Statement<object>;
  /** Returns the record with this id if its words are out of date. */
  readonly one: Statement<RecordWithoutWords>;
  /** Returns some records without words that nobody else is changing. */
  readonly some: Statement<RecordWithoutWords>;
  readonly set: Statement<object>;
}

const statementsOf = (db: SqlDatabase, kind: SearchedTable): Statements => {
  const { table, id, texts } = WORDS[kind];
  const columns = sql.join(["id", ...texts.filter((name) => name !== "id")].map((name) => sql.ref(`record.${name}`)));
  const wordless = sql<RecordWithoutWords>`SELECT ${columns} FROM ${sql.table(kind)} AS record
    JOIN ${sql.table(table)} AS kept ON kept.${sql.ref(id)} = record.id WHERE kept.words IS NULL`;
  // Changes lock the record's row, too. So the texts that are read here cannot be older than the words that are made
  // from them.
  const unchanging = db.engine === "sqlite" ? sql`` : sql`FOR UPDATE OF record SKIP LOCKED`;
  const given = db.jsonRows(param<string>("rows"), { id: "integer", name: "text", name_words: "text", words: "text" });
  return {
    any: sqlStatement(
      db,
      sql<object>`SELECT ${sql.ref(id)} FROM ${sql.table(table)} WHERE words IS NULL LIMIT ${sql.lit(1)}`,
    ),
    one: sqlStatement(db, sql<RecordWithoutWords>`${wordless} AND record.id = ${param("id")}`),
    some: sqlStatement(
      db,
      sql<RecordWithoutWords>`${wordless} ORDER BY record.id LIMIT ${sql.lit(BATCH)} ${unchanging}`,
    ),
    set: sqlStatement(
      db,
      sql<object>`UPDATE ${sql.table(table)} SET name = made.name, name_words = made.name_words, words = made.words
        FROM ${given} AS made WHERE ${sql.ref(`${table}.${id}`)} = made.id`,
    ),
  };
};

/** Keeps the search words of records up to date. */
export interface SearchWords {
  /** Makes the words of a record within the transaction that has just changed it. */
  keep(tx: Sql, kind: SearchedTable, ...ids: readonly number[]): Promise<void>;
  /** Makes the words of all records that have none, a few in each transaction. */
  fill(): Promise<void>;
  /** Does the same within one transaction. */
  fillWithin(tx: Sql): Promise<void>;
  /**
   * Starts a timer that makes the words that an instance of an earlier version left out. `report` receives failures.
   */
  start(report: (error: unknown) => void): void;
  stop(): Promise<void>;
}

/** Search words in SQL. Triggers set them to `NULL` at every change of a text from which they are made. */
export const searchWords = (db: SqlDatabase): SearchWords => {
  const statements = Object.fromEntries(TABLES.map((kind) => [kind, statementsOf(db, kind)])) as Record<
    SearchedTable,
    Statements
  >;
  let filling: Promise<void> = Promise.resolve();
  let timer: Timer | null = null;

  const make = async (tx: Sql, kind: SearchedTable, records: readonly RecordWithoutWords[]): Promise<void> => {
    if (records.length > 0)
      await tx.all(statements[kind].set, {
        rows: JSON.stringify(records.map((record) => wordsOfRecord(kind, record))),
      });
  };

  /** Makes the words of some records, and returns the number of these records. */
  const makeSome = async (tx: Sql, kind: SearchedTable): Promise<number> => {
    const records = await tx.all(statements[kind].some, {});
    await make(tx, kind, records);
    return records.length;
  };

  const fill = async (): Promise<void> => {
    // Usually there are none, so that nothing has to be written.
    for (const kind of TABLES)
      while ((await db.all(statements[kind].any, {})).length > 0)
        if ((await db.write((tx) => makeSome(tx, kind))) < BATCH) break;
  };

  return {
    async keep(tx, kind, ...ids) {
      for (const id of ids) await make(tx, kind, await tx.all(statements[kind].one, { id }));
    },
    fill,
    async fillWithin(tx) {
      for (const kind of TABLES) while ((await makeSome(tx, kind)) === BATCH);
    },
    start(report) {
      timer = setInterval(() => {
        filling = fill().catch(report);
      }, FILL_INTERVAL_MS);
      timer.unref();
    },
    async stop() {
      if (timer !== null) clearInterval(timer);
      await filling;
    },
  };
};
