import { type RawBuilder, sql } from "kysely";
import { WORDS_WITH_ENDS } from "../../../core/search/endings.ts";
import type { SearchProgress } from "../../../core/search/progress.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, type Statement, sqlStatement } from "../query/statement.ts";
import { vehicleSpellings } from "./spellings.ts";
import { type StoredWords, TEXT_COLUMNS, type VehicleTexts } from "./stored-words.ts";

/** The number of vehicles in one transaction. It is so small that SQLite blocks the event loop only briefly. */
const BATCH = 50;
const WORDS_PER_DELETE = 500;
/**
 * How long background work waits for a lock. PostgreSQL checks for deadlocks after a second, so this must be shorter.
 */
const LOCK_TIMEOUT_MS = 300;

/**
 * Settings of SQLite's index, which it keeps in the file. A merge must write whole pages, and what vehicles that were
 * removed from the index leave behind is read besides. With small pages and more parts in a merge it takes a quarter of
 * the time at a time, and two thirds in all.
 */
const INDEX_SETTINGS: Readonly<Record<string, number>> = { pgsz: 1024, usermerge: 8 };

interface State {
  readonly kept: 0 | 1;
  readonly reached: number;
  readonly last: number;
}

/** A vehicle whose entry in SQLite's index is out of date. It has no dealer if the vehicle was deleted. */
interface OutdatedEntry {
  readonly id: number;
  readonly dealer_id: number | null;
  readonly words: string | null;
}

const SOME = sql.lit(BATCH);
/** Words that an earlier version made. This is the condition of the index that finds them. */
const LACK_ENDS = sql`substr(words, 1, ${sql.lit(WORDS_WITH_ENDS.length)}) <> ${sql.lit(WORDS_WITH_ENDS)}`;

const statementsOf = (db: SqlDatabase) => {
  const made = <Row>(query: RawBuilder<Row>): Statement<Row> => sqlStatement(db, query);
  const onPostgres = (words: RawBuilder<unknown>) => (db.engine === "sqlite" ? sql`` : words);
  const pairs = sql`(dealer_id, vehicle_id) IN (SELECT dealer_id, vehicle_id FROM vehicle_words`;
  return {
    state: made(sql<State>`SELECT kept, reached, last FROM search_state`),
    /** The same, for one process at a time. It has no row if another process is at work. */
    owned: made(sql<State>`SELECT kept, reached, last FROM search_state ${onPostgres(sql`FOR UPDATE SKIP LOCKED`)}`),
    reach: made(sql<object>`UPDATE search_state SET reached = ${param("reached")}`),
    begin: made(
      sql<object>`UPDATE search_state SET kept = ${param("kept")}, reached = 0,
        last = (SELECT COALESCE(MAX(id), 0) FROM vehicles)`,
    ),
    last: made(sql<{ last: number }>`SELECT COALESCE(MAX(id), 0) AS last FROM vehicles`),
    /** Locks the vehicles against deletion. Otherwise their words could be stored after they were deleted. */
    next: made(
      sql<VehicleTexts>`SELECT ${TEXT_COLUMNS} FROM vehicles WHERE id > ${param("reached")} AND id <= ${param("last")}
        ORDER BY id LIMIT ${SOME} ${db.forKeyShare}`,
    ),
    clear: made(sql<object>`DELETE FROM vehicle_words WHERE ${pairs} LIMIT ${sql.lit(WORDS_PER_DELETE)})`),
    any: made(sql<object>`SELECT vehicle_id FROM vehicle_words LIMIT ${sql.lit(1)}`),
    orphans: made(
      sql<object>`DELETE FROM vehicle_words
        WHERE NOT EXISTS (SELECT 1 FROM vehicles
          WHERE vehicles.id = vehicle_words.vehicle_id AND vehicles.dealer_id = vehicle_words.dealer_id)`,
    ),
    mark: made(
      sql<object>`UPDATE dealer_inventory SET mark = mark + ${sql.lit(1)} WHERE dealer_id IN
        (SELECT dealer_id FROM vehicles WHERE id IN (SELECT id FROM ${db.jsonRows(param<string>("ids"), { id: "integer" })} AS given))`,
    ),
    withoutEnds: made(
      sql<{
        id: number;
      }>`SELECT vehicle_id AS id FROM vehicle_words WHERE ${LACK_ENDS} AND EXISTS (SELECT 1 FROM vehicles
        WHERE vehicles.id = vehicle_words.vehicle_id AND vehicles.dealer_id = vehicle_words.dealer_id) LIMIT ${SOME}`,
    ),
    // These statements are for PostgreSQL only.
    missing: made(sql<{ id: number }>`SELECT vehicle_id AS id FROM vehicle_words WHERE words IS NULL LIMIT ${SOME}`),
    lockTimeout: made(sql<object>`SELECT set_config('lock_timeout', ${sql.lit(String(LOCK_TIMEOUT_MS))}, true)`),
    /** Waits for running changes, which do not know yet that words are kept now. */
    seeAll: made(sql<object>`LOCK TABLE vehicles IN SHARE MODE`),
    // This and the following statements are for SQLite only.
    fresh: made(
      sql<OutdatedEntry>`SELECT vehicle_words_fresh.vehicle_id AS id, vehicles.dealer_id, vehicle_words.words
        FROM vehicle_words_fresh LEFT JOIN vehicles ON vehicles.id = vehicle_words_fresh.vehicle_id
        LEFT JOIN vehicle_words
          ON vehicle_words.dealer_id = vehicles.dealer_id AND vehicle_words.vehicle_id = vehicles.id
        LIMIT ${SOME}`,
    ),
    anyFresh: made(sql<object>`SELECT vehicle_id FROM vehicle_words_fresh LIMIT ${sql.lit(1)}`),
    settings: made(sql<{ name: string; value: number }>`SELECT k AS name, v AS value FROM vehicle_index_config`),
    applied: Object.entries(INDEX_SETTINGS).map(([name, value]) => ({
      name,
      value,
      // A parameter would be a number with a fraction to SQLite, which the index refuses.
      apply: made(
        sql<object>`INSERT INTO vehicle_index (vehicle_index, rank) VALUES (${sql.lit(name)}, ${sql.lit(value)})`,
      ),
    })),
    clearIndex: made(sql<object>`INSERT INTO vehicle_index (vehicle_index) VALUES ('delete-all')`),
    clearFresh: made(sql<object>`DELETE FROM vehicle_words_fresh`),
  };
};

const READY: SearchProgress = { state: "ready", percent: 100 };

const progressOf = ({ kept, reached, last }: State): SearchProgress => {
  if (kept === 0) return { state: "off", percent: 0 };
  return reached >= last ? READY : { state: "filling", percent: Math.floor((100 * reached) / last) };
};

/**
 * Makes the words of vehicles that have none: older vehicles, and those that other changes left without words. Each
 * transaction does a few.
 */
export const wordsBackfill = (db: SqlDatabase, stored: StoredWords) => {
  const statements = statementsOf(db);
  const spellings = vehicleSpellings(db);
  const isSqlite = db.engine === "sqlite";

  const state = async (): Promise<State> => {
    const [row] = await db.all(statements.state, {});
    if (row === undefined) throw new Error("search_state has no row");
    return row;
  };

  /** Runs a transaction in the background. It gives way to the transactions of requests. */
  const inBackground = <Result>(work: (tx: Sql) => Promise<Result>): Promise<Result> =>
    db.write(async (tx) => {
      if (!isSqlite) await tx.all(statements.lockTimeout, {});
      return work(tx);
    });

  /** Makes the words and spellings of vehicles that were written by an instance of the previous version. */
  const complete = async (tx: Sql, ids: readonly number[]) => {
    const made = await stored.remake(tx, ids);
    if (ids.length === 0) return made;
    await spellings.repair(tx, ids);
    // The vehicles are found by other searches from now on.
    await tx.all(statements.mark, { ids: JSON.stringify(ids.map((id) => [id])) });
    return made;
  };

  const settleOnPostgres = async (): Promise<boolean> => {
    const missing = (await db.all(statements.missing, {})).map(({ id }) => id);
    if (missing.length > 0) await inBackground((tx) => complete(tx, missing));
    return missing.length === BATCH;
  };

  const settleOnSqlite = async (): Promise<boolean> => {
    if ((await db.all(statements.anyFresh, {})).length === 0) return false;
    return inBackground(async (tx) => {
      const fresh = await tx.all(statements.fresh, {});
      const wordless = fresh.filter(({ dealer_id, words }) => dealer_id !== null && words === null);
      const made = await complete(
        tx,
        wordless.map(({ id }) => id),
      );
      const known = fresh.flatMap(({ id, words }) => (words === null ? [] : [{ id, words }]));
      await stored.index(
        tx,
        fresh.map(({ id }) => id),
        [...known, ...made],
      );
      return fresh.length === BATCH;
    });
  };

  const settle = isSqlite ? settleOnSqlite : settleOnPostgres;

  /** Makes some of the words anew that an earlier version made. Until then the ends of stock numbers are not found. */
  const addEnds = async (): Promise<boolean> => {
    const ids = (await db.all(statements.withoutEnds, {})).map(({ id }) => id);
    if (ids.length > 0) await inBackground(async (tx) => stored.index(tx, ids, await complete(tx, ids)));
    return ids.length === BATCH;
  };

  return {
    /** True if words are kept. */
    isKept: async (): Promise<boolean> => (await state()).kept === 1,
    progress: async (): Promise<SearchProgress> => progressOf(await state()),

    /** Applies the settings of SQLite's index that are not in the file yet. */
    async prepareIndex(): Promise<void> {
      if (!isSqlite) return;
      const stored = new Map((await db.all(statements.settings, {})).map(({ name, value }) => [name, value]));
      for (const { name, value, apply } of statements.applied)
        if (stored.get(name) !== value) await inBackground((tx) => Promise.resolve(tx.all(apply, {})));
    },

    /** From now on words are not kept, or all of them count as missing. */
    async begin(tx: Sql, kept: "kept" | "not kept"): Promise<void> {
      if (!isSqlite) await tx.all(statements.seeAll, {});
      await tx.all(statements.begin, { kept: kept === "kept" ? 1 : 0 });
      if (isSqlite) for (const each of [statements.clearIndex, statements.clearFresh]) await tx.all(each, {});
    },

    /**
     * Makes the words of the next older vehicles. Returns `null` if there are no more, or if another process is making
     * them.
     */
    fillSome: (): Promise<SearchProgress | null> =>
      inBackground(async (tx) => {
        const [owned] = await tx.all(statements.owned, {});
        if (owned === undefined || progressOf(owned).state !== "filling") return null;
        const vehicles = await tx.all(statements.next, { reached: owned.reached, last: owned.last });
        // On PostgreSQL, another process may have stored newer words meanwhile. SQLite has only one writer.
        const words = await stored.store(tx, isSqlite ? "replace" : "add", vehicles);
        await stored.index(
          tx,
          words.map(({ id }) => id),
          words,
        );
        const reached = vehicles.length < BATCH ? owned.last : (vehicles.at(-1)?.id ?? owned.last);
        await tx.all(statements.reach, { reached });
        return progressOf({ ...owned, reached });
      }),

    /** Updates SQLite's index after changes, and makes missing words. Returns false if nothing remains to be done. */
    settleSome: async (): Promise<boolean> => (await settle()) || addEnds(),

    /** Removes some of the words of a database that is to have none. Returns false if there are no more. */
    async clearSome(): Promise<boolean> {
      if ((await db.all(statements.any, {})).length === 0) return false;
      await inBackground((tx) => Promise.resolve(tx.all(statements.clear, {})));
      return true;
    },

    /** Remakes the words of all vehicles. `reached` receives the percentage that is done. */
    async remake(reached: (percent: number) => void): Promise<void> {
      const last = (await db.all(statements.last, {}))[0]?.last ?? 0;
      for (let done = 0; done < last; ) {
        const ids = await inBackground(async (tx) => {
          const next = (await tx.all(statements.next, { reached: done, last })).map(({ id }) => id);
          await stored.index(tx, next, await stored.remake(tx, next));
          return next;
        });
        done = ids.length < BATCH ? last : (ids.at(-1) ?? last);
        reached(Math.floor((100 * done) / last));
      }
      await inBackground((tx) => Promise.resolve(tx.all(statements.orphans, {})));
    },
  };
};
