import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { ownersOfSources, storedBases } from "../../adapters/sql/imports/bases.ts";
import { makeCorrectionRepository } from "../../adapters/sql/imports/corrections.ts";
import { formerKeysOf } from "../../adapters/sql/imports/former-keys.ts";
import { makeMappingRepository } from "../../adapters/sql/imports/mappings.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeSourceRepository } from "../../adapters/sql/sources/repository.ts";
import { makeBulk } from "../../adapters/sql/vehicles/bulk.ts";
import { vehicleRemoval } from "../../adapters/sql/vehicles/removal.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import type { StoredImport } from "../../core/imports/import-repository.ts";
import type { Base } from "../../core/imports/merge.ts";
import type { FieldOwners } from "../../core/settings/field-owners.ts";
import type { VehicleFields } from "../../core/vehicles/vehicle-repository.ts";
import { ENGINES, openTwice, type TestDatabase } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { dealerFields, MOMENT, made, OPERATOR, vehicleFields } from "../support/records.ts";
import { storedImages } from "../support/stored-images.ts";

setDefaultTimeout(300_000);

for (const engine of ENGINES)
  describe(`what files said of vehicles on ${engine.name}`, () => {
    let db: TestDatabase;
    /** Another instance's connection to the same database. */
    let elsewhere: TestDatabase;
    beforeAll(async () => {
      [db, elsewhere] = await openTwice(engine);
    });
    afterAll(() => Promise.all([db.close(), elsewhere.close()]));

    const newDealer = async (): Promise<number> => (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
    const newVehicle = async (dealer: number, fields: Partial<VehicleFields> = {}): Promise<number> =>
      made(await makeVehicleRepository(db).insert(vehicleFields(dealer, fields), OPERATOR)).id;
    const say = (source: string, dealerId: number, vehicleId: number, base: Base) =>
      db.write((tx) => storedBases(db)(tx).storeBases(source, [{ vehicleId, dealerId, base }], MOMENT));
    const said = (source: string, dealerId: number, vehicleIds: readonly number[]) =>
      db.write((tx) => storedBases(db)(tx).basesOf(source, { dealerId, vehicleIds }));
    const rows = async (): Promise<string[]> => {
      const text = "SELECT vehicle_id, source FROM import_bases ORDER BY vehicle_id, source";
      const all = await db.all<{ vehicle_id: number; source: string }>({ text, bind: () => [] }, {});
      return all.map(({ vehicle_id, source }) => `${vehicle_id} ${source}`);
    };
    const newMapping = async (dealer: number, name = "Own"): Promise<number> => {
      const mapping = {
        name,
        dealer_id: dealer,
        columns: {},
        values: {},
        created_at: MOMENT,
        updated_at: MOMENT,
      };
      const inserted = await makeMappingRepository(db).insert(mapping, OPERATOR);
      if (typeof inserted !== "object") throw new Error("the dealer is there");
      return inserted.id;
    };
    const sourcesIn = (one: TestDatabase) =>
      makeSourceRepository(one, { clock: systemClock, sealing: async () => ({ seal: (text) => text }) });
    const newSource = async (dealer: number, owners: FieldOwners = {}, name = "Own"): Promise<number> => {
      const source = {
        ...{ name, url: "https://files.example.com/a.csv", schedule: "0 1 * * *", timezone: "UTC" },
        ...{ options: {}, field_owners: owners, active: false, endedBy: null, nextAt: null, isReset: false },
        ...{ failures: 0, failingSince: null },
      };
      const inserted = await sourcesIn(db).insert({ dealerId: dealer, source, most: 50, now: MOMENT, by: OPERATOR });
      if (typeof inserted !== "object") throw new Error("the dealer is there");
      return inserted.id;
    };
    const removeMapping = (id: number, one = db) =>
      makeMappingRepository(one).remove({ id, scope: null, now: MOMENT, by: OPERATOR });
    const removeSource = (id: number, one = db) =>
      sourcesIn(one).remove({ id, scope: null, now: MOMENT, by: OPERATOR });
    /** The number of transactions that wait for another one. */
    const waiting = async (): Promise<number> => {
      const text = `SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return (await db.all({ text, bind: () => [] }, {})).length;
    };
    const removal = (id: number, scope: number) => ({ id, scope, versions: null, now: MOMENT, by: OPERATOR });

    test("is one row for each source and vehicle, and that of no other dealer", async () => {
      const [dealer, other] = [await newDealer(), await newDealer()];
      const [vehicle, unasked] = [await newVehicle(dealer), await newVehicle(dealer)];
      await say("uploads", dealer, unasked, { price: 9 });
      await say("uploads", dealer, vehicle, { price: 1, status: "available", images: ["a"] });
      await say("uploads", dealer, vehicle, { price: 2, status: null });
      const own = `mapping:${await newMapping(dealer)}`;
      await say(own, dealer, vehicle, { price: 3 });
      expect(await rows()).toEqual([`${vehicle} ${own}`, `${vehicle} uploads`, `${unasked} uploads`]);
      expect(await said("uploads", dealer, [vehicle])).toEqual(new Map([[vehicle, { price: 2 }]]));
      expect(await said("uploads", other, [vehicle])).toEqual(new Map());
      expect(await said("source:1", dealer, [vehicle])).toEqual(new Map());
    });

    test("tells former keys of the vehicles of its own dealer alone", async () => {
      const [dealer, other] = [await newDealer(), await newDealer()];
      const [own, moved] = [await newVehicle(dealer), await newVehicle(dealer)];
      await say("uploads", dealer, own, { stock_number: "BEFORE" });
      await say("uploads", other, moved, { stock_number: "AWAY" });
      const former = await formerKeysOf(db)({ dealerId: dealer }, "uploads");
      expect(former.map(({ vehicleId, stock_number }) => [vehicleId, stock_number])).toEqual([[own, "BEFORE"]]);
      expect(await formerKeysOf(db)({ dealerId: other }, "uploads")).toEqual([]);
    });

    test("tells the former keys that its own source has, of vehicles that have others now", async () => {
      const dealer = await newDealer();
      const renamed = await newVehicle(dealer, { vin: "NEW" });
      const [same, silent] = [await newVehicle(dealer, { vin: "SAME", stock_number: "S1" }), await newVehicle(dealer)];
      await say("uploads", dealer, renamed, { vin: "OLD" });
      await say("uploads", dealer, same, { vin: "SAME", stock_number: "S1" });
      await say("uploads", dealer, silent, { price: 1 });
      for (const vehicle of [renamed, same]) await say("elsewhere", dealer, vehicle, { vin: "ELSEWHERE" });
      expect(await formerKeysOf(db)({ dealerId: dealer }, "uploads")).toEqual([
        { vehicleId: renamed, dealerId: dealer, vin: "OLD", stock_number: null },
      ]);
    });

    describe("is shown beside the vehicle", () => {
      const comparedIn = (on: SqlDatabase, id: number, scope: number | null) =>
        makeCorrectionRepository(on).find(id, scope);
      const addImage = (vehicleId: number, image_url: string) =>
        storedImages(db).add({ vehicleId, scope: null, draft: { image_url }, now: MOMENT, by: OPERATOR });

      test("that it is of, under the name of its dealer's own source, and within the scope", async () => {
        const [dealer, other] = [await newDealer(), await newDealer()];
        const [first, own] = [await newVehicle(dealer, { vin: "FIRST" }), await newVehicle(dealer, { vin: "OWN" })];
        await addImage(first, "https://images.example.com/first.jpg");
        await addImage(own, "https://images.example.com/own.jpg");
        const named = {
          [`mapping:${await newMapping(dealer, "Monday")}`]: "Monday",
          [`mapping:${await newMapping(dealer, "Tuesday")}`]: "Tuesday",
          [`source:${await newSource(dealer, {}, "At noon")}`]: "At noon",
          [`source:${await newSource(dealer, {}, "At night")}`]: "At night",
          [`mapping:${await newMapping(other, "Theirs")}`]: null,
          [`source:${await newSource(other, {}, "Theirs")}`]: null,
          uploads: null,
        };
        for (const source of Object.keys(named)) await say(source, dealer, own, { price: 1 });
        await say("uploads", dealer, first, { price: 2 });
        // Another dealer's file says something of the vehicle, as if it had moved from there.
        await say("elsewhere", other, own, { price: 3 });
        for (const scope of [dealer, null]) {
          const found = await comparedIn(db, own, scope);
          expect([found?.vehicle.vin, found?.images]).toEqual(["OWN", ["https://images.example.com/own.jpg"]]);
          expect(Object.fromEntries((found?.said ?? []).map(({ source, name }) => [source, name]))).toEqual(named);
          expect(found?.said.map(({ base }) => base)).toEqual(Object.keys(named).map(() => ({ price: 1 })));
        }
        expect(await comparedIn(db, own, other)).toBeNull();
      });

      test("without the images that it has at another dealer, if it moves there meanwhile", async () => {
        const [dealer, other] = [await newDealer(), await newDealer()];
        const [own] = [await newVehicle(dealer), await newVehicle(dealer)];
        await addImage(own, "https://images.example.com/own.jpg");
        await say("uploads", dealer, own, { price: 1 });
        let isMoved = false;
        const moving: SqlDatabase = {
          ...db,
          async all(statement, values) {
            const found = await db.all(statement, values);
            const move = { ...removal(own, dealer), scope: null, changes: { dealer_id: other } };
            if (!isMoved) await makeVehicleRepository(db).update(move);
            isMoved = true;
            return found;
          },
        };
        const found = await comparedIn(moving, own, dealer);
        expect([found?.vehicle.dealer_id, found?.said.length, found?.images]).toEqual([dealer, 1, []]);
      });
    });

    test("is compared by the owners of fields that its own source has, and that is of no other dealer", async () => {
      const [dealer, other] = [await newDealer(), await newDealer()];
      const owners = { price: "hand" } as const;
      const [before, own, after] = [await newSource(dealer), await newSource(dealer, owners), await newSource(dealer)];
      const ownersOf = (sourceId: number | null, dealerId: number) =>
        ownersOfSources(db)({ sourceId, dealerId } as StoredImport);
      expect(await ownersOf(own, dealer)).toEqual(owners);
      for (const source of [before, after, null]) expect(await ownersOf(source, dealer)).toEqual({});
      expect(await ownersOf(own, other)).toEqual({});
    });

    test("goes with the vehicle, with its move, and with the mapping or source that it is of", async () => {
      const [dealer, other] = [await newDealer(), await newDealer()];
      const before = await rows();
      const [removed, moved, left] = [await newVehicle(dealer), await newVehicle(dealer), await newVehicle(dealer)];
      const [mapping, source] = [await newMapping(dealer), await newSource(dealer)];
      const own = [`mapping:${mapping}`, `source:${source}`, "uploads"];
      for (const vehicle of [removed, moved, left]) for (const source of own) await say(source, dealer, vehicle, {});
      expect((await rows()).length).toBe(before.length + 9);
      const vehicles = makeVehicleRepository(db);
      await vehicles.remove(removal(removed, dealer));
      await vehicles.update({ ...removal(moved, dealer), scope: null, changes: { dealer_id: other } });
      expect(await rows()).toEqual([...before, ...own.map((source) => `${left} ${source}`)]);
      await removeMapping(mapping);
      await removeSource(source);
      expect(await rows()).toEqual([...before, `${left} uploads`]);
    });

    test("goes with a source and with removed vehicles at the same time, in one order", async () => {
      if (db.engine !== "postgres") return;
      const dealer = await newDealer();
      const before = await rows();
      const id = await newSource(dealer);
      const lot = Array.from({ length: 300 }, () => ({ fields: vehicleFields(dealer), images: [] }));
      await makeBulk(db, { now: () => MOMENT }, OPERATOR).addVehicles(lot);
      const text = `SELECT id FROM vehicles WHERE dealer_id = ${dealer} ORDER BY id DESC`;
      const ids = (await db.all<{ id: number }>({ text, bind: () => [] }, {})).map((row) => row.id);
      const [second = 0, first = 0] = [ids[0], ids.at(-1)];
      // The tables have them in another order than that of the vehicles' ids, and are read from their beginning.
      await makeVehicleRepository(db).update({ ...removal(first, dealer), changes: { price: 7 } });
      const bases = ids.map((vehicleId) => ({ vehicleId, dealerId: dealer, base: { price: 1 } }));
      await db.write((tx) => storedBases(db)(tx).storeBases(`source:${id}`, bases, MOMENT));
      for (const table of ["vehicles", "import_bases"])
        await db.migrate(async (run) => void (await run(`ANALYZE ${table}`)));
      const deleted = Promise.withResolvers<unknown>();
      await db.write(async (tx) => {
        const remove = vehicleRemoval(db);
        await remove(tx, removal(first, dealer));
        deleted.resolve(removeSource(id, elsewhere));
        await eventually(waiting, (count) => count > 0);
        await remove(tx, removal(second, dealer));
      });
      await deleted.promise;
      expect(await rows()).toEqual(before);
    });

    const kinds = [
      ["source", (dealer: number) => newSource(dealer), removeSource],
      ["mapping", newMapping, removeMapping],
    ] as const;
    for (const [kind, make, remove] of kinds)
      test(`goes with a ${kind} that is deleted while an import of it runs, which then keeps nothing more`, async () => {
        const dealer = await newDealer();
        const before = await rows();
        const [first, second] = [await newVehicle(dealer), await newVehicle(dealer)];
        const id = await make(dealer);
        const source = `${kind}:${id}`;
        for (const vehicle of [first, second]) await say(source, dealer, vehicle, { price: 1 });
        const deleted = Promise.withResolvers<unknown>();
        await db.write(async (tx) => {
          const { storeBases } = storedBases(db)(tx);
          const store = (vehicleId: number) =>
            storeBases(source, [{ vehicleId, dealerId: dealer, base: { price: 2 } }], MOMENT);
          // In another order than the one in which a deletion meets them.
          await store(second);
          let isDeleted = false;
          deleted.resolve(remove(id, elsewhere).then(() => (isDeleted = true)));
          const waits = async (): Promise<boolean> => isDeleted || (await waiting()) > 0;
          if (db.engine === "postgres") await eventually(waits, Boolean);
          await store(first);
        });
        await deleted.promise;
        await say(source, dealer, first, { price: 3 });
        expect(await rows()).toEqual(before);
      });
  });
