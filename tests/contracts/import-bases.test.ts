import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { storedBases } from "../../adapters/sql/imports/bases.ts";
import { makeMappingRepository } from "../../adapters/sql/imports/mappings.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import type { Base } from "../../core/imports/merge.ts";
import { ENGINES, type TestDatabase } from "../support/engines.ts";
import { dealerFields, MOMENT, made, OPERATOR, vehicleFields } from "../support/records.ts";

setDefaultTimeout(300_000);

for (const engine of ENGINES)
  describe(`what files said of vehicles on ${engine.name}`, () => {
    let db: TestDatabase;
    beforeAll(async () => {
      db = await engine.open();
    });
    afterAll(() => db.close());

    const newDealer = async (): Promise<number> => (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
    const newVehicle = async (dealer: number): Promise<number> =>
      made(await makeVehicleRepository(db).insert(vehicleFields(dealer), OPERATOR)).id;
    const say = (source: string, dealerId: number, vehicleId: number, base: Base) =>
      db.write((tx) => storedBases(db)(tx).storeBases(source, [{ vehicleId, dealerId, base }], MOMENT));
    const said = (source: string, dealerId: number, vehicleIds: readonly number[]) =>
      db.write((tx) => storedBases(db)(tx).basesOf(source, { dealerId, vehicleIds }));
    const rows = async (): Promise<string[]> => {
      const text = "SELECT vehicle_id, source FROM import_bases ORDER BY vehicle_id, source";
      const all = await db.all<{ vehicle_id: number; source: string }>({ text, bind: () => [] }, {});
      return all.map(({ vehicle_id, source }) => `${vehicle_id} ${source}`);
    };
    const removal = (id: number, scope: number) => ({ id, scope, versions: null, now: MOMENT, by: OPERATOR });

    test("is one row for each source and vehicle, and that of no other dealer", async () => {
      const [dealer, other] = [await newDealer(), await newDealer()];
      const vehicle = await newVehicle(dealer);
      await say("uploads", dealer, vehicle, { price: 1, status: "available", images: ["a"] });
      await say("uploads", dealer, vehicle, { price: 2, status: null });
      await say("mapping:1", dealer, vehicle, { price: 3 });
      expect(await rows()).toEqual([`${vehicle} mapping:1`, `${vehicle} uploads`]);
      expect((await said("uploads", dealer, [vehicle])).get(vehicle)).toEqual({ price: 2 });
      expect(await said("uploads", other, [vehicle])).toEqual(new Map());
      expect(await said("source:1", dealer, [vehicle])).toEqual(new Map());
    });

    test("goes with the vehicle, with its move, and with the mapping or source that it is of", async () => {
      const [dealer, other] = [await newDealer(), await newDealer()];
      const before = await rows();
      const [removed, moved, left] = [await newVehicle(dealer), await newVehicle(dealer), await newVehicle(dealer)];
      const mappings = makeMappingRepository(db);
      const mapping = await mappings.insert(
        { name: "Own", dealer_id: dealer, columns: {}, created_at: MOMENT, updated_at: MOMENT },
        OPERATOR,
      );
      if (typeof mapping !== "object") throw new Error("the dealer is there");
      await db.migrate(
        async (query) =>
          void (await query(`INSERT INTO import_sources
            (id, dealer_id, name, url, schedule, timezone, options, active, failures, runs, created_at, updated_at)
            VALUES (77, ${dealer}, 'Own', 'https://files.example.com/a.csv', '0 1 * * *', 'UTC', '{}', 1, 0, '[]',
              '${MOMENT}', '${MOMENT}')`)),
      );
      const own = [`mapping:${mapping.id}`, "source:77", "uploads"];
      for (const vehicle of [removed, moved, left]) for (const source of own) await say(source, dealer, vehicle, {});
      expect((await rows()).length).toBe(before.length + 9);
      const vehicles = makeVehicleRepository(db);
      await vehicles.remove(removal(removed, dealer));
      await vehicles.update({ ...removal(moved, dealer), scope: null, changes: { dealer_id: other } });
      expect(await rows()).toEqual([...before, ...own.map((source) => `${left} ${source}`)]);
      await mappings.remove({ id: mapping.id, scope: null, now: MOMENT, by: OPERATOR });
      await db.migrate(async (query) => void (await query("DELETE FROM import_sources WHERE id = 77")));
      expect(await rows()).toEqual([...before, `${left} uploads`]);
    });
  });
