import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeExportRepository } from "../../adapters/sql/export/repository.ts";
import { openSqlite } from "../../adapters/sql/sqlite/open.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import type { ExportRepository } from "../../core/export/export-repository.ts";
import type { ExportedVehicle } from "../../core/export/vehicle-file.ts";
import type { Vehicle } from "../../core/vehicles/fields.ts";
import { inGate } from "../support/depth.ts";
import { ENGINES, type TestDatabase } from "../support/engines.ts";
import { dealerFields, MOMENT, made, OPERATOR, vehicleFields } from "../support/records.ts";
import { heldSnapshots } from "../support/snapshots.ts";
import { storedImages } from "../support/stored-images.ts";
import { DEALERS, filters, type Model, passes, storeVehicles } from "../support/vehicle-model.ts";

setDefaultTimeout(300_000);

/** Slices of fewer vehicles than any dealer has, and shorter than some documents. */
const SMALL = { rowsPerStep: 7, longBytes: 700 };

type Read = ReturnType<ExportRepository["vehicles"]>;

const all = async (slices: Read): Promise<ExportedVehicle[]> => {
  const read: ExportedVehicle[] = [];
  for (const slice of slices) read.push(...(await slice()));
  return read;
};

const vehicleOf = ({ document }: ExportedVehicle): Vehicle => JSON.parse(document) as Vehicle;

const newestFirst = (one: Vehicle, other: Vehicle): number =>
  one.created_at === other.created_at ? other.id - one.id : one.created_at < other.created_at ? 1 : -1;

for (const engine of ENGINES)
  describe(`an export on ${engine.name}`, () => {
    let db: TestDatabase;
    let exports: ExportRepository;
    let stored: readonly Vehicle[];
    let model: Model;

    beforeAll(async () => {
      db = await engine.open();
      exports = makeExportRepository(db, SMALL);
      for (const _ of DEALERS) await makeDealerRepository(db).insert(dealerFields(), OPERATOR);
      ({ stored, model } = await storeVehicles(db));
    });
    afterAll(() => db.close());

    test("has exactly the vehicles of the list, in its order, for any filter and scope, in slices of any size", async () => {
      await fc.assert(
        fc.asyncProperty(filters, fc.constantFrom(null, ...DEALERS), async (filter, scope) => {
          const matches = stored
            .filter((vehicle) => passes(model, vehicle, filter) && (scope === null || vehicle.dealer_id === scope))
            .toSorted(newestFirst);
          expect((await all(exports.vehicles({ scope, filter }))).map(vehicleOf)).toEqual(matches);
        }),
        { numRuns: inGate(50, 200) },
      );
    });

    test("visits at most ten vehicles at once for a search, as the words of each may be long", async () => {
      const sizes: number[] = [];
      for (const slice of makeExportRepository(db).vehicles({ scope: null, filter: { q: "20" } }))
        sizes.push((await slice()).length);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(10);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(10);
    });

    test("has the addresses of a vehicle's images in order, the primary one first, also with long texts or long addresses", async () => {
      const images = storedImages(db);
      const vehicles = makeVehicleRepository(db);
      for (const [description, path] of [
        [null, ""],
        ["x".repeat(2000), ""],
        [null, "x".repeat(300)],
      ] as const) {
        const { id } = made(await vehicles.insert(vehicleFields(1, { vin: "IMAGES", description }), OPERATOR));
        for (const [name, display_order] of [
          ["b", 5],
          ["a", 9],
          ["c", 1],
          ["d", 5],
        ] as const) {
          const draft = { image_url: `https://images.example.com/${path}/${name}.jpg`, display_order };
          await images.add({ vehicleId: id, scope: null, draft, now: MOMENT, by: OPERATOR });
        }
        // The first one that was added is primary.
        const wanted = ["b", "c", "d", "a"].map((name) => `https://images.example.com/${path}/${name}.jpg`).join(" ");
        const [vehicle, ...others] = await all(exports.vehicles({ scope: 1, filter: { vin: "images" } }));
        expect([vehicle?.images, others]).toEqual([wanted, []]);
        expect(await vehicles.remove({ id, scope: null, versions: null, now: MOMENT, by: OPERATOR })).toBe(true);
      }
    });

    test("has the vehicles as they were at one moment, even if others write while it is read", async () => {
      const writer = await engine.open(db.url);
      const vehicles = makeVehicleRepository(writer);
      const before = (await all(exports.vehicles({ scope: null, filter: {} }))).map(({ document }) => document);
      const read: string[] = [];
      let slices = 0;
      for (const slice of exports.vehicles({ scope: null, filter: {} })) {
        read.push(...(await slice()).map(({ document }) => document));
        if (slices++ > 0) continue;
        // Vehicles that were read, vehicles that were not, and a new one.
        for (const { id } of stored)
          await vehicles.update({ id, scope: null, changes: { price: 1 }, now: MOMENT, versions: null, by: OPERATOR });
        for (const { id } of stored.slice(0, 20))
          await vehicles.remove({ id, scope: null, versions: null, now: MOMENT, by: OPERATOR });
        made(await vehicles.insert(vehicleFields(1, { created_at: "2001-01-01T00:00:00.000Z" }), OPERATOR));
      }
      expect(slices).toBeGreaterThan(10);
      expect(read).toEqual(before);
      const after = (await all(exports.vehicles({ scope: null, filter: {} }))).map(vehicleOf);
      expect(after.length).toBe(stored.length - 20 + 1);
      expect(after.filter(({ price }) => price !== 1).length).toBe(1);
      await writer.close();
    });

    for (const [name, leave] of [
      ["was read whole", async (slices: Read) => void (await all(slices))],
      [
        "was given up",
        async (slices: Read) => {
          for (const slice of slices) {
            await slice();
            break;
          }
        },
      ],
      [
        "was given up before anything was read",
        async (slices: Read) => {
          for (const _ of slices) break;
        },
      ],
    ] as const)
      test(`holds nothing of the database once it ${name}`, async () => {
        const other = await engine.open();
        await makeDealerRepository(other).insert(dealerFields(), OPERATOR);
        const vehicles = makeVehicleRepository(other);
        const insert = async () => made(await vehicles.insert(vehicleFields(1), OPERATOR));
        for (let count = 0; count < 20; count++) await insert();
        const held = heldSnapshots(other);
        const slices = makeExportRepository(other, SMALL).vehicles({ scope: null, filter: {} });
        const [first] = slices;
        expect(first).toBeFunction();

        const watched = makeExportRepository(other, SMALL).vehicles({ scope: null, filter: {} })[Symbol.iterator]();
        await watched.next().value?.();
        await insert();
        await held.become(1);
        watched.return?.();

        await leave(makeExportRepository(other, SMALL).vehicles({ scope: null, filter: {} }));
        await insert();
        await held.become(0);
        await held.close();
        await other.close();
      });

    test("fails if the database gives no connection, and then holds nothing", async () => {
      const lost = { ...db, exportSnapshot: () => Promise.reject(new Error("no connection")) };
      expect(all(makeExportRepository(lost).vehicles({ scope: null, filter: {} }))).rejects.toThrow("no connection");
    });
  });

test("an export works on a database in memory", async () => {
  const db = openSqlite(":memory:");
  expect(() => all(makeExportRepository(db).vehicles({ scope: null, filter: {} }))).toThrow("no such table");
  await db.close();
});
