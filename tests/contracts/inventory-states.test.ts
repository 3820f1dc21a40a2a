import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { vehicleWordsIn } from "../../adapters/sql/search/vehicle-words.ts";
import { makeInventoryStates } from "../../adapters/sql/vehicles/inventory-states.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import type { InventoryStates } from "../../core/dealers/inventory-versions.ts";
import { inGate } from "../support/depth.ts";
import { ENGINES, type TestDatabase } from "../support/engines.ts";
import { dealerFields, MOMENT, made, momentAfter, OPERATOR, vehicleFields } from "../support/records.ts";
import { storedImages } from "../support/stored-images.ts";

setDefaultTimeout(300_000);

const DAY_MS = 86_400_000;
const FRONT = "https://images.example.com/front.jpg";
const BACK = "https://images.example.com/back.jpg";

for (const engine of ENGINES)
  describe(`the state of a dealer's inventory on ${engine.name}`, () => {
    let db: TestDatabase;
    let states: InventoryStates;
    const by = OPERATOR;
    const now = MOMENT;

    beforeAll(async () => {
      db = await engine.open();
      states = makeInventoryStates(db);
    });
    afterAll(() => db.close());

    const newDealer = async (): Promise<number> => (await makeDealerRepository(db).insert(dealerFields(), by)).id;
    const newVehicle = async (dealerId: number, fields: Parameters<typeof vehicleFields>[1] = {}): Promise<number> =>
      made(await makeVehicleRepository(db).insert(vehicleFields(dealerId, fields), by)).id;
    const markOf = async (dealerId: number): Promise<number> => made(await states.find(dealerId, null)).mark;

    test("gets another mark with each change of the dealer, its vehicles and their images, shown or not", async () => {
      const [dealer, other] = [await newDealer(), await newDealer()];
      const [vehicles, images, dealers] = [makeVehicleRepository(db), storedImages(db), makeDealerRepository(db)];
      const foreign = await markOf(other);
      const change = { scope: null, now, versions: null, by };
      const seen = [await markOf(dealer)];
      const after = async <Result>(changing: Promise<Result>): Promise<Result> => {
        const result = await changing;
        seen.push(await markOf(dealer));
        return result;
      };
      const id = await after(newVehicle(dealer));
      await after(vehicles.update({ ...change, id, changes: { price: 1 } }));
      await after(vehicles.update({ ...change, id, changes: { description: "Never shown in a list of makes" } }));
      await after(vehicles.update({ ...change, id, changes: { publish: 0 } }));
      const add = async (image_url: string) =>
        made(await after(images.add({ vehicleId: id, scope: null, draft: { image_url }, now, by }))).image.id;
      const [first, second] = [await add(FRONT), await add(BACK)];
      const ofFirst = { vehicleId: id, imageId: first, scope: null, now, by };
      await after(images.update({ ...ofFirst, changes: { display_order: 9 } }));
      await after(images.reorder({ vehicleId: id, scope: null, imageIds: [first, second], now, by }));
      await after(images.remove(ofFirst));
      await after(dealers.update({ ...change, id: dealer, changes: { name: "Quay Motors" } }));
      await after(vehicles.remove({ ...change, id }));
      expect(new Set(seen).size).toBe(seen.length);
      expect(await markOf(other)).toBe(foreign);
      const moving = await newVehicle(dealer);
      const before = await markOf(dealer);
      await vehicles.update({ ...change, id: moving, changes: { dealer_id: other } });
      expect([await markOf(dealer), await markOf(other)]).not.toContainAnyValues([before, foreign]);
    });

    test("gets another mark when the words of a vehicle are made that another version wrote", async () => {
      const [dealer, other] = [await newDealer(), await newDealer()];
      const id = await newVehicle(dealer);
      await newVehicle(other);
      const words = vehicleWordsIn(db);
      await words.fill(() => {});
      const before = [await markOf(dealer), await markOf(other)];
      await db.migrate(async (run) => {
        await run(`UPDATE vehicle_words SET words = NULL WHERE vehicle_id = ${id}`);
        if (engine.name === "SQLite")
          await run(`INSERT INTO vehicle_words_fresh VALUES (${id}) ON CONFLICT DO NOTHING`);
      });
      expect([await markOf(dealer), await markOf(other)]).toEqual(before);
      await words.fill(() => {});
      const [mark = 0, foreign = 0] = before;
      expect([await markOf(dealer), await markOf(other)]).toEqual([mark + 1, foreign]);
    });

    test("is of the latest commit, whichever process made it, while twelve write", async () => {
      const elsewhere = await engine.open(db.url);
      const turn = (): Promise<void> => new Promise((resume) => setImmediate(resume));
      const write = async (dealer: number, number: number): Promise<void> => {
        const made = makeVehicleRepository(number % 2 === 0 ? db : elsewhere);
        for (let time = 0; time < inGate(5, 50); time++) {
          await made.insert(vehicleFields(dealer), by);
          await turn();
          const seen = await markOf(dealer);
          expect(await makeInventoryStates(elsewhere).find(dealer, dealer)).toMatchObject({ mark: seen });
          expect(await markOf(dealer)).toBe(seen);
        }
      };
      const dealers = await Promise.all(Array.from({ length: 12 }, newDealer));
      await Promise.all(dealers.map(write));
      await elsewhere.close();
    });

    test("is found within the scope only", async () => {
      const [dealer, other] = [await newDealer(), await newDealer()];
      await newVehicle(dealer, { listed_at: momentAfter(-DAY_MS) });
      await newVehicle(other, { listed_at: momentAfter(-2 * DAY_MS) });
      expect(await states.find(dealer, dealer)).toEqual(await states.find(dealer, null));
      expect(await states.find(dealer, other)).toBeNull();
      expect(await states.find(999_999, null)).toBeNull();
      expect(await states.daysOnLot(dealer, null, now)).toBe(1);
      expect(await states.daysOnLot(dealer, other, now)).toBe(0);
    });

    test("says when an unsold vehicle completes a day, to the millisecond, and when they were listed on average", async () => {
      const dealer = await newDealer();
      expect(await states.find(dealer, null)).toMatchObject({ listedMs: null });
      await newVehicle(dealer, { listed_at: momentAfter(0) });
      await newVehicle(dealer, { listed_at: momentAfter(-DAY_MS + 500) });
      await newVehicle(dealer, { status: "sold", listed_at: momentAfter(-9 * DAY_MS), sold_at: momentAfter(-1000) });
      const at = (ms: number) => states.daysOnLot(dealer, dealer, momentAfter(ms));
      expect([await at(0), await at(499), await at(500), await at(DAY_MS - 1), await at(DAY_MS)]).toEqual([
        0, 0, 1, 1, 2,
      ]);
      const mean = Date.parse(MOMENT) - DAY_MS / 2 + 250;
      expect(await states.find(dealer, null)).toMatchObject({ listedMs: mean });
    });
  });
