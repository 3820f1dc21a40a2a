import { type RawBuilder, sql } from "kysely";
import type { SearchProgress, SearchReadiness } from "../../../core/search/readiness.ts";
import { type WordedVehicle, vehicleWords as wordsOf } from "../../../core/search/vehicle-words.ts";
import type { Sql, SqlDatabase, Values } from "../query/database.ts";
import { param } from "../query/statement.ts";
import { IF_KEPT, storedWords } from "./stored-words.ts";
import { wordsFilling } from "./words-filling.ts";

const TICK_MS = 1000;
/** A pause between two batches, for those who wait for an answer. */
const PAUSE_MS = 2;

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

/** Words of vehicles in SQL. Where they are not wanted, none are made, and none are kept after `start`. */
export const vehicleWordsIn = (db: SqlDatabase, isWanted = true): VehicleWords => {
  const stored = storedWords(db);
  const filling = wordsFilling(db, stored);
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

  const switched = async (): Promise<void> => {
    if ((await filling.isKept()) !== isWanted)
      await db.write((tx) => filling.begin(tx, isWanted ? "kept" : "not kept"));
  };

  /** Does all that there is to do, and reports each whole percent. */
  const work = async (reached: (percent: number) => void, pauseMs = 0): Promise<void> => {
    now = await filling.progress();
    if (!isWanted) return clear();
    let told = -1;
    for (let isMore = true; isMore && !isStopped; ) {
      const isFilling = now.state === "filling" && (await fillSome());
      if (now.percent > told) reached(now.percent);
      told = now.percent;
      isMore = (await filling.settleSome()) || isFilling;
      if (isMore && pauseMs > 0) await Bun.sleep(pauseMs);
    }
    // Also after what another process has filled.
    now = await filling.progress();
    await stored.tidy();
  };

  return {
    progress: () => now,

    // One round trip less, and the trigger that looks for vehicles without words comes later.
    insertion:
      isWanted && db.hasWritableCtes
        ? sql`INSERT INTO vehicle_words (vehicle_id, dealer_id, words)
            SELECT resource_id, owner_id, CAST(${param("words")} AS text) FROM changed WHERE ${IF_KEPT}`
        : undefined,

    insertionValues: (vehicle) => (isWanted && db.hasWritableCtes ? { words: wordsOf(vehicle) } : {}),

    inserted(vehicle) {
      if (!isWanted || db.hasWritableCtes) return undefined;
      return async (tx, rows) => {
        for (const { resource_id: id, owner_id } of rows)
          if (owner_id !== null) await stored.put(tx, { ...vehicle, id, dealer_id: owner_id });
      };
    },

    async keep(tx, ...ids) {
      if (!isWanted) return;
      const [id, ...others] = ids;
      // Many at once cost the index little.
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
      await switched();
      now = await filling.progress();
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
