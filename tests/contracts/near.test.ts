import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import type { Dealer } from "../../core/dealers/dealer.ts";
import type { DealerRepository, DealerUpdate } from "../../core/dealers/dealer-repository.ts";
import { kilometresBetween, type Place, placeOfZip } from "../../core/places/places.ts";
import type { Vehicle } from "../../core/vehicles/fields.ts";
import type { VehicleFilter } from "../../core/vehicles/vehicle-filter.ts";
import { ORDERS, type Position } from "../../core/vehicles/vehicle-order.ts";
import type { VehicleRepository } from "../../core/vehicles/vehicle-repository.ts";
import { inGate } from "../support/depth.ts";
import { ENGINES } from "../support/engines.ts";
import { walkPages } from "../support/pages.ts";
import { dealerFields, MOMENT, made, momentAfter, OPERATOR, vehicleFields } from "../support/records.ts";

setDefaultTimeout(300_000);

/** Dealers' locations: some at one place, two on either side of the date line, one unknown. */
const PLACES: readonly (Partial<Place> & { readonly zip: string })[] = [
  { zip: "97201" },
  { zip: "97201-4567" },
  { zip: "97301" },
  { zip: "98101" },
  { zip: "10001", latitude: 45.4, longitude: -122.5 },
  { zip: "00000", latitude: -17, longitude: 179.9 },
  { zip: "00000", latitude: -17, longitude: -179.9 },
  { zip: "K1A 0B1" },
];
const VEHICLES = 60;

const centres = fc.constantFrom<Place>(
  placeOfZip("97201") as Place,
  { latitude: 45.4, longitude: -122.5 },
  { latitude: 46.5, longitude: -122.4 },
  { latitude: -17, longitude: 180 },
  { latitude: 0, longitude: 0 },
);
const reaches = fc.constantFrom(1, 12, 25, 72, 100, 250, 804);

for (const engine of ENGINES)
  describe(`vehicles near a place on ${engine.name}`, () => {
    let db: SqlDatabase;
    let dealers: DealerRepository;
    let vehicles: VehicleRepository;
    const owners: Dealer[] = [];
    const stored: Vehicle[] = [];

    beforeAll(async () => {
      db = await engine.open();
      dealers = makeDealerRepository(db);
      vehicles = makeVehicleRepository(db);
      for (const place of PLACES)
        owners.push(await dealers.insert(dealerFields({ latitude: null, longitude: null, ...place }), OPERATOR));
      for (let number = 0; number < VEHICLES; number++) {
        const owner = owners[(number * 5) % owners.length] as Dealer;
        const fields = { year: number % 2 === 0 ? 2020 : 2021, created_at: momentAfter(number % 7) };
        stored.push(made(await vehicles.insert(vehicleFields(owner.id, fields), OPERATOR)).parse());
      }
    });
    afterAll(() => db.close());

    /** The distance of a vehicle's dealer in metres; infinite if its location is unknown. */
    const metresTo = ({ dealer_id }: Vehicle, centre: Place): number => {
      const { latitude, longitude } = owners.find(({ id }) => id === dealer_id) as Dealer;
      if (latitude === null || longitude === null) return Number.POSITIVE_INFINITY;
      return Math.round(kilometresBetween(centre, { latitude, longitude }) * 1000);
    };

    interface Asked {
      readonly centre: Place;
      readonly kilometres: number;
      readonly scope: number | null;
      readonly year: number | undefined;
      readonly limit: number;
    }
    const asked: fc.Arbitrary<Asked> = fc.record({
      centre: centres,
      kilometres: reaches,
      // The dealers' ids are 1 to 8.
      scope: fc.constantFrom(null, null, 1, 5, 8),
      year: fc.constantFrom(undefined, 2020),
      limit: fc.integer({ min: 1, max: 25 }),
    });
    const filterOf = ({ centre, kilometres, year }: Asked): VehicleFilter => ({
      ...(year !== undefined && { year }),
      around: { ...centre, kilometres },
    });
    const matchesOf = ({ centre, kilometres, scope, year }: Asked): Vehicle[] =>
      stored.filter(
        (vehicle) =>
          metresTo(vehicle, centre) <= kilometres * 1000 &&
          (scope === null || vehicle.dealer_id === scope) &&
          (year === undefined || vehicle.year === year),
      );

    test("are those of the dealers within the distance, counted, and newest first unless requested otherwise", async () => {
      await fc.assert(
        fc.asyncProperty(asked, async (query) => {
          const { scope, limit } = query;
          const matches = matchesOf(query).toSorted(
            (one, other) => other.created_at.localeCompare(one.created_at) || other.id - one.id,
          );
          const found = await vehicles.list({ scope, filter: filterOf(query), page: { limit, offset: 0 }, from: null });
          expect(found.total).toBe(matches.length);
          expect(found.vehicles.parse()).toEqual(matches.slice(0, limit));
        }),
        { numRuns: inGate(40, 150) },
      );
    });

    test("come nearest first on request, ties by descending id, and pages neither repeat nor miss one", async () => {
      await fc.assert(
        fc.asyncProperty(asked, fc.boolean(), async (query, isLong) => {
          const { scope, limit, centre } = query;
          const matches = matchesOf(query).toSorted(
            (one, other) => metresTo(one, centre) - metresTo(other, centre) || other.id - one.id,
          );
          const page = { limit, offset: 0, ...(isLong && { sliceBytes: 100 }) };
          const walked = await walkPages<{ from: Position | null }, Vehicle>(
            { from: null },
            stored.length + 1,
            async ({ from }) => {
              const found = await vehicles.list({ scope, filter: filterOf(query), order: ORDERS.near, page, from });
              expect(found.total).toBe(matches.length);
              return { items: found.vehicles.parse(), next: found.last && { from: found.last } };
            },
          );
          expect(walked).toEqual(matches);
          const skipped = await vehicles.list({
            scope,
            filter: filterOf(query),
            order: ORDERS.near,
            page: { limit, offset: 2 },
            from: null,
          });
          expect(skipped.vehicles.parse()).toEqual(matches.slice(2, 2 + limit));
        }),
        { numRuns: inGate(40, 150) },
      );
    });

    test("follow a dealer at once when its ZIP code or coordinates change", async () => {
      const portland = { ...(placeOfZip("97201") as Place), kilometres: 10 };
      const { id } = await dealers.insert(dealerFields({ latitude: null, longitude: null, zip: "96813" }), OPERATOR);
      await vehicles.insert(vehicleFields(id), OPERATOR);
      const isFound = async (changes: DealerUpdate): Promise<boolean> => {
        await dealers.update({ id, scope: null, changes, now: MOMENT, versions: null, by: OPERATOR });
        const page = { limit: 1, offset: 0 };
        const { total } = await vehicles.list({ scope: id, filter: { around: portland }, page, from: null });
        return total === 1;
      };
      expect(await isFound({})).toBe(false);
      expect(await isFound({ zip: "97201-0001" })).toBe(true);
      expect(await isFound({ latitude: 0, longitude: 0 })).toBe(false);
      expect(await isFound({ latitude: null, longitude: null })).toBe(true);
      expect(await isFound({ zip: "Quay 4" })).toBe(false);
    });
  });
