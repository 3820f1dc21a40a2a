import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { migrateToLatest } from "../../adapters/sql/schema/migrate.ts";
import { vehicleSpellings } from "../../adapters/sql/search/spellings.ts";
import { vehicleWordsIn } from "../../adapters/sql/search/vehicle-words.ts";
import { makeBulk } from "../../adapters/sql/vehicles/bulk.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { foldLetters } from "../../core/search/words.ts";
import { fold } from "../../core/text.ts";
import type { VehicleFilter } from "../../core/vehicles/vehicle-filter.ts";
import { UNKNOWN_DEALER, type VehicleRepository } from "../../core/vehicles/vehicle-repository.ts";
import { vehicleSpellings as migration } from "../../migrations/0018-vehicle-spellings.ts";
import { migrateBefore } from "../support/earlier-schema.ts";
import { connect, ENGINES } from "../support/engines.ts";
import { dealerFields, MOMENT, made, momentAfter, OPERATOR, vehicleFields } from "../support/records.ts";

setDefaultTimeout(300_000);

const PAGE = { limit: 100, offset: 0 };

const idsOf = async (vehicles: VehicleRepository, filter: VehicleFilter): Promise<number[]> =>
  (await vehicles.list({ scope: null, filter, page: PAGE, from: null })).vehicles.parse().map(({ id }) => id);

/** Writes a vehicle as the previous version did: with a folded make and model, and without spellings. */
const withOldSpellings = async (db: SqlDatabase, id: number, make: string, columns: Record<string, string> = {}) =>
  db.migrate(async (run) => {
    const names = Object.keys(columns);
    const values = Object.values(columns).map((text) => `'${text}'`);
    await run(`INSERT INTO vehicles (${["id, dealer_id, make, model, year, price_cents, status, featured, make_folded, model_folded, created_at, updated_at", ...names]})
      VALUES (${[`${id}, 1, '${make}', '${make}', 2024, 100, 'available', 0, '${fold(make)}', '${fold(make)}', '${MOMENT}', '${MOMENT}'`, ...values]})`);
  });

const TEXTS = "name address city state zip phone email city_folded state_folded created_at updated_at".split(" ");
const addDealer = (db: SqlDatabase) =>
  db.migrate(async (run) => {
    await run(`INSERT INTO dealers (${["id", "active", ...TEXTS]}) VALUES (1, 1, ${TEXTS.map((name) => `'${name}'`)})`);
  });

for (const engine of ENGINES)
  describe(`spellings of vehicles on ${engine.name}`, () => {
    test("from before the migration are found without regard to case and accents", async () => {
      const db = connect(await engine.url());
      await migrateBefore(db, migration);
      await addDealer(db);
      const makes = ["Škoda", "ŠKODA", "Skoda", "Лада", "Toyota"];
      for (const [place, make] of makes.entries())
        await withOldSpellings(db, place + 1, make, { trim: make, stock_number: `${make}-1`, vin: "Ab1" });
      // More than are repaired at once.
      for (let id = 10; id < 560; id++) await withOldSpellings(db, id, "Citroën");
      await migrateToLatest(db);
      const vehicles = makeVehicleRepository(db);
      for (const key of ["make", "model", "trim"] as const) {
        expect(await idsOf(vehicles, { [key]: ["skodá"] })).toEqual([3, 2, 1]);
        expect(await idsOf(vehicles, { [key]: ["ЛАДА", "TOYOTA"] })).toEqual([5, 4]);
      }
      expect(await idsOf(vehicles, { stock_number: "škoda-1" })).toEqual([2, 1]);
      expect(await idsOf(vehicles, { stock_number: "SKODA-1" })).toEqual([3]);
      expect(await idsOf(vehicles, { stock_number: "лада-1" })).toEqual([4]);
      expect(await idsOf(vehicles, { vin: "aB1" })).toEqual([5, 4, 3, 2, 1]);
      const { total } = await vehicles.list({ scope: null, filter: { make: ["citroen"] }, page: PAGE, from: null });
      expect(total).toBe(550);
      await db.close();
    });

    test("are completed by the next start if one was interrupted", async () => {
      const db = await engine.open();
      await addDealer(db);
      for (let id = 1; id <= 5; id++) await withOldSpellings(db, id, "Škoda", { trim: `Été ${id}` });
      await db.migrate((run) => run("UPDATE search_state SET unspelled = 3").then(() => {}));
      await migrateToLatest(db);
      const vehicles = makeVehicleRepository(db);
      expect(await idsOf(vehicles, { make: ["skoda"] })).toEqual([3, 2, 1]);
      expect(await idsOf(vehicles, { trim: ["ete 3", "ete 4"] })).toEqual([3]);
      await db.close();
    });

    test("that an instance of the previous version wrote are found after a repair, which changes nothing else", async () => {
      const db = await engine.open();
      await addDealer(db);
      await withOldSpellings(db, 1, "Škoda", { body_style: "Fließheck", stock_number: "Ä1" });
      await withOldSpellings(db, 2, "Toyota", { body_style: "Coupé", trim: "Ä1" });
      const vehicles = makeVehicleRepository(db);
      const before = (await vehicles.find(1, null))?.text;
      expect(await idsOf(vehicles, { body_style: ["coupe"] })).toEqual([]);
      const spellings = vehicleSpellings(db);
      await db.write((tx) => spellings.repair(tx, [1, 2, 999]));
      await db.write((tx) => spellings.repair(tx, []));
      expect(await idsOf(vehicles, { body_style: ["coupe"] })).toEqual([2]);
      expect(await idsOf(vehicles, { body_style: ["FLIESSHECK"], make: ["skoda"], stock_number: "ä1" })).toEqual([1]);
      // Accents tell stock numbers apart, though not the trim that is written like one.
      expect(await idsOf(vehicles, { trim: ["a1"] })).toEqual([2]);
      expect(await idsOf(vehicles, { stock_number: "a1" })).toEqual([]);
      expect((await vehicles.find(1, null))?.text).toBe(before);
      await db.close();
    });

    test("that an instance of the previous version wrote are found as soon as the vehicles' search words are", async () => {
      const db = await engine.open();
      await addDealer(db);
      await withOldSpellings(db, 1, "Škoda", { body_style: "Fließheck", stock_number: "Ä1" });
      await vehicleWordsIn(db).fill(() => {});
      const vehicles = makeVehicleRepository(db);
      expect(await idsOf(vehicles, { body_style: ["FLIESSHECK"], make: ["skoda"], stock_number: "ä1" })).toEqual([1]);
      await db.migrate(async (run) => {
        await run(`UPDATE vehicles SET trim = 'Édition', make = 'Citroën', make_folded = 'citroën' WHERE id = 1`);
      });
      await vehicleWordsIn(db).fill(() => {});
      expect(await idsOf(vehicles, { trim: ["edition"], make: ["CITROEN"] })).toEqual([1]);
      await db.close();
    });

    test("are stored with a change that succeeds, even if a previous one with the same spelling failed", async () => {
      const db = await engine.open();
      const dealer = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
      const vehicles = makeVehicleRepository(db);
      const other = makeVehicleRepository(db);
      const change = (id: number, trim: string, scope: number | null = null) =>
        vehicles.update({ id, scope, changes: { trim }, now: momentAfter(1), versions: null, by: OPERATOR });
      expect(await vehicles.insert(vehicleFields(999, { trim: "Élan" }), OPERATOR)).toBe(UNKNOWN_DEALER);
      const { id } = made(await vehicles.insert(vehicleFields(dealer, { trim: "Élan" }), OPERATOR));
      expect(await idsOf(other, { trim: ["elan"] })).toEqual([id]);
      expect(await change(id, "Été", 999)).toBeNull();
      expect(await change(id, "Été")).not.toBeNull();
      expect(await idsOf(other, { trim: ["ete"] })).toEqual([id]);
      expect(await idsOf(other, { trim: ["elan"] })).toEqual([]);
      await db.close();
    });

    test("are found for vehicles added in bulk or by several writers at once", async () => {
      const db = await engine.open();
      const dealer = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
      const colors = ["Vert", "vert", "VERT", "Vért"];
      await makeBulk(db, { now: () => MOMENT }, OPERATOR).addVehicles(
        colors.map((exterior_color) => ({ fields: vehicleFields(dealer, { exterior_color }), images: [] })),
      );
      const writers = Array.from({ length: 4 }, () => makeVehicleRepository(db));
      await Promise.all(
        writers.flatMap((vehicles) =>
          colors.map((color) =>
            vehicles.insert(
              vehicleFields(dealer, { exterior_color: color, interior_color: color, trim: color }),
              OPERATOR,
            ),
          ),
        ),
      );
      const vehicles = makeVehicleRepository(db);
      expect(await idsOf(vehicles, { exterior_color: ["vert"] })).toHaveLength(20);
      expect(await idsOf(vehicles, { interior_color: ["VERT"], trim: ["vert", "none"] })).toHaveLength(16);
      await db.close();
    });
  });

test("a make in ASCII keeps its folded form, so that only other makes need the new form", () => {
  for (let code = 0; code <= 0x1ffff; code++) {
    const [before, now] = [fold(String.fromCodePoint(code)), foldLetters(String.fromCodePoint(code))];
    if (/^[\0-\x7f]*$/.test(before) && now !== before) throw new Error(`U+${code.toString(16)}: ${now}`);
  }
});
