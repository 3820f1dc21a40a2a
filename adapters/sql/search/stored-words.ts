import { type RawBuilder, sql } from "kysely";
import { WORDED_FIELDS, type WordedVehicle, vehicleWords as wordsOf } from "../../../core/search/vehicle-words.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, type Statement, sqlStatement } from "../query/statement.ts";

/** Leaves of SQLite's index that are merged after each batch: as many as keep up with it. */
const MERGED_PAGES = 32;
/** Characters of long texts, or of words, that are worked on in one turn of the event loop; ordinary vehicles have few. */
const AT_ONCE = 60_000;

/** A vehicle with the texts that its words are made of. */
export type Texts = { readonly id: number; readonly dealer_id: number } & WordedVehicle;

/** Words as they are stored. */
export interface Made {
  readonly id: number;
  readonly words: string;
}

/** The columns of `Texts`. */
export const TEXT_COLUMNS = sql.join(["id", "dealer_id", ...WORDED_FIELDS].map((name) => sql.ref(`vehicles.${name}`)));

/** Other processes may want no words: what the database says counts. */
export const IF_KEPT = sql`EXISTS (SELECT 1 FROM search_state WHERE id = 1 AND kept = 1)`;

const listOf = (ids: readonly number[]): string => JSON.stringify(ids.map((id) => [id]));

const lengthOfTexts = ({ description, features }: Texts): number =>
  (description?.length ?? 0) + (features?.length ?? 0);

/** The items in parts of about so much length that one turn of the event loop takes; others come between the turns. */
async function* inTurns<Item>(items: readonly Item[], lengthOf: (item: Item) => number): AsyncGenerator<Item[]> {
  let part: Item[] = [];
  let length = 0;
  for (const item of items) {
    part.push(item);
    length += lengthOf(item);
    if (length < AT_ONCE) continue;
    yield part;
    [part, length] = [[], 0];
    await new Promise((resume) => setImmediate(resume));
  }
  if (part.length > 0) yield part;
}

const statementsOf = (db: SqlDatabase) => {
  const isSqlite = db.engine === "sqlite";
  const made = <Row>(query: RawBuilder<Row>): Statement<Row> => sqlStatement(db, query);
  const listed = sql`(SELECT listed FROM ${db.jsonRows(param<string>("ids"), { listed: "integer" })} AS listed)`;
  const given = db.jsonRows(param<string>("rows"), { vehicle_id: "integer", dealer_id: "integer", words: "text" });
  const key = sql.raw(isSqlite ? "dealer_id, vehicle_id" : "vehicle_id");
  // Whoever changes a vehicle holds its row: what is read here cannot be older than what is written then.
  const held = isSqlite ? sql`` : sql`FOR NO KEY UPDATE`;
  const stored = sql`INSERT INTO vehicle_words (vehicle_id, dealer_id, words)
    SELECT vehicle_id, dealer_id, words FROM ${given} AS made WHERE ${IF_KEPT}
    ON CONFLICT (${key})`;
  return {
    text: made(sql<Texts>`SELECT ${TEXT_COLUMNS} FROM vehicles WHERE id = ${param("id")} ${held}`),
    texts: made(sql<Texts>`SELECT ${TEXT_COLUMNS} FROM vehicles WHERE id IN ${listed} ORDER BY id ${held}`),
    put: made(
      sql<object>`INSERT INTO vehicle_words (vehicle_id, dealer_id, words)
        SELECT ${param("id")}, ${param("dealer_id")}, ${param("words")} WHERE ${IF_KEPT}
        ON CONFLICT (${key}) DO UPDATE SET words = excluded.words`,
    ),
    replace: made(sql<object>`${stored} DO UPDATE SET words = excluded.words`),
    add: made(sql<object>`${stored} DO NOTHING`),
    // On PostgreSQL only.
    /** Merges the index's list of new entries, if this role owns it; otherwise the server does so by itself, later. */
    tidy: made(
      sql<object>`SELECT gin_clean_pending_list(oid) FROM pg_class WHERE relname = 'vehicle_index'
        AND relnamespace = current_schema()::regnamespace AND pg_has_role(relowner, 'USAGE')`,
    ),
    // On SQLite only.
    settled: made(sql<object>`DELETE FROM vehicle_words_fresh WHERE vehicle_id IN ${listed}`),
    unindex: made(sql<object>`DELETE FROM vehicle_index WHERE rowid IN ${listed}`),
    index: made(
      sql<object>`INSERT INTO vehicle_index (rowid, words)
        SELECT id, words FROM ${db.jsonRows(param<string>("rows"), { id: "integer", words: "text" })} AS made`,
    ),
    merge: made(
      sql<object>`INSERT INTO vehicle_index (vehicle_index, rank) VALUES ('merge', ${sql.lit(MERGED_PAGES)})`,
    ),
  };
};

/** Stores words of vehicles within a transaction. */
export const storedWords = (db: SqlDatabase) => {
  const statements = statementsOf(db);
  const isSqlite = db.engine === "sqlite";
  let isTidy = true;

  const store = async (tx: Sql, how: "replace" | "add", vehicles: readonly Texts[]): Promise<readonly Made[]> => {
    const made: Made[] = [];
    for await (const part of inTurns(vehicles, lengthOfTexts)) {
      const rows = part.map((vehicle) => [vehicle.id, vehicle.dealer_id, wordsOf(vehicle)] as const);
      await tx.all(statements[how], { rows: JSON.stringify(rows) });
      made.push(...rows.map(([id, , words]) => ({ id, words })));
    }
    isTidy = false;
    return made;
  };

  const put = async (tx: Sql, vehicle: Texts): Promise<void> => {
    await tx.all(statements.put, { id: vehicle.id, dealer_id: vehicle.dealer_id, words: wordsOf(vehicle) });
    isTidy = false;
  };

  return {
    /** Makes the words of these texts; `add` leaves those alone that are there already. */
    store,

    /** Makes the words of one vehicle of these texts. */
    put,

    /** Makes the words of a vehicle anew, of what is stored now. */
    async remakeOne(tx: Sql, id: number): Promise<void> {
      for (const vehicle of await tx.all(statements.text, { id })) await put(tx, vehicle);
    },

    /** Makes words anew of what is stored now. */
    remake: async (tx: Sql, ids: readonly number[]): Promise<readonly Made[]> =>
      ids.length === 0 ? [] : store(tx, "replace", await tx.all(statements.texts, { ids: listOf(ids) })),

    /** Brings SQLite's index up to date for these vehicles; those without words are gone. */
    async index(tx: Sql, ids: readonly number[], words: readonly Made[]): Promise<void> {
      if (!isSqlite || ids.length === 0) return;
      await tx.all(statements.unindex, { ids: listOf(ids) });
      for await (const part of inTurns(words, (made) => made.words.length)) {
        await tx.all(statements.index, { rows: JSON.stringify(part.map((made) => [made.id, made.words])) });
        await tx.all(statements.merge, {});
      }
      await tx.all(statements.settled, { ids: listOf(ids) });
    },

    /** Merges what PostgreSQL's index has in its list of new entries, if words were stored since. */
    async tidy(): Promise<void> {
      if (isSqlite || isTidy) return;
      isTidy = true;
      await db.all(statements.tidy, {});
    },
  };
};

export type StoredWords = ReturnType<typeof storedWords>;
