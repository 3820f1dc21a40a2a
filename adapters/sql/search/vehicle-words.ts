import { type RawBuilder, sql } from "kysely";
import type { SearchIndex, SearchProgress } from "../../../core/search/progress.ts";
import { type SearchedVehicle, vehicleWords as wordsOf } from "../../../core/vehicles/vehicle-words.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, type Values } from "../query/statement.ts";
import { IF_WORDS_ARE_STORED, storedWords } from "./stored-words.ts";
import { wordsBackfill } from "./words-backfill.ts";

const TICK_MS = 1000;
/** The pause between two batches. Requests can run in it. */
const PAUSE_MS = 2;

/** A vehicle that has just been inserted, as the audit log knows it. */
interface InsertedVehicle {
  readonly resource_id: number;
  readonly owner_id: number | null;
}

/** Receives the progress of making missing words, and failures, which are retried. */
export interface WordsListener {
  progress(now: SearchProgress): void;
  failed(error: unknown): void;
}

/** Keeps the search words of vehicles up to date. */
export interface VehicleWords extends SearchIndex {
  /** What `auditedChange` inserts in addition to a vehicle; `undefined` if `inserted` does it instead. */
  readonly insertion: RawBuilder<unknown> | undefined;
  /** The values of `insertion` for a vehicle. */
  insertionValues(vehicle: SearchedVehicle): Values;
  /** Completes the insertion of a vehicle; `undefined` if nothing remains to be done. */
  inserted(vehicle: SearchedVehicle): ((tx: Sql, rows: readonly InsertedVehicle[]) => Promise<void>) | undefined;
  /** Makes the words of these vehicles within the transaction that has just changed them. */
  keep(tx: Sql, ...ids: readonly number[]): Promise<void>;
  /** Makes all missing words, a few in each transaction. `reached` receives the percentage that is done. */
  fill(reached: (percent: number) => void): Promise<void>;
  /**
   * Must be called in a transaction that adds many vehicles. From then on words are not kept, or all of them count as
   * missing.
   */
  begin(tx: Sql, kept: "kept" | "not kept"): Promise<void>;
  /** Remakes the words of all vehicles, a few in each transaction, while others search and change them. */
  remake(reached: (percent: number) => void): Promise<void>;
  /** Prepares the database, and from then on makes missing words in the background. */
  start(listener: WordsListener): Promise<void>;
  stop(): Promise<void>;
}

/** Words of vehicles in SQL. If `isWanted` is false, no words are made, and `start` deletes existing ones. */
export const vehicleWordsIn = (db: SqlDatabase, isWanted = true): VehicleWords => {
  const stored = storedWords(db);
  const filling = wordsBackfill(db, stored);
  let now: SearchProgress = { state: "filling", percent: 0 };
  let isStopped = false;
  let working: Promise<void> | null = null;
  let timer: Timer | null = null;

  const clear = async (): Promise<void> => {
    while (!isStopped && (await filling.clearSome())) await Bun.sleep(PAUSE_MS);
  };

  const fillSome = async (): Promise<boolean> => {
    const reached = await filling.fillSome();
    now = reached ?? now;
    return reached?.state === "filling";
  };

  const applyWanted = async (): Promise<void> => {
    if ((await filling.isKept()) !== isWanted)
      await db.write((tx) => filling.begin(tx, isWanted ? "kept" : "not kept"));
  };

  /** Does all pending work. `reached` is called for each whole percent. */
  const work = async (reached: (percent: number) => void, pauseMs = 0): Promise<void> => {
    now = await filling.progress();
    if (!isWanted) return clear();
    let lastReported = -1;
    for (let isMore = true; isMore && !isStopped; ) {
      const isFilling = now.state === "filling" && (await fillSome());
      if (now.percent > lastReported) reached(now.percent);
      lastReported = now.percent;
      isMore = (await filling.settleSome()) || isFilling;
      if (isMore && pauseMs > 0) await Bun.sleep(pauseMs);
    }
    // Another process may have made words, too.
    now = await filling.progress();
    await stored.tidy();
  };

  return {
    progress: () => now,

    // This saves a round trip. Also, the words are stored before the trigger looks for vehicles without words.
    insertion:
      isWanted && db.hasWritableCtes
        ? sql`INSERT INTO vehicle_words (vehicle_id, dealer_id, words)
            SELECT resource_id, owner_id, CAST(${param("words")} AS text) FROM changed WHERE ${IF_WORDS_ARE_STORED}`
        : undefined,

    insertionValues: (vehicle) => (isWanted && db.hasWritableCtes ? { words: wordsOf(vehicle) } : {}),

    inserted(vehicle) {
      if (!isWanted || db.hasWritableCtes) return undefined;
      return async (tx, rows) => {
        for (const { resource_id: id, owner_id } of rows)
          if (owner_id !== null) await stored.put(tx, { id, dealer_id: owner_id }, vehicle);
      };
    },

    async keep(tx, ...ids) {
      if (!isWanted) return;
      const [id, ...others] = ids;
      // Adding many at once costs the index little.
      if (id === undefined || others.length > 0) await stored.index(tx, ids, await stored.remake(tx, ids));
      else await stored.remakeOne(tx, id);
    },

    fill: (reached) => work(reached),
    begin: filling.begin,

    async remake(reached) {
      await filling.remake(reached);
      await work(() => {});
    },

    async start({ progress, failed }) {
      await filling.prepareIndex();
      await applyWanted();
      now = await filling.progress();
      let reported = now.state;
      if (now.state === "filling") progress(now);
      const tick = (): void => {
        working ??= work(() => progress(now), PAUSE_MS)
          .catch(failed)
          .finally(() => {
            working = null;
            if (reported !== now.state) progress(now);
            reported = now.state;
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
