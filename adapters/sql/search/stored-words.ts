import { type RawBuilder, sql } from "kysely";
import {
  SEARCHED_FIELDS,
  type SearchedVehicle,
  vehicleWords as wordsOf,
} from "../../../core/vehicles/vehicle-words.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, type Statement, sqlStatement } from "../query/statement.ts";
import { nextTurn } from "../query/turns.ts";

/**
 * The number of pages of SQLite's index that are written by the merge after each part. It is enough to keep up with
 * changes. Pages are small (see `INDEX_SETTINGS`), so that a merge ends soon.
 */
const MERGED_PAGES = 16;
/**
 * The number of characters of texts or words that are processed in one turn of the event loop. Ordinary vehicles have
 * few.
 */
const CHARACTERS_PER_TURN = 20_000;

/** The texts of a vehicle from which its words are made. */
export type VehicleTexts = { readonly id: number; readonly dealer_id: number } & SearchedVehicle;

/** The words of a vehicle as they are stored. */
export interface StoredVehicleWords {
  readonly id: number;
  readonly words: string;
}

/** The columns of `VehicleTexts`. */
export const TEXT_COLUMNS = sql.join(
  ["id", "dealer_id", ...SEARCHED_FIELDS].map((name) => sql.ref(`vehicles.${name}`)),
);

/** Another process may have switched words off, so the statement itself must ask the database. */
export const IF_WORDS_ARE_STORED = sql`EXISTS (SELECT 1 FROM search_state WHERE id = 1 AND kept = 1)`;

const listOf = (ids: readonly number[]): string => JSON.stringify(ids.map((id) => [id]));

/** Letters beyond ASCII take longer: each of their further bytes counts like so many characters. */
const CHARACTERS_PER_FURTHER_BYTE = 8;

const workFor = (text: string | null): number =>
  text === null ? 0 : text.length + CHARACTERS_PER_FURTHER_BYTE * (Buffer.byteLength(text) - text.length);
const workForTexts = ({ description, features }: VehicleTexts): number => workFor(description) + workFor(features);

/** The same for words that are added to SQLite's index, which takes longer. */
const INDEXED_CHARACTERS_PER_TURN = 15_000;
/** The number of vehicles that are removed from SQLite's index in one turn. */
const UNINDEXED_PER_TURN = 200;

/** The items in chunks that each take one turn of the event loop. Other work runs between the chunks. */
async function* inChunks<Item>(
  items: readonly Item[],
  lengthOf: (item: Item) => number,
  charactersPerTurn = CHARACTERS_PER_TURN,
): AsyncGenerator<Item[]> {
  let part: Item[] = [];
  let length = 0;
  for (const item of items) {
    part.push(item);
    length += lengthOf(item);
    if (length < charactersPerTurn) continue;
    yield part;
    [part, length] = [[], 0];
    await nextTurn();
  }
  if (part.length > 0) yield part;
}

const statementsOf = (db: SqlDatabase) => {
  const isSqlite = db.engine === "sqlite";
  const made = <Row>(query: RawBuilder<Row>): Statement<Row> => sqlStatement(db, query);
  const listed = sql`(SELECT listed FROM ${db.jsonRows(param<string>("ids"), { listed: "integer" })} AS listed)`;
  const given = db.jsonRows(param<string>("rows"), { vehicle_id: "integer", dealer_id: "integer", words: "text" });
  const key = sql.raw(isSqlite ? "dealer_id, vehicle_id" : "vehicle_id");
  // PostgreSQL's key has no dealer, so words that are stored with the wrong one must be moved.
  const anew = sql.raw(`${isSqlite ? "" : "dealer_id = excluded.dealer_id, "}words = excluded.words`);
  // Changes lock the vehicle's row, too. So the texts that are read here cannot be older than the words that are made
  // from them.
  const held = isSqlite ? sql`` : sql`FOR NO KEY UPDATE`;
  const stored = sql`INSERT INTO vehicle_words (vehicle_id, dealer_id, words)
    SELECT vehicle_id, dealer_id, words FROM ${given} AS made WHERE ${IF_WORDS_ARE_STORED}
    ON CONFLICT (${key})`;
  return {
    text: made(sql<VehicleTexts>`SELECT ${TEXT_COLUMNS} FROM vehicles WHERE id = ${param("id")} ${held}`),
    texts: made(sql<VehicleTexts>`SELECT ${TEXT_COLUMNS} FROM vehicles WHERE id IN ${listed} ORDER BY id ${held}`),
    put: made(
      sql<object>`INSERT INTO vehicle_words (vehicle_id, dealer_id, words)
        SELECT ${param("id")}, ${param("dealer_id")}, ${param("words")} WHERE ${IF_WORDS_ARE_STORED}
        ON CONFLICT (${key}) DO UPDATE SET ${anew}`,
    ),
    replace: made(sql<object>`${stored} DO UPDATE SET ${anew}`),
    add: made(sql<object>`${stored} DO NOTHING`),
    // These statements are for PostgreSQL only.
    /**
     * Merges the index's list of new entries, if this role owns the index. Otherwise the server does so by itself
     * later.
     */
    tidy: made(
      sql<object>`SELECT gin_clean_pending_list(oid) FROM pg_class WHERE relname = 'vehicle_index'
        AND relnamespace = current_schema()::regnamespace AND pg_has_role(relowner, 'USAGE')`,
    ),
    // These statements are for SQLite only.
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

  const store = async (
    tx: Sql,
    how: "replace" | "add",
    vehicles: readonly VehicleTexts[],
  ): Promise<readonly StoredVehicleWords[]> => {
    const made: StoredVehicleWords[] = [];
    for await (const part of inChunks(vehicles, workForTexts)) {
      const rows = part.map((vehicle) => [vehicle.id, vehicle.dealer_id, wordsOf(vehicle)] as const);
      await tx.all(statements[how], { rows: JSON.stringify(rows) });
      made.push(...rows.map(([id, , words]) => ({ id, words })));
    }
    isTidy = false;
    return made;
  };

  const put = async (
    tx: Sql,
    { id, dealer_id }: Pick<VehicleTexts, "id" | "dealer_id">,
    texts: SearchedVehicle,
  ): Promise<void> => {
    await tx.all(statements.put, { id, dealer_id, words: wordsOf(texts) });
    isTidy = false;
  };

  return {
    /** Makes the words of these texts and stores them. `add` does not replace existing words. */
    store,

    /** Makes the words of one vehicle from these texts and stores them. */
    put,

    /** Remakes the words of a vehicle from its stored texts. */
    async remakeOne(tx: Sql, id: number): Promise<void> {
      for (const vehicle of await tx.all(statements.text, { id })) await put(tx, vehicle, vehicle);
    },

    /** Remakes words from the stored texts. */
    remake: async (tx: Sql, ids: readonly number[]): Promise<readonly StoredVehicleWords[]> =>
      ids.length === 0 ? [] : store(tx, "replace", await tx.all(statements.texts, { ids: listOf(ids) })),

    /** Updates SQLite's index for these vehicles. Vehicles without words are removed from it. */
    async index(tx: Sql, ids: readonly number[], words: readonly StoredVehicleWords[]): Promise<void> {
      if (!isSqlite || ids.length === 0) return;
      for await (const part of inChunks(ids, () => 1, UNINDEXED_PER_TURN))
        await tx.all(statements.unindex, { ids: listOf(part) });
      await nextTurn();
      for await (const part of inChunks(words, (made) => made.words.length, INDEXED_CHARACTERS_PER_TURN)) {
        await tx.all(statements.index, { rows: JSON.stringify(part.map((made) => [made.id, made.words])) });
        await nextTurn();
        await tx.all(statements.merge, {});
      }
      await nextTurn();
      await tx.all(statements.settled, { ids: listOf(ids) });
    },

    /** Merges the new entries into PostgreSQL's index, if words were stored since the last time. */
    async tidy(): Promise<void> {
      if (isSqlite || isTidy) return;
      isTidy = true;
      await db.all(statements.tidy, {});
    },
  };
};

export type StoredWords = ReturnType<typeof storedWords>;
