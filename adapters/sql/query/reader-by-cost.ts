import { sql } from "kysely";
import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import type { Engine } from "../../../migrations/migration.ts";
import { cachedForASecond } from "./cached-for-a-second.ts";
import type { Reader, SqlDatabase } from "./database.ts";
import { param, type Statement, statement } from "./statement.ts";

/**
 * The longest time of an ordinary read, in µs. On SQLite it runs on the main thread, and there may be several in one
 * turn of the event loop. On PostgreSQL it uses a connection that others may be waiting for.
 */
const MAX_SHORT_READ_US: Readonly<Record<Engine, number>> = { sqlite: 2000, postgres: 50_000 };
/** The number of bytes of stored words in which one text is looked for within a microsecond. */
const BYTES_PER_US = 500;

/**
 * Chooses where a read of vehicles runs: as an ordinary read, or as a long read if it visits so many vehicles that
 * others would wait for it. It visits the vehicles of one dealer, or of all dealers (`null`). `microseconds` is the
 * time for each of them: about 0.1 for an index entry, 1 for a row, 3 for a row that is sorted or returned. A read
 * whose cost does not depend on the number of vehicles does not need it.
 *
 * A search also reads the stored words, which may be a thousand times as long for one vehicle as for another.
 * `searchedTexts` is the number of texts that it looks for in each vehicle's words. If it reads the words several times,
 * each time counts.
 */
export type ReaderByCost = (
  dealerId: number | null,
  microseconds: number,
  searchedTexts?: number,
) => MaybePromise<Reader>;

/** What a read visits, and where it runs. */
export interface ReadCost {
  readonly reader: Reader;
  /** The number of vehicles in reach. */
  readonly vehicles: number;
  /** The time for looking for the texts in the words of these vehicles, in µs; 0 for a long read. */
  readonly wordsMicroseconds: number;
}

/** Makes the choice of `readerByCost`. */
export const readerByCost = (db: SqlDatabase): ReaderByCost => {
  const costOf = readCosts(db);
  return (...read) => andThen(costOf(...read), ({ reader }) => reader);
};

/**
 * Makes the same choice, and tells what it was made from: the stored numbers of each dealer's vehicles, and the lengths
 * of their words. Both may be a second old.
 */
export const readCosts = (db: SqlDatabase): ((...read: Parameters<ReaderByCost>) => MaybePromise<ReadCost>) => {
  const total = sql<number>`CAST(COALESCE(SUM(available + sold + pending), 0) AS BIGINT)`.as("total");
  const ofDealer = statement(() =>
    db.selectFrom("dealer_inventory").select(total).where("dealer_id", "=", param("dealer")),
  );
  const ofAll = statement(() => db.selectFrom("dealer_inventory").select(total));
  // The database knows the lengths without reading the words.
  const length = sql<number>`CAST(COALESCE(SUM(octet_length(words)), 0) AS BIGINT)`.as("total");
  const wordsOfDealer = statement(() =>
    db.selectFrom("vehicle_words").select(length).where("dealer_id", "=", param("dealer")),
  );
  const wordsOfAll = statement(() => db.selectFrom("vehicle_words").select(length));

  const sumOf =
    (ofOne: Statement<{ total: number }>, ofEach: Statement<{ total: number }>) =>
    (dealerId: number | null): MaybePromise<number> =>
      andThen(
        dealerId === null ? db.first(ofEach, {}) : db.first(ofOne, { dealer: dealerId }),
        (row) => row?.total ?? 0,
      );
  const vehiclesOf = cachedForASecond(sumOf(ofDealer, ofAll));
  const bytesOf = cachedForASecond(sumOf(wordsOfDealer, wordsOfAll));

  const limit = MAX_SHORT_READ_US[db.engine];

  return (dealerId, microseconds, searchedTexts = 0) =>
    andThen(vehiclesOf(dealerId), (vehicles): MaybePromise<ReadCost> => {
      if (vehicles * microseconds > limit) return { reader: db.longReads, vehicles, wordsMicroseconds: 0 };
      if (searchedTexts === 0) return { reader: db, vehicles, wordsMicroseconds: 0 };
      // Only the words of few vehicles are measured, as those of many make a long read anyway.
      return andThen(bytesOf(dealerId), (bytes) => {
        const wordsMicroseconds = (bytes * searchedTexts) / BYTES_PER_US;
        // The time for each vehicle includes that for words of the usual length.
        return { reader: wordsMicroseconds <= limit ? db : db.longReads, vehicles, wordsMicroseconds };
      });
    });
};
