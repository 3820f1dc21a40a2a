import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { STATUSES, type Vehicle } from "../../core/vehicles/vehicle.ts";
import type { VehicleFilter } from "../../core/vehicles/vehicle-filter.ts";
import type { VehicleRepository } from "../../core/vehicles/vehicle-repository.ts";
import { ENGINES } from "../support/engines.ts";
import { dealerFields, made, momentAfter, OPERATOR, vehicleFields } from "../support/records.ts";

setDefaultTimeout(300_000);

const DEALERS = [1, 2, 3];
const MAKES = ["Škoda", "ŠKODA", "Straße", "STRASSE", "Toyota"];
const PRICES = [0, 99.99, 100, 100.01, 5000, 100_000_000];
const YEARS = [1999, 2024];

/** Words that are equal without regard to case. */
const SAME: Record<string, string> = { ŠKODA: "škoda", Škoda: "škoda", Straße: "strasse", STRASSE: "strasse" };
const folded = (word: string): string => SAME[word] ?? word.toLowerCase();

/** What each part of a filter matches, as in interface 6.1. */
const LETS_THROUGH: {
  readonly [Key in keyof VehicleFilter]-?: (vehicle: Vehicle, wanted: NonNullable<VehicleFilter[Key]>) => boolean;
} = {
  dealer_id: (vehicle, wanted) => vehicle.dealer_id === wanted,
  status: (vehicle, wanted) => wanted.includes(vehicle.status),
  featured: (vehicle, wanted) => (vehicle.featured === 1) === wanted,
  make: (vehicle, wanted) => wanted.some((make) => folded(vehicle.make) === folded(make)),
  model: (vehicle, wanted) => wanted.some((model) => folded(vehicle.model) === folded(model)),
  year: (vehicle, wanted) => vehicle.year === wanted,
  min_price: (vehicle, wanted) => vehicle.price >= wanted,
  max_price: (vehicle, wanted) => vehicle.price <= wanted,
};

const passes = (vehicle: Vehicle, filter: VehicleFilter): boolean =>
  (Object.keys(LETS_THROUGH) as (keyof VehicleFilter)[]).every((key) => {
    const lets = LETS_THROUGH[key] as (vehicle: Vehicle, wanted: unknown) => boolean;
    return filter[key] === undefined || lets(vehicle, filter[key]);
  });

/** One or a few values of a filter, some of them twice. */
const any = <Value>(...values: readonly Value[]) =>
  fc.oneof(
    fc.constantFrom(...values).map((value) => [value]),
    fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 4 }),
  );

const wanted = fc.record<Required<VehicleFilter>>({
  dealer_id: fc.constantFrom(...DEALERS, 999),
  status: any(...STATUSES),
  featured: fc.boolean(),
  make: any(...MAKES, "toyota", "%", "Toyot_"),
  model: any("Octavia", "OCTAVIA", "Yaris"),
  year: fc.constantFrom(...YEARS, 0, Number.MAX_SAFE_INTEGER),
  min_price: fc.constantFrom(0, 100, 101, Number.MAX_SAFE_INTEGER),
  max_price: fc.constantFrom(0, 99, 100, Number.MAX_SAFE_INTEGER),
});
const keys = fc.subarray(Object.keys(LETS_THROUGH) as (keyof VehicleFilter)[], { maxLength: 3 });

/** Filters of up to three parts, so that many match something, and each part is often alone. */
const filters: fc.Arbitrary<VehicleFilter> = fc
  .tuple(wanted, keys)
  .map(([all, some]) => Object.fromEntries(some.map((key) => [key, all[key]])));

for (const engine of ENGINES)
  describe(`list of vehicles on ${engine.name}`, () => {
    let db: SqlDatabase;
    let vehicles: VehicleRepository;
    let stored: Vehicle[];

    beforeAll(async () => {
      db = await engine.open();
      vehicles = makeVehicleRepository(db);
      for (const _ of DEALERS) await makeDealerRepository(db).insert(dealerFields(), OPERATOR);
      const drafts = fc.sample(
        fc.record({
          dealer_id: fc.constantFrom(...DEALERS),
          status: fc.constantFrom(...STATUSES),
          featured: fc.constantFrom(0 as const, 1 as const),
          make: fc.constantFrom(...MAKES),
          model: fc.constantFrom("Octavia", "yaris"),
          year: fc.constantFrom(...YEARS),
          price: fc.constantFrom(...PRICES),
          // Few times for many vehicles, so that most are tied.
          created_at: fc.integer({ min: 0, max: 9 }).map(momentAfter),
        }),
        { numRuns: 120, seed: 7 },
      );
      stored = [];
      for (const { dealer_id, ...draft } of drafts)
        stored.push(made(await vehicles.insert(vehicleFields(dealer_id, draft), OPERATOR)).parse());
      stored.sort((one, other) => other.created_at.localeCompare(one.created_at) || other.id - one.id);
    });
    afterAll(() => db.close());

    test("contains, for any filter, scope and page, exactly the matches: newest first, then by id, all counted", async () => {
      await fc.assert(
        fc.asyncProperty(
          filters,
          fc.constantFrom(null, ...DEALERS),
          fc.integer({ min: 1, max: 130 }),
          fc.integer({ min: 0, max: 130 }),
          async (filter, scope, limit, offset) => {
            const matches = stored.filter(
              (vehicle) => passes(vehicle, filter) && (scope === null || vehicle.dealer_id === scope),
            );
            const page = await vehicles.list({ scope, filter, page: { limit, offset }, from: null });
            expect(page.vehicles.parse()).toEqual(matches.slice(offset, offset + limit));
            expect(page.total).toBe(matches.length);
            expect(page.more).toBe(offset + limit < matches.length && offset < matches.length);
          },
        ),
        { numRuns: 600 },
      );
    });

    test("continues after any position, for any filter and scope, without repeating or missing a vehicle", async () => {
      await fc.assert(
        fc.asyncProperty(
          filters,
          fc.constantFrom(null, ...DEALERS),
          fc.integer({ min: 1, max: 50 }),
          fc.nat(119),
          async (filter, scope, limit, place) => {
            const after = stored[place] as Vehicle;
            const behind = stored
              .slice(place + 1)
              .filter((vehicle) => passes(vehicle, filter) && (scope === null || vehicle.dealer_id === scope));
            const page = await vehicles.list({ scope, filter, page: { limit, offset: 0 }, from: after });
            expect(page.vehicles.parse()).toEqual(behind.slice(0, limit));
            expect(page.more).toBe(behind.length > limit);
          },
        ),
        { numRuns: 300 },
      );
    });

    test("names the statement that ran, without any values", async () => {
      const filter: VehicleFilter = { dealer_id: 2, make: ["Toyota"], year: 1999, min_price: 100, status: ["sold"] };
      const { sql } = await vehicles.list({ scope: null, filter, page: { limit: 17, offset: 3 }, from: null });
      expect(sql).toMatch(/^select .* from .*vehicles.* order by .*created_at.* desc/i);
      for (const value of ["toyota", "1999", "10000", "sold", "17"]) expect(sql.toLowerCase()).not.toContain(value);
    });

    test("of an empty inventory is empty and total 0", async () => {
      const {
        vehicles: none,
        total,
        more,
      } = await vehicles.list({ scope: 999, filter: {}, page: { limit: 10, offset: 0 }, from: null });
      expect([none.items.length, total, more]).toEqual([0, 0, false]);
    });
  });
