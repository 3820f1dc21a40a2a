import { expect } from "bun:test";
import { sql } from "kysely";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { param, sqlStatement } from "../../adapters/sql/query/statement.ts";
import { type VehicleWords, vehicleWordsIn } from "../../adapters/sql/search/vehicle-words.ts";
import { verifyVehicleWords } from "../../adapters/sql/search/verification.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import type { VehicleFields, VehicleUpdate } from "../../core/vehicles/vehicle-repository.ts";
import { dealerFields, MOMENT, made, momentAfter, OPERATOR, vehicleFields } from "./records.ts";

/** Ignores progress. */
export const NOBODY = (): void => {};

/** Vehicles that are stored and found by their words. */
export const wordsFixture = (db: SqlDatabase, words: VehicleWords = vehicleWordsIn(db)) => {
  const vehicles = makeVehicleRepository(db, words);
  const run = async (text: string, values: Readonly<Record<string, string | number>> = {}) => {
    const parts = text.split(/:(\w+)/);
    const query = sql.join(
      parts.map((part, place) => (place % 2 === 0 ? sql.raw(part) : param(part))),
      sql``,
    );
    return db.writeOne(sqlStatement(db, sql<object>`${query}`), values);
  };
  return {
    vehicles,
    words,
    run,
    /** Two dealers, 1 and 2. */
    addDealers: async () => {
      for (const _ of [1, 2]) await makeDealerRepository(db).insert(dealerFields(), OPERATOR);
    },
    add: async (dealer: number, fields: Partial<VehicleFields> = {}) =>
      made(await vehicles.insert(vehicleFields(dealer, { title: null, ...fields }), OPERATOR)).parse(),
    change: (id: number, changes: VehicleUpdate, scope: number | null = null) =>
      vehicles.update({ id, scope, changes, now: momentAfter(1), versions: null, by: OPERATOR }),
    remove: (id: number) => vehicles.remove({ id, scope: null, versions: null, now: MOMENT, by: OPERATOR }),
    /** The ids of the vehicles that are found, whoever asks: all, and each dealer. */
    find: async (q: string, scope: number | null = null) => {
      const page = { limit: 1000, offset: 0 };
      const listed = await vehicles.list({ scope, filter: { q }, page, from: null });
      expect(listed.total).toBe(listed.vehicles.parse().length);
      return listed.vehicles.parse().map(({ id }) => id);
    },
    right: async () => {
      const { wrong, stray, misindexed } = await verifyVehicleWords(db, NOBODY);
      return [wrong, stray, misindexed];
    },
  };
};
export type WordsPlace = ReturnType<typeof wordsFixture>;
