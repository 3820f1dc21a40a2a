import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeBulk } from "../../adapters/sql/vehicles/bulk.ts";
import { vehicleDuplicates } from "../../adapters/sql/vehicles/duplicates.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import type { DealerScope } from "../../core/access/decide.ts";
import type { Timestamp } from "../../core/clock.ts";
import { DuplicateVehicle } from "../../core/vehicles/duplicates.ts";
import type { Vehicle } from "../../core/vehicles/vehicle.ts";
import { UNKNOWN_DEALER, type VehicleFields, type VehicleRepository } from "../../core/vehicles/vehicle-repository.ts";
import { anyCharacter } from "../support/any-character.ts";
import { inGate } from "../support/depth.ts";
import { ENGINES } from "../support/engines.ts";
import { recording } from "../support/recording.ts";
import { dealerFields, MOMENT, made, momentAfter, OPERATOR, vehicleFields } from "../support/records.ts";
import { storedImages } from "../support/stored-images.ts";

const NOBODY = 999_999;
const OTHER_VERSION = momentAfter(-5);

const VERSIONS: { name: string; versions: (present: Timestamp) => Timestamp[]; happens: boolean }[] = [
  { name: "the current version", versions: (present) => [present], happens: true },
  { name: "the current version among others", versions: (present) => [OTHER_VERSION, present], happens: true },
  { name: "another version", versions: () => [OTHER_VERSION], happens: false },
  { name: "no version at all", versions: () => [], happens: false },
];

for (const engine of ENGINES)
  describe(`the vehicle repository on ${engine.name}`, () => {
    let db: SqlDatabase;
    let vehicles: VehicleRepository;
    let north: number;
    let south: number;

    beforeAll(async () => {
      db = await engine.open();
      vehicles = makeVehicleRepository(db);
      const dealers = makeDealerRepository(db);
      north = (await dealers.insert(dealerFields(), OPERATOR)).id;
      south = (await dealers.insert(dealerFields(), OPERATOR)).id;
    });
    afterAll(() => db.close());

    const read = async (id: number, scope: DealerScope = null): Promise<Vehicle | null> =>
      (await vehicles.find(id, scope))?.parse() ?? null;

    const insert = async (dealerId: number, fields: Partial<VehicleFields> = {}): Promise<Vehicle> =>
      made(await vehicles.insert(vehicleFields(dealerId, fields), OPERATOR)).parse();

    test("reads and lists a vehicle byte for byte as JSON.stringify writes it, whatever its text and price", async () => {
      // Any character but NUL, which no vehicle may contain.
      const anyText = fc.string({ unit: anyCharacter, maxLength: 60 }).filter((text) => !text.includes("\0"));
      const text = fc.oneof(
        anyText,
        fc.string({ unit: fc.constantFrom(...'"\\/\b\f\n\r\t\x01\x1f\x7f\u2028é🚗'), maxLength: 20 }),
      );
      await fc.assert(
        fc.asyncProperty(
          text,
          text,
          fc.nat(100_000_000_00),
          fc.option(fc.nat(10_000_000)),
          async (make, title, cents, mileage) => {
            const stored = await insert(north, {
              make,
              title,
              price: cents / 100,
              mileage,
              created_at: momentAfter(1),
            });
            const [listed] = (
              await vehicles.list({ scope: null, filter: { make: [make] }, page: { limit: 1, offset: 0 }, from: null })
            ).vehicles.items;
            const found = made(await vehicles.find(stored.id, null));
            expect(found.parse()).toEqual(stored);
            expect(found.text).toBe(JSON.stringify(found.parse()));
            expect(listed).toBe(found.text);
          },
        ),
        { numRuns: inGate(75, 300) },
      );
    });

    test("reads every field back as it was stored", async () => {
      const fields = vehicleFields(north, {
        title: " Zoë's  «Škoda» 🚗 ",
        trim: "XSE",
        mileage: 10_000_000,
        exterior_color: "Midnight Black",
        interior_color: "Ash",
        vin: "4T1G-11ak5",
        stock_number: "A1042",
        description: "line\nline\t\u200b",
        features: "Bluetooth,Backup Camera",
        status: "pending",
        featured: 1,
        fuel_type: "gasoline",
        transmission: "automatic",
        engine: "2.5L I4",
        drivetrain: "FWD",
        body_style: "sedan",
        condition: "used",
        seats: 5,
        updated_at: momentAfter(1),
      });
      const inserted = made(await vehicles.insert(fields, OPERATOR));
      const stored = inserted.parse();
      expect(inserted).toMatchObject({ id: stored.id, updated_at: fields.updated_at });
      expect(stored).toEqual({ id: stored.id, ...fields });
      expect(await read(stored.id)).toEqual(stored);
    });

    test("keeps every price in whole cents exactly", async () => {
      const { id } = await insert(north);
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 0, max: 10_000_000_000 }), async (cents) => {
          const price = cents / 100;
          const updated = await vehicles.update({
            id,
            scope: null,
            changes: { price },
            now: MOMENT,
            versions: null,
            by: OPERATOR,
          });
          expect(made(updated).parse().price).toBe(price);
        }),
        { numRuns: inGate(25, 100) },
      );
    });

    test("never reuses ids, not even that of the newest vehicle after its removal", async () => {
      const first = await insert(north);
      await vehicles.remove({ id: first.id, scope: null, versions: null, now: MOMENT, by: OPERATOR });
      expect((await insert(north)).id).toBeGreaterThan(first.id);
    });

    test("stores nothing for a missing dealer, and says so", async () => {
      const before = (await vehicles.list({ scope: null, filter: {}, page: { limit: 1, offset: 0 }, from: null }))
        .total;
      expect(await vehicles.insert(vehicleFields(NOBODY), OPERATOR)).toBe(UNKNOWN_DEALER);
      expect((await vehicles.list({ scope: null, filter: {}, page: { limit: 1, offset: 0 }, from: null })).total).toBe(
        before,
      );
    });

    describe("a new vehicle that is compared", () => {
      const compared = (dealerId: number, fields: Partial<VehicleFields>) =>
        vehicles.insertCompared(vehicleFields(dealerId, fields), OPERATOR);
      const dealerOf = async (fields: Parameters<typeof dealerFields>[0] = {}): Promise<number> =>
        (await makeDealerRepository(db).insert(dealerFields(fields), OPERATOR)).id;

      test("comes with the dealer's own unsold vehicles that have its VIN or stock number, and no others", async () => {
        const [own, other] = [await dealerOf(), await dealerOf()];
        const vin = await insert(own, { vin: "1HGCM82633A004352" });
        // The trim's spelling has no accents, while they tell stock numbers apart.
        const stock = await insert(own, { stock_number: "ÄB-7", trim: "ÄB-7" });
        await insert(own, { vin: "1HGCM82633A004352", status: "sold" });
        await insert(other, { vin: "1HGCM82633A004352", stock_number: "äb-7" });
        const found = await compared(own, { vin: "1hgcm82633a004352", stock_number: "äb-7" });
        expect(found).toMatchObject({ others: { vin: [vin.id], stock_number: [stock.id] } });
        const { record } = made(found);
        expect(await read(record.id)).toEqual(record.parse());
        for (const fields of [
          { vin: "TBD", stock_number: null },
          { vin: null, stock_number: "AB-7" },
        ])
          expect(await compared(own, fields)).toMatchObject({ others: { vin: [], stock_number: [] } });
      });

      test("is stored if its dealer refuses duplicates and it is none, and not if it is one", async () => {
        const strict = await dealerOf({ unique_vin: "refuse" });
        const first = await compared(strict, { vin: "1HGCM82633A004352" });
        const { id } = made(first).record;
        expect(await read(id)).toMatchObject({ dealer_id: strict, vin: "1HGCM82633A004352" });
        const second = await compared(strict, { vin: "1HGCM82633A004352" });
        expect(second).toBeInstanceOf(DuplicateVehicle);
        expect(second).toMatchObject({ duplicates: { vin: [id], stock_number: [] } });
        expect(
          (await vehicles.list({ scope: strict, filter: {}, page: { limit: 9, offset: 0 }, from: null })).total,
        ).toBe(1);
      });

      test("is one statement on PostgreSQL if its own dealer takes duplicates, whatever another one wants", async () => {
        if (engine.name !== "PostgreSQL") return;
        await dealerOf({ unique_vin: "refuse" });
        const own = await dealerOf();
        const watched = recording(db);
        await makeVehicleRepository(watched.db).insertCompared(
          vehicleFields(own, { vin: "1HGCM82633A004354" }),
          OPERATOR,
        );
        expect(watched.ran()).toHaveLength(1);
      });

      test("has the duplicates that its dealer refuses, under the lock of that dealer alone", async () => {
        const strict = await dealerOf({ unique_vin: "refuse" });
        const present = await insert(strict, { vin: "1HGCM82633A004355" });
        const draft = { dealer_id: strict, vin: "1hgcm82633a004355", stock_number: null };
        const watched = recording(db);
        const refused = watched.db.write((tx) => vehicleDuplicates(db).refused(tx, draft, null));
        expect(await refused).toEqual({ vin: [present.id], stock_number: [] });
        const locks = watched.ran().filter(({ text }) => text.includes("dealer_inventory"));
        expect(locks.map(({ values }) => values)).toEqual([[strict]]);
      });

      test("is not stored for a missing dealer", async () => {
        expect(await compared(NOBODY, { vin: "1HGCM82633A004353" })).toBe(UNKNOWN_DEALER);
      });
    });

    test("adds many vehicles at once under the locks of their own dealers alone", async () => {
      const watched = recording(db);
      const added = [north, south, north].map((dealer) => ({ fields: vehicleFields(dealer), images: [] }));
      await makeBulk(watched.db, { now: () => MOMENT }, OPERATOR).addVehicles(added);
      const locks = watched.ran().filter(({ text }) => text.startsWith('select "dealer_id" from "dealer_inventory"'));
      expect(locks.map(({ values }) => values)).toEqual([[north, south]]);
    });

    test("changes only the named fields and updated_at", async () => {
      const stored = await insert(north, { trim: "XSE", mileage: 5 });
      const now = momentAfter(1000);
      const updated = made(
        await vehicles.update({
          id: stored.id,
          scope: null,
          changes: { trim: null, seats: 4 },
          now,
          versions: null,
          by: OPERATOR,
        }),
      );
      expect(updated.parse()).toEqual({ ...stored, trim: null, seats: 4, updated_at: now });
      expect(updated).toMatchObject({ id: stored.id, updated_at: now });
      expect(await vehicles.find(stored.id, null)).toEqual(updated);
    });

    test("finds a version current only for its own vehicle and within the caller's scope", async () => {
      const stored = await insert(north, { updated_at: momentAfter(7) });
      const other = await insert(north);
      const isVersion = (id: number, scope: DealerScope, version: Timestamp) => vehicles.isVersion(id, scope, version);
      for (const scope of [null, north]) {
        expect(await isVersion(stored.id, scope, momentAfter(7))).toBe(true);
        expect(await isVersion(stored.id, scope, OTHER_VERSION)).toBe(false);
        expect(await isVersion(other.id, scope, momentAfter(7))).toBe(false);
        expect(await isVersion(NOBODY, scope, momentAfter(7))).toBe(false);
      }
      expect(await isVersion(stored.id, south, momentAfter(7))).toBe(false);
    });

    test("changes nothing in an update to a missing dealer, and says so", async () => {
      const stored = await insert(north);
      const changes = { dealer_id: NOBODY, trim: "XSE" };
      expect(
        await vehicles.update({ id: stored.id, scope: null, changes, now: MOMENT, versions: null, by: OPERATOR }),
      ).toBe(UNKNOWN_DEALER);
      expect(await read(stored.id)).toEqual(stored);
    });

    test("moves a vehicle for a caller who reaches both dealers", async () => {
      const stored = await insert(north);
      await vehicles.update({
        id: stored.id,
        scope: null,
        changes: { dealer_id: south },
        now: MOMENT,
        versions: null,
        by: OPERATOR,
      });
      expect(await vehicles.ownerOf(stored.id)).toBe(south);
      expect(await vehicles.find(stored.id, north)).toBeNull();
      expect(made(await vehicles.find(stored.id, south)).id).toBe(stored.id);
    });

    test("finds a changed make or model by its new words only", async () => {
      const stored = await insert(north, { make: "Lada", model: "Niva" });
      await vehicles.update({
        id: stored.id,
        scope: null,
        changes: { make: "Škoda", model: "Fabia" },
        now: MOMENT,
        versions: null,
        by: OPERATOR,
      });
      const idsOf = async (make: string, model: string) =>
        (
          await vehicles.list({
            scope: null,
            filter: { make: [make], model: [model] },
            page: { limit: 10, offset: 0 },
            from: null,
          })
        ).vehicles
          .parse()
          .map(({ id }) => id);
      expect(await idsOf("LADA", "NIVA")).toEqual([]);
      expect(await idsOf("škoda", "FABIA")).toEqual([stored.id]);
    });

    test("removes a vehicle with its images, and no other's", async () => {
      const [other, stored] = [await insert(north), await insert(north)];
      const images = storedImages(db);
      const addImage = async (vehicleId: number) => {
        const draft = { image_url: "https://images.example.com/a.jpg" };
        return made(await images.add({ vehicleId, scope: null, draft, now: MOMENT, by: OPERATOR })).image;
      };
      await addImage(other.id);
      const image = await addImage(stored.id);
      const shown = await read(stored.id);
      const remove = () => vehicles.remove({ id: stored.id, scope: null, versions: null, now: MOMENT, by: OPERATOR });
      expect(await remove()).toBe(true);
      expect(await vehicles.find(stored.id, null)).toBeNull();
      expect(await vehicles.ownerOf(stored.id)).toBeNull();
      expect(await images.list(stored.id, null, { limit: 1, offset: 0 })).toBeNull();
      const kept = await db
        .selectFrom("removed_vehicles")
        .select(["document", "images"])
        .where("id", "=", stored.id)
        .executeTakeFirstOrThrow();
      expect(JSON.parse(kept.document)).toEqual(shown);
      expect(JSON.parse(kept.images)).toMatchObject([{ id: image.id }]);
      expect(await vehicles.ownerOf(other.id)).toBe(north);
      expect(await remove()).toBe(false);
    });

    test("has no record, version or owner of a missing vehicle", async () => {
      expect(await vehicles.find(NOBODY, null)).toBeNull();
      expect(await vehicles.ownerOf(NOBODY)).toBeNull();
      expect(
        await vehicles.update({
          id: NOBODY,
          scope: null,
          changes: { year: 2020 },
          now: MOMENT,
          versions: null,
          by: OPERATOR,
        }),
      ).toBeNull();
      expect(await vehicles.remove({ id: NOBODY, scope: null, versions: null, now: MOMENT, by: OPERATOR })).toBe(false);
    });

    describe("for named versions", () => {
      for (const { name, versions, happens } of VERSIONS) {
        test(`${happens ? "makes" : "does not make"} a change that names ${name}`, async () => {
          const stored = await insert(north);
          const named = versions(stored.updated_at);
          const updated = await vehicles.update({
            id: stored.id,
            scope: null,
            changes: { year: 2001 },
            now: momentAfter(9),
            versions: named,
            by: OPERATOR,
          });
          expect(updated !== null).toBe(happens);
          expect((await read(stored.id))?.year).toBe(happens ? 2001 : stored.year);
        });

        test(`${happens ? "makes" : "does not make"} a removal that names ${name}`, async () => {
          const stored = await insert(north);
          expect(
            await vehicles.remove({
              id: stored.id,
              scope: null,
              versions: versions(stored.updated_at),
              now: MOMENT,
              by: OPERATOR,
            }),
          ).toBe(happens);
          expect((await vehicles.find(stored.id, null)) === null).toBe(happens);
        });
      }

      test("makes exactly one of a hundred concurrent changes of one version", async () => {
        const stored = await insert(north);
        const outcomes = await Promise.all(
          Array.from({ length: 100 }, (_, mileage) =>
            vehicles.update({
              id: stored.id,
              scope: null,
              changes: { mileage },
              now: momentAfter(1),
              versions: [stored.updated_at],
              by: OPERATOR,
            }),
          ),
        );
        const winners = outcomes.filter((outcome) => outcome !== null);
        expect(winners).toHaveLength(1);
        expect(await vehicles.find(stored.id, null)).toEqual(made(winners[0] ?? null));
      });
    });

    describe("in the scope of a dealer", () => {
      test("neither reads, changes nor removes another dealer's vehicle", async () => {
        const foreign = await insert(south);
        // The unscoped statement runs first: its cached form must never serve the narrower scope.
        await vehicles.update({
          id: foreign.id,
          scope: null,
          changes: { year: 2000 },
          now: MOMENT,
          versions: null,
          by: OPERATOR,
        });
        const seen = made(await vehicles.find(foreign.id, null));
        expect(await vehicles.find(foreign.id, north)).toBeNull();
        expect(
          await vehicles.update({
            id: foreign.id,
            scope: north,
            changes: { year: 1999 },
            now: MOMENT,
            versions: null,
            by: OPERATOR,
          }),
        ).toBeNull();
        expect(
          await vehicles.update({
            id: foreign.id,
            scope: north,
            changes: { year: 1999 },
            now: MOMENT,
            versions: [seen.updated_at],
            by: OPERATOR,
          }),
        ).toBeNull();
        expect(await vehicles.remove({ id: foreign.id, scope: north, versions: null, now: MOMENT, by: OPERATOR })).toBe(
          false,
        );
        expect(
          await vehicles.remove({
            id: foreign.id,
            scope: north,
            versions: [seen.updated_at],
            now: MOMENT,
            by: OPERATOR,
          }),
        ).toBe(false);
        expect(await vehicles.find(foreign.id, null)).toEqual(seen);
      });

      test("reads, changes and removes the dealer's own vehicle", async () => {
        const own = await insert(north);
        expect(await read(own.id, north)).toEqual(own);
        const updated = made(
          await vehicles.update({
            id: own.id,
            scope: north,
            changes: { year: 1999 },
            now: MOMENT,
            versions: null,
            by: OPERATOR,
          }),
        );
        expect(updated.parse().year).toBe(1999);
        expect(await vehicles.remove({ id: own.id, scope: north, versions: null, now: MOMENT, by: OPERATOR })).toBe(
          true,
        );
      });
    });
  });
