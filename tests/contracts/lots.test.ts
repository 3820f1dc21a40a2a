import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeLotRepository } from "../../adapters/sql/readiness/lots.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import type { LotVehicle } from "../../core/readiness/dealer-quality.ts";
import type { VehicleFields } from "../../core/vehicles/vehicle-repository.ts";
import { ENGINES } from "../support/engines.ts";
import { dealerFields, MOMENT, made, momentAfter, OPERATOR, vehicleFields } from "../support/records.ts";
import { storedImages } from "../support/stored-images.ts";

setDefaultTimeout(300_000);

const VIN = "1HGCM82633A004352";
const LAST_YEAR = "2025-06-01T00:00:00.000Z";
const photo = (name: string): string => `https://images.example.com/${name}.jpg`;

for (const engine of ENGINES)
  describe(`the vehicles on a lot on ${engine.name}`, () => {
    let db: SqlDatabase;
    let lots: ReturnType<typeof makeLotRepository>;
    let [north, south, empty] = [0, 0, 0];

    beforeAll(async () => {
      db = await engine.open();
      lots = makeLotRepository(db);
      const newDealer = async () => (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
      [north, south, empty] = [await newDealer(), await newDealer(), await newDealer()];
    });
    afterAll(() => db.close());

    const add = async (dealer: number, fields: Partial<VehicleFields> = {}, images: readonly string[] = []) => {
      const { id } = made(await makeVehicleRepository(db).insert(vehicleFields(dealer, fields), OPERATOR));
      for (const name of images) {
        const added = { vehicleId: id, scope: null, draft: { image_url: photo(name) }, now: MOMENT, by: OPERATOR };
        made(await storedImages(db).add(added));
      }
      return id;
    };
    const found = async (id: number, scope: number | null = null) => made(await lots.find(id, scope));

    test("are read with their own images, of the dealer in scope, and counted where there are any", async () => {
      const [own, theirs] = [await add(north, {}, ["front", "back"]), await add(south, {}, ["other"])];
      await add(empty, { status: "sold" });
      expect(await found(own, north)).toMatchObject({ images: [photo("front"), photo("back")], imageCount: 2 });
      expect(await found(theirs)).toMatchObject({ dealer_id: south, images: [photo("other")], imageCount: 1 });
      expect(await lots.find(theirs, north)).toBeNull();
      expect(await lots.dealers()).toEqual([north, south]);
    });

    test("are of an import that made or changed themselves, where their listed date is not usual", async () => {
      const [usual, early, late, other] = [
        await add(north),
        await add(north, { listed_at: LAST_YEAR }),
        await add(north, { listed_at: momentAfter(1000) }),
        await add(north, { listed_at: LAST_YEAR }),
      ];
      const entry = { actor_name: "Service", via: "service", action: "vehicle.changed", created_at: MOMENT } as const;
      const row = (resource: "vehicles" | "users", resource_id: number, import_id: number | null) => ({
        ...{ ...entry, resource, resource_id, import_id, dealer_id: north },
      });
      await db.write((tx) =>
        tx
          .insertInto("audit_entries")
          .values([
            ...[usual, early, late].map((id) => row("vehicles", id, 7)),
            ...[row("users", other, 7), row("vehicles", other, null)],
          ])
          .execute(),
      );
      const isOf = async (id: number) => (await found(id)).isOfImport;
      expect([await isOf(usual), await isOf(early), await isOf(late), await isOf(other)]).toEqual([
        ...[false, true, true, false],
      ]);
    });

    test("share photos and VINs with others that are not sold, and are compared with the prices of their like", async () => {
      const dealer = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
      const like = (of: number, fields: Partial<VehicleFields> = {}, images: readonly string[] = []) =>
        add(of, { vin: VIN, price: 100, ...fields }, images);
      const own = await like(dealer, {}, ["common", "alone"]);
      for (const price of [200, 0])
        await like(dealer, { price, vin: VIN.toLowerCase(), year: 2025 }, ["common", "rare"]);
      await like(dealer, { price: 300, make: "Kia", vin: null }, ["common"]);
      await like(dealer, { price: 301, model: "Rio", vin: "B" }, ["rare"]);
      await like(dealer, { price: 302, year: 2022, vin: "C" }, ["other"]);
      await like(dealer, { price: 303, status: "sold", vin: "C" }, ["rare"]);
      await like(south, { price: 304, vin: "C" }, ["rare", "rare-too"]);
      const { shared, peerPrices } = await lots.peersOf({ ...(await found(own)), id: own });
      expect(peerPrices).toEqual([20_000]);
      expect([[...shared.photos], [...shared.vins]]).toEqual([[photo("common")], [VIN.toLowerCase()]]);
      const all = await lots.shared(dealer);
      expect([[...all.photos], [...all.vins]]).toEqual([[photo("common")], [VIN.toLowerCase()]]);
    });

    test("are walked through once each, the available ones first, of one dealer alone", async () => {
      const dealer = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
      for (const status of ["pending", "sold", "available"] as const) await add(dealer, { status });
      for (let place = 0; place < 100; place++) await add(dealer, { created_at: momentAfter(place) });
      const seen: LotVehicle[] = [];
      for await (const slice of lots.lot(dealer)) {
        seen.push(...slice);
        expect(seen.length).toBeLessThanOrEqual(102);
      }
      expect(seen.map(({ status }) => status)).toEqual([...new Array(101).fill("available"), "pending"]);
      expect(new Set(seen.map((vehicle) => (vehicle as LotVehicle & { id: number }).id)).size).toBe(102);
    });
  });
