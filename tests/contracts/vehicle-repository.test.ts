import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeImageRepository } from "../../adapters/sql/images/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import type { DealerScope } from "../../core/access/decide.ts";
import type { Timestamp } from "../../core/clock.ts";
import type { Vehicle } from "../../core/vehicles/vehicle.ts";
import { UNKNOWN_DEALER, type VehicleFields, type VehicleRepository } from "../../core/vehicles/vehicle-repository.ts";
import { ENGINES } from "../support/engines.ts";
import { dealerFields, MOMENT, made, momentAfter, OPERATOR, vehicleFields } from "../support/records.ts";

const NOBODY = 999_999;
const OTHER_VERSION = momentAfter(-5);

const VERSIONS: { name: string; versions: (present: Timestamp) => Timestamp[]; happens: boolean }[] = [
  { name: "the present version", versions: (present) => [present], happens: true },
  { name: "the present version among others", versions: (present) => [OTHER_VERSION, present], happens: true },
  { name: "another version", versions: () => [OTHER_VERSION], happens: false },
  { name: "no version at all", versions: () => [], happens: false },
];

for (const engine of ENGINES)
  describe(`vehicle repository on ${engine.name}`, () => {
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

    test("a vehicle is read and listed byte for byte as JSON.stringify writes it, whatever its text and price", async () => {
      // Any character but NUL, which no vehicle may contain.
      const anyText = fc.string({ unit: "binary", maxLength: 60 }).filter((text) => !text.includes("\0"));
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
        { numRuns: 300 },
      );
    });

    test("what was stored is read back, every field as it was", async () => {
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

    test("every price of whole cents is kept exactly", async () => {
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
        { numRuns: 100 },
      );
    });

    test("ids are never reused, not even that of the newest vehicle after its removal", async () => {
      const first = await insert(north);
      await vehicles.remove({ id: first.id, scope: null, versions: null, now: MOMENT, by: OPERATOR });
      expect((await insert(north)).id).toBeGreaterThan(first.id);
    });

    test("an insert for a dealer that does not exist stores nothing and says so", async () => {
      const before = (await vehicles.list({ scope: null, filter: {}, page: { limit: 1, offset: 0 }, from: null }))
        .total;
      expect(await vehicles.insert(vehicleFields(NOBODY), OPERATOR)).toBe(UNKNOWN_DEALER);
      expect((await vehicles.list({ scope: null, filter: {}, page: { limit: 1, offset: 0 }, from: null })).total).toBe(
        before,
      );
    });

    test("an update changes only the named fields and updated_at", async () => {
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

    test("a version is current only for its own vehicle, and only within the caller's scope", async () => {
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

    test("an update to a dealer that does not exist changes nothing and says so", async () => {
      const stored = await insert(north);
      const changes = { dealer_id: NOBODY, trim: "XSE" };
      expect(
        await vehicles.update({ id: stored.id, scope: null, changes, now: MOMENT, versions: null, by: OPERATOR }),
      ).toBe(UNKNOWN_DEALER);
      expect(await read(stored.id)).toEqual(stored);
    });

    test("a caller who reaches both dealers can move a vehicle between them", async () => {
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

    test("a changed make or model is found by its new words only", async () => {
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

    test("a removed vehicle is gone with its images", async () => {
      const stored = await insert(north);
      const images = makeImageRepository(db);
      await images.add({
        vehicleId: stored.id,
        scope: null,
        draft: { image_url: "https://images.example.com/a.jpg" },
        now: MOMENT,
        by: OPERATOR,
      });
      expect(await vehicles.remove({ id: stored.id, scope: null, versions: null, now: MOMENT, by: OPERATOR })).toBe(
        true,
      );
      expect(await vehicles.find(stored.id, null)).toBeNull();
      expect(await vehicles.ownerOf(stored.id)).toBeNull();
      expect(await images.list(stored.id, null, { limit: 1, offset: 0 })).toBeNull();
      expect(await vehicles.remove({ id: stored.id, scope: null, versions: null, now: MOMENT, by: OPERATOR })).toBe(
        false,
      );
    });

    test("a vehicle that does not exist is null, false, and of nobody", async () => {
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

    describe("with versions", () => {
      for (const { name, versions, happens } of VERSIONS) {
        test(`a change that names ${name} ${happens ? "happens" : "does not happen"}`, async () => {
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

        test(`a removal that names ${name} ${happens ? "happens" : "does not happen"}`, async () => {
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

      test("exactly one of a hundred concurrent changes of one version happens", async () => {
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
      test("another dealer's vehicle cannot be read, changed or removed", async () => {
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

      test("its own vehicle can be read, changed and removed", async () => {
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
