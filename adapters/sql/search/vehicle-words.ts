import { type RawBuilder, sql } from "kysely";
import type { SearchProgress, SearchReadiness } from "../../../core/search/readiness.ts";
import { WORDED_FIELDS, type WordedVehicle, vehicleWords as wordsOf } from "../../../core/search/vehicle-words.ts";
import type { Sql, SqlDatabase, Values } from "../query/database.ts";
import { param, type Statement, sqlStatement } from "../query/statement.ts";
import { vehicleSpellings } from "./spellings.ts";

const TICK_MS = 1000;
/** So few that SQLite holds the event loop only briefly. */
const BATCH = 50;
const CLEARED = 500;
/** Leaves of SQLite's index that are merged after each batch: as many as keep up with it. */
const MERGED_PAGES = 32;
/** A pause between two batches, for those who wait for an answer. */
const PAUSE_MS = 2;
/** The background gives way to others before PostgreSQL, after a second, looks which of both to end. */
const LOCK_PATIENCE_MS = 300;

type Texts = { readonly id: number; readonly dealer_id: number } & WordedVehicle;

/** Words as they are stored. */
interface Made {
  readonly id: number;
  readonly words: string;
}

interface State {
  readonly kept: 0 | 1;
  readonly reached: number;
  readonly last: number;
}

/** A vehicle whose words in SQLite's index are out of date; without a dealer if it is gone. */
interface Fresh {
  readonly id: number;
  readonly dealer_id: number | null;
  readonly words: string | null;
}

const COLUMNS = sql.join(["id", "dealer_id", ...WORDED_FIELDS].map((name) => sql.ref(`vehicles.${name}`)));
const SOME = sql.lit(BATCH);
/** Other processes may want no words: what the database says counts. */
const IF_KEPT = sql`EXISTS (SELECT 1 FROM search_state WHERE id = 1 AND kept = 1)`;

const listOf = (ids: readonly number[]): string => JSON.stringify(ids.map((id) => [id]));

const statementsOf = (db: SqlDatabase) => {
  const isSqlite = db.engine === "sqlite";
  const made = <Row>(query: RawBuilder<Row>): Statement<Row> => sqlStatement(db, query);
  const onPostgres = (words: RawBuilder<unknown>) => (isSqlite ? sql`` : words);
  const listed = sql`(SELECT listed FROM ${db.rows(param<string>("ids"), { listed: "integer" })} AS listed)`;
  const given = db.rows(param<string>("rows"), { vehicle_id: "integer", dealer_id: "integer", words: "text" });
  const key = sql.raw(isSqlite ? "dealer_id, vehicle_id" : "vehicle_id");
  const stored = sql`INSERT INTO vehicle_words (vehicle_id, dealer_id, words)
    SELECT vehicle_id, dealer_id, words FROM ${given} AS made WHERE ${IF_KEPT}
    ON CONFLICT (${key})`;
  const pairs = sql`(dealer_id, vehicle_id) IN (SELECT dealer_id, vehicle_id FROM vehicle_words`;
  return {
    state: made(sql<State>`SELECT kept, reached, last FROM search_state`),
    /** The same, for one process at a time: nothing if another has it. */
    owned: made(sql<State>`SELECT kept, reached, last FROM search_state ${onPostgres(sql`FOR UPDATE SKIP LOCKED`)}`),
    reach: made(sql<object>`UPDATE search_state SET reached = ${param("reached")}`),
    begin: made(
      sql<object>`UPDATE search_state SET kept = ${param("kept")}, reached = 0,
        last = (SELECT COALESCE(MAX(id), 0) FROM vehicles)`,
    ),
    last: made(sql<{ last: number }>`SELECT COALESCE(MAX(id), 0) AS last FROM vehicles`),
    /** Vehicles that nobody deletes meanwhile: their words would stay. */
    next: made(
      sql<Texts>`SELECT ${COLUMNS} FROM vehicles WHERE id > ${param("reached")} AND id <= ${param("last")}
        ORDER BY id LIMIT ${SOME} ${db.keepRows}`,
    ),
    /** Whoever changes a vehicle holds its row: what is read here cannot be older than what is written then. */
    text: made(
      sql<Texts>`SELECT ${COLUMNS} FROM vehicles WHERE id = ${param("id")} ${onPostgres(sql`FOR NO KEY UPDATE`)}`,
    ),
    texts: made(
      sql<Texts>`SELECT ${COLUMNS} FROM vehicles WHERE id IN ${listed} ORDER BY id
        ${onPostgres(sql`FOR NO KEY UPDATE`)}`,
    ),
    put: made(
      sql<object>`INSERT INTO vehicle_words (vehicle_id, dealer_id, words)
        SELECT ${param("id")}, ${param("dealer_id")}, ${param("words")} WHERE ${IF_KEPT}
        ON CONFLICT (${key}) DO UPDATE SET words = excluded.words`,
    ),
    replace: made(sql<object>`${stored} DO UPDATE SET words = excluded.words`),
    add: made(sql<object>`${stored} DO NOTHING`),
    clear: made(sql<object>`DELETE FROM vehicle_words WHERE ${pairs} LIMIT ${sql.lit(CLEARED)})`),
    any: made(sql<object>`SELECT vehicle_id FROM vehicle_words LIMIT ${sql.lit(1)}`),
    orphans: made(
      sql<object>`DELETE FROM vehicle_words
        WHERE NOT EXISTS (SELECT 1 FROM vehicles WHERE vehicles.id = vehicle_words.vehicle_id)`,
    ),
    // On PostgreSQL only.
    missing: made(sql<{ id: number }>`SELECT vehicle_id AS id FROM vehicle_words WHERE words IS NULL LIMIT ${SOME}`),
    patience: made(sql<object>`SELECT set_config('lock_timeout', ${sql.lit(String(LOCK_PATIENCE_MS))}, true)`),
    /** Waits for changes under way, which have not heard yet that words are kept. */
    seeAll: made(sql<object>`LOCK TABLE vehicles IN SHARE MODE`),
    /** Merges the index's list of new entries, if this role owns it; otherwise the server does so by itself, later. */
    tidy: made(
      sql<object>`SELECT gin_clean_pending_list(oid) FROM pg_class WHERE relname = 'vehicle_index'
        AND relnamespace = current_schema()::regnamespace AND pg_has_role(relowner, 'USAGE')`,
    ),
    // On SQLite only.
    fresh: made(
      sql<Fresh>`SELECT vehicle_words_fresh.vehicle_id AS id, vehicles.dealer_id, vehicle_words.words
        FROM vehicle_words_fresh LEFT JOIN vehicles ON vehicles.id = vehicle_words_fresh.vehicle_id
        LEFT JOIN vehicle_words
          ON vehicle_words.dealer_id = vehicles.dealer_id AND vehicle_words.vehicle_id = vehicles.id
        LIMIT ${SOME}`,
    ),
    anyFresh: made(sql<object>`SELECT vehicle_id FROM vehicle_words_fresh LIMIT ${sql.lit(1)}`),
    settled: made(sql<object>`DELETE FROM vehicle_words_fresh WHERE vehicle_id IN ${listed}`),
    unindex: made(sql<object>`DELETE FROM vehicle_index WHERE rowid IN ${listed}`),
    index: made(
      sql<object>`INSERT INTO vehicle_index (rowid, words)
        SELECT id, words FROM ${db.rows(param<string>("rows"), { id: "integer", words: "text" })} AS made`,
    ),
    merge: made(
      sql<object>`INSERT INTO vehicle_index (vehicle_index, rank) VALUES ('merge', ${sql.lit(MERGED_PAGES)})`,
    ),
    clearIndex: made(sql<object>`INSERT INTO vehicle_index (vehicle_index) VALUES ('delete-all')`),
    clearFresh: made(sql<object>`DELETE FROM vehicle_words_fresh`),
  };
};

/** A vehicle that has just been inserted, as the audit log knows it. */
interface Inserted {
  readonly resource_id: number;
  readonly owner_id: number | null;
}

/** Hears how far the words of vehicles from before are made, and of failures, which are tried again. */
export interface WordsListener {
  progress(now: SearchProgress): void;
  failed(error: unknown): void;
}

/** Keeps the words by which vehicles are found. */
export interface VehicleWords extends SearchReadiness {
  /** What `auditedChange` inserts besides a vehicle; `undefined` if it is left to `inserted`. */
  readonly insertion: RawBuilder<unknown> | undefined;
  /** The values of `insertion` for a vehicle. */
  insertionValues(vehicle: WordedVehicle): Values;
  /** What completes the insertion of a vehicle, if anything does. */
  inserted(vehicle: WordedVehicle): ((tx: Sql, rows: readonly Inserted[]) => Promise<void>) | undefined;
  /** Makes the words of these vehicles within the transaction that has just changed them. */
  keep(tx: Sql, ...ids: readonly number[]): Promise<void>;
  /** Makes all that is missing, a few in each transaction. `reached` hears of the share that is done, 0 to 100. */
  fill(reached: (percent: number) => void): Promise<void>;
  /** Within the transaction that brings many vehicles at once: from now on no words are kept, or all are missing. */
  begin(tx: Sql, kept: "kept" | "not kept"): Promise<void>;
  /** Makes the words of all vehicles anew, a few in each transaction, while others search and change them. */
  remake(reached: (percent: number) => void): Promise<void>;
  /** Prepares the database, and makes in the background what is missing, now and from then on. */
  start(listener: WordsListener): Promise<void>;
  stop(): Promise<void>;
}

const READY: SearchProgress = { state: "ready", percent: 100 };

const progressOf = ({ kept, reached, last }: State): SearchProgress => {
  if (kept === 0) return { state: "off", percent: 0 };
  return reached >= last ? READY : { state: "filling", percent: Math.floor((100 * reached) / last) };
};

/** Words of vehicles in SQL. Where they are not wanted, none are made, and none are kept after `start`. */
export const vehicleWordsIn = (db: SqlDatabase, isWanted = true): VehicleWords => {
  const statements = statementsOf(db);
  const spellings = vehicleSpellings(db);
  const isSqlite = db.engine === "sqlite";
  let now: SearchProgress = { state: "filling", percent: 0 };
  let isStopped = false;
  let isTidy = true;
  let working: Promise<void> | null = null;
  let timer: Timer | null = null;

  const stateIn = async (on: Sql): Promise<State> => {
    const [state] = await on.all(statements.state, {});
    if (state === undefined) throw new Error("search_state has no row");
    return state;
  };

  const store = async (tx: Sql, how: "replace" | "add", vehicles: readonly Texts[]): Promise<readonly Made[]> => {
    const rows = vehicles.map((vehicle) => [vehicle.id, vehicle.dealer_id, wordsOf(vehicle)] as const);
    if (rows.length > 0) await tx.all(statements[how], { rows: JSON.stringify(rows) });
    isTidy = false;
    return rows.map(([id, , words]) => ({ id, words }));
  };

  /** Makes words anew of what is stored now. */
  const remade = async (tx: Sql, ids: readonly number[]): Promise<readonly Made[]> =>
    ids.length === 0 ? [] : store(tx, "replace", await tx.all(statements.texts, { ids: listOf(ids) }));

  /** Brings SQLite's index up to date for these vehicles; those without words are gone. */
  const index = async (tx: Sql, ids: readonly number[], words: readonly Made[]): Promise<void> => {
    if (!isSqlite || ids.length === 0) return;
    await tx.all(statements.unindex, { ids: listOf(ids) });
    await tx.all(statements.index, { rows: JSON.stringify(words.map((made) => [made.id, made.words])) });
    await tx.all(statements.settled, { ids: listOf(ids) });
    await tx.all(statements.merge, {});
  };

  /** A transaction of the background, which gives way to those that somebody waits for. */
  const inBackground = <Result>(work: (tx: Sql) => Promise<Result>): Promise<Result> =>
    db.write(async (tx) => {
      if (!isSqlite) await tx.all(statements.patience, {});
      return work(tx);
    });

  /** Makes the words of the next vehicles from before; false if there are no more, or another process makes them. */
  const fillSome = (): Promise<boolean> =>
    inBackground(async (tx) => {
      const [state] = await tx.all(statements.owned, {});
      if (state === undefined || progressOf(state).state !== "filling") return false;
      const vehicles = await tx.all(statements.next, { reached: state.reached, last: state.last });
      // What another process of PostgreSQL stores meanwhile is newer. SQLite has one writer.
      const words = await store(tx, isSqlite ? "replace" : "add", vehicles);
      await index(
        tx,
        words.map(({ id }) => id),
        words,
      );
      const reached = vehicles.length < BATCH ? state.last : (vehicles.at(-1)?.id ?? state.last);
      await tx.all(statements.reach, { reached });
      now = progressOf({ ...state, reached });
      return now.state === "filling";
    });

  /** What an instance of the version before has changed lacks its spellings, too. */
  const mended = async (tx: Sql, ids: readonly number[]): Promise<readonly Made[]> => {
    const words = await remade(tx, ids);
    if (ids.length > 0) await spellings.mend(tx, ids);
    return words;
  };

  /** Takes what has changed into SQLite's index, and makes words that are missing; false if there was no more. */
  const settleSome = async (): Promise<boolean> => {
    if (!isSqlite) {
      const missing = await db.all(statements.missing, {});
      if (missing.length > 0)
        await inBackground((tx) =>
          mended(
            tx,
            missing.map(({ id }) => id),
          ),
        );
      return missing.length === BATCH;
    }
    if ((await db.all(statements.anyFresh, {})).length === 0) return false;
    return inBackground(async (tx) => {
      const fresh = await tx.all(statements.fresh, {});
      const wordless = fresh.filter(({ dealer_id, words }) => dealer_id !== null && words === null);
      const made = await mended(
        tx,
        wordless.map(({ id }) => id),
      );
      const known = fresh.flatMap(({ id, words }) => (words === null ? [] : [{ id, words }]));
      await index(
        tx,
        fresh.map(({ id }) => id),
        [...known, ...made],
      );
      return fresh.length === BATCH;
    });
  };

  /** Removes the words of a database that is to have none. */
  const clear = async (): Promise<void> => {
    while (!isStopped && (await db.all(statements.any, {})).length > 0) {
      await inBackground((tx) => Promise.resolve(tx.all(statements.clear, {})));
      await Bun.sleep(PAUSE_MS);
    }
  };

  const begin = async (tx: Sql, kept: "kept" | "not kept"): Promise<void> => {
    if (!isSqlite) await tx.all(statements.seeAll, {});
    await tx.all(statements.begin, { kept: kept === "kept" ? 1 : 0 });
    if (isSqlite) for (const each of [statements.clearIndex, statements.clearFresh]) await tx.all(each, {});
  };

  const switched = async (): Promise<void> => {
    if ((await stateIn(db)).kept !== (isWanted ? 1 : 0))
      await db.write((tx) => begin(tx, isWanted ? "kept" : "not kept"));
  };

  /** Does all that there is to do, and reports each whole percent. */
  const work = async (reached: (percent: number) => void, pauseMs = 0): Promise<void> => {
    now = progressOf(await stateIn(db));
    if (!isWanted) return clear();
    let told = -1;
    for (let isMore = true; isMore && !isStopped; ) {
      const [isFilling, isSettling] = [now.state === "filling" && (await fillSome()), await settleSome()];
      isMore = isFilling || isSettling;
      if (now.percent > told) reached(now.percent);
      told = now.percent;
      if (isMore && pauseMs > 0) await Bun.sleep(pauseMs);
    }
    // Also after what another process has filled.
    now = progressOf(await stateIn(db));
    if (isSqlite || isTidy) return;
    isTidy = true;
    await db.all(statements.tidy, {});
  };

  return {
    progress: () => now,

    // One round trip less, and the trigger that looks for vehicles without words comes later.
    insertion:
      isWanted && db.chains
        ? sql`INSERT INTO vehicle_words (vehicle_id, dealer_id, words)
            SELECT resource_id, owner_id, CAST(${param("words")} AS text) FROM changed WHERE ${IF_KEPT}`
        : undefined,

    insertionValues: (vehicle) => (isWanted && db.chains ? { words: wordsOf(vehicle) } : {}),

    inserted(vehicle) {
      if (!isWanted || db.chains) return undefined;
      return async (tx, rows) => {
        for (const { resource_id: id, owner_id: dealer_id } of rows)
          await tx.all(statements.put, { id, dealer_id, words: wordsOf(vehicle) });
      };
    },

    async keep(tx, ...ids) {
      if (!isWanted) return;
      const [id, ...others] = ids;
      // Many at once cost the index little.
      if (id === undefined || others.length > 0) return index(tx, ids, await remade(tx, ids));
      for (const vehicle of await tx.all(statements.text, { id }))
        await tx.all(statements.put, { id, dealer_id: vehicle.dealer_id, words: wordsOf(vehicle) });
      isTidy = false;
    },

    fill: (reached) => work(reached),
    begin,

    async remake(reached) {
      const last = (await db.all(statements.last, {}))[0]?.last ?? 0;
      for (let done = 0; done < last; ) {
        const ids = await inBackground(async (tx) => {
          const next = (await tx.all(statements.next, { reached: done, last })).map(({ id }) => id);
          await index(tx, next, await remade(tx, next));
          return next;
        });
        done = ids.length < BATCH ? last : (ids.at(-1) ?? last);
        reached(Math.floor((100 * done) / last));
      }
      await inBackground((tx) => Promise.resolve(tx.all(statements.orphans, {})));
      await work(() => {});
    },

    async start({ progress, failed }) {
      await switched();
      now = progressOf(await stateIn(db));
      let told = now.state;
      const tick = (): void => {
        working ??= work(() => progress(now), PAUSE_MS)
          .catch(failed)
          .finally(() => {
            working = null;
            if (told !== now.state) progress(now);
            told = now.state;
          });
      };
      tick();
      timer = setInterval(tick, TICK_MS);
      timer.unref();
    },

    async stop() {
      isStopped = true;
      if (timer !== null) clearInterval(timer);
      await working;
    },
  };
};
