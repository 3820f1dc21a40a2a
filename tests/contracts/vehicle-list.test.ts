import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import type { Vehicle } from "../../core/vehicles/fields.ts";
import type { VehicleFilter } from "../../core/vehicles/vehicle-filter.ts";
import { ORDERS, type Position, positionAfter, type VehicleOrder } from "../../core/vehicles/vehicle-order.ts";
import type { VehicleRepository } from "../../core/vehicles/vehicle-repository.ts";
import { inGate } from "../support/depth.ts";
import { ENGINES } from "../support/engines.ts";
import { walkPages } from "../support/pages.ts";
import { dealerFields, OPERATOR } from "../support/records.ts";
import {
  AS_OF,
  DEALERS,
  daysOf,
  eachAlone,
  filters,
  type Model,
  passes,
  storeVehicles,
} from "../support/vehicle-model.ts";

setDefaultTimeout(300_000);

/** Orders by distance are tested separately. */
type Sort = Exclude<keyof typeof ORDERS, "near">;

/** What each order compares. */
const SORTED = {
  newest: ({ created_at }) => created_at,
  "-created": ({ created_at }) => created_at,
  oldest: ({ created_at }) => created_at,
  updated: ({ updated_at }) => updated_at,
  "-updated": ({ updated_at }) => updated_at,
  price: ({ price }) => price,
  "-price": ({ price }) => price,
  mileage: ({ mileage }) => mileage,
  "-mileage": ({ mileage }) => mileage,
  year: ({ year }) => year,
  "-year": ({ year }) => year,
  days_on_lot: (vehicle) => daysOf(vehicle),
  "-days_on_lot": (vehicle) => daysOf(vehicle),
} as const satisfies { readonly [Key in Sort]: (vehicle: Vehicle) => string | number | null };
const ASCENDING: readonly string[] = ["oldest", "price", "mileage", "year", "days_on_lot"];
const sorts = fc.constantFrom(...(Object.keys(SORTED) as Sort[]));

/** Everything that each part of a filter matches, in the default order. */
const WHOLE_OF_EACH = eachAlone.map((filter): [VehicleFilter, number | null, number, [number, Sort | null]] => [
  filter,
  null,
  130,
  [0, null],
]);

/** The same vehicles in an order: ties by descending id, those without the value last. */
const inOrder = (vehicles: readonly Vehicle[], sort: Sort): Vehicle[] =>
  vehicles.toSorted((one, other) => {
    const [a, b] = [SORTED[sort](one), SORTED[sort](other)];
    if (a === b) return other.id - one.id;
    if (a === null || b === null) return a === null ? 1 : -1;
    return (a < b ? -1 : 1) * (ASCENDING.includes(sort) ? 1 : -1);
  });

for (const engine of ENGINES)
  describe(`the list of vehicles on ${engine.name}`, () => {
    let db: SqlDatabase;
    let vehicles: VehicleRepository;
    let stored: readonly Vehicle[];
    let model: Model;

    beforeAll(async () => {
      db = await engine.open();
      vehicles = makeVehicleRepository(db);
      for (const _ of DEALERS) await makeDealerRepository(db).insert(dealerFields(), OPERATOR);
      ({ stored, model } = await storeVehicles(db));
    });
    afterAll(() => db.close());

    test("has exactly the matches, counted and newest first by default, for any filter, scope, order and page", async () => {
      await fc.assert(
        fc.asyncProperty(
          filters,
          fc.constantFrom(null, ...DEALERS),
          fc.integer({ min: 1, max: 130 }),
          fc.tuple(fc.integer({ min: 0, max: 130 }), fc.option(sorts)),
          async (filter, scope, limit, [offset, sort]) => {
            const matches = inOrder(
              stored.filter(
                (vehicle) => passes(model, vehicle, filter) && (scope === null || vehicle.dealer_id === scope),
              ),
              sort ?? "newest",
            );
            const order = sort === null ? {} : { order: { ...ORDERS[sort], asOf: AS_OF } };
            const page = await vehicles.list({ scope, filter, ...order, page: { limit, offset }, from: null });
            expect(page.vehicles.parse()).toEqual(matches.slice(offset, offset + limit));
            expect(page.total).toBe(matches.length);
            expect(page.more).toBe(offset + limit < matches.length && offset < matches.length);
          },
        ),
        { numRuns: inGate(200, 600), examples: WHOLE_OF_EACH },
      );
    });

    test("neither repeats nor misses a vehicle from page to page, for any filter, scope and order", async () => {
      await fc.assert(
        fc.asyncProperty(
          filters,
          fc.constantFrom(null, ...DEALERS),
          fc.tuple(fc.integer({ min: 1, max: 50 }), fc.boolean()),
          sorts,
          async (filter, scope, [limit, isLong], sort) => {
            const matches = inOrder(
              stored.filter(
                (vehicle) => passes(model, vehicle, filter) && (scope === null || vehicle.dealer_id === scope),
              ),
              sort,
            );
            const order: VehicleOrder =
              ORDERS[sort].by === "days_on_lot" ? { ...ORDERS[sort], asOf: AS_OF } : ORDERS[sort];
            const page = { limit, offset: 0, ...(isLong && { sliceBytes: 100 }) };
            const walked = await walkPages<{ from: Position | null }, Vehicle>(
              { from: null },
              stored.length + 1,
              async ({ from }) => {
                const found = await vehicles.list({ scope, filter, order, page, from });
                expect(found.more).toBe(found.last !== null);
                expect(found.total).toBe(matches.length);
                return { items: found.vehicles.parse(), next: found.last && { from: found.last } };
              },
            );
            expect(walked).toEqual(matches);
          },
        ),
        { numRuns: inGate(60, 300) },
      );
    });

    test("continues right after a vehicle that is gone", async () => {
      for (const sort of Object.keys(SORTED) as Sort[]) {
        const order: VehicleOrder = { ...ORDERS[sort], asOf: AS_OF };
        const all = inOrder(stored, sort);
        for (const place of [0, 40, 80, 118]) {
          const from = positionAfter(order, all[place] as Vehicle);
          for (const [id, behind] of [
            [from.id, place + 1],
            [from.id + 1, place],
          ] as const) {
            const page = { limit: 5, offset: 0 };
            const found = await vehicles.list({ scope: null, filter: {}, order, page, from: { ...from, id } });
            const expected = all
              .slice(behind)
              .filter(
                (vehicle) =>
                  behind > place ||
                  vehicle.id <= from.id ||
                  SORTED[sort](vehicle) !== SORTED[sort](all[place] as Vehicle),
              );
            expect(found.vehicles.parse()).toEqual(expected.slice(0, 5));
          }
        }
      }
    });

    test("names the statement that ran, without its values", async () => {
      const filter: VehicleFilter = { dealer_id: 2, make: ["Toyota"], year: 1999, min_price: 100, status: ["sold"] };
      const { sql } = await vehicles.list({ scope: null, filter, page: { limit: 17, offset: 3 }, from: null });
      expect(sql).toMatch(/^select .* from .*vehicles.* order by .*created_at.* desc/i);
      for (const value of ["toyota", "1999", "10000", "sold", "17"]) expect(sql.toLowerCase()).not.toContain(value);
    });

    test("has no items and total 0 for an empty inventory", async () => {
      const {
        vehicles: none,
        total,
        more,
      } = await vehicles.list({ scope: 999, filter: {}, page: { limit: 10, offset: 0 }, from: null });
      expect([none.items.length, total, more]).toEqual([0, 0, false]);
    });
  });
