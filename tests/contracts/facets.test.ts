import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeFacetRepository } from "../../adapters/sql/facets/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { type Timestamp, timestampAt } from "../../core/clock.ts";
import type { Amounts } from "../../core/facets/facet.ts";
import { FACET_NAMES, type FacetName, mostFrequent } from "../../core/facets/facet.ts";
import type { FacetRepository, FacetValues } from "../../core/facets/facet-repository.ts";
import type { Vehicle } from "../../core/vehicles/fields.ts";
import type { VehicleFilter } from "../../core/vehicles/vehicle-filter.ts";
import { inGate } from "../support/depth.ts";
import { ENGINES } from "../support/engines.ts";
import { addVehicles } from "../support/many-vehicles.ts";
import { recording } from "../support/recording.ts";
import { dealerFields, OPERATOR, vehicleFields } from "../support/records.ts";
import { AS_OF, DEALERS, daysOf, filters, type Model, passes, rowOf, storeVehicles } from "../support/vehicle-model.ts";

setDefaultTimeout(300_000);

const DAY_MS = 86_400_000;

const newDealer = async (db: SqlDatabase): Promise<number> =>
  (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;

/** The filters that each facet is counted without. */
const OWN: Readonly<Record<FacetName, readonly (keyof VehicleFilter)[]>> = {
  make: ["make"],
  model: ["model"],
  year: ["year", "min_year", "max_year"],
  status: ["status"],
  stage: ["stage"],
  body_style: ["body_style"],
  fuel_type: ["fuel_type"],
  transmission: ["transmission"],
  drivetrain: ["drivetrain"],
  condition: ["condition"],
  exterior_color: ["exterior_color"],
  price: ["min_price", "max_price"],
  mileage: ["min_mileage", "max_mileage"],
  days_on_lot: ["min_days_on_lot", "max_days_on_lot"],
  dealer: ["dealer_id"],
};

type Of = Exclude<FacetName, "price" | "mileage" | "days_on_lot">;
const valueIn = (vehicle: Vehicle, facet: Of): string | number | null =>
  facet === "dealer" ? vehicle.dealer_id : vehicle[facet];

const NONE: Amounts = { min: null, max: null, ranges: [] };

/** What is counted of vehicles that have been on the lot for so many days. */
const inAges = (days: readonly number[]): Amounts => {
  if (days.length === 0) return NONE;
  const between = (from: number, to: number): number => days.filter((one) => one >= from && one < to).length;
  const ranges = [
    { from: 0, to: 31, count: between(0, 31) },
    { from: 31, to: 61, count: between(31, 61) },
    { from: 61, to: 91, count: between(61, 91) },
    { from: 91, to: null, count: between(91, Infinity) },
  ];
  return { min: Math.min(...days), max: Math.max(...days), ranges };
};

const isInRanges = ({ min, max, ranges }: Amounts, amounts: readonly number[]): void => {
  expect([min, max]).toEqual(amounts.length === 0 ? [null, null] : [Math.min(...amounts), Math.max(...amounts)]);
  expect(ranges.length).toBeLessThanOrEqual(10);
  expect(ranges.length > 0).toBe(amounts.length > 0);
  for (const [place, { from, to, count }] of ranges.entries()) {
    // Round widths: 1, 2 or 5 followed by zeros, at least 100.
    if (to !== null) expect(String(to - from)).toMatch(/^[125]00+$/);
    expect(from % 100).toBe(0);
    expect(to).toBe(ranges[place + 1]?.from ?? null);
    expect(count).toBe(amounts.filter((amount) => amount >= from && (to === null || amount < to)).length);
  }
  const [first] = ranges;
  if (first !== undefined) expect(first.count).toBeGreaterThan(0);
  expect(ranges.reduce((sum, { count }) => sum + count, 0)).toBe(amounts.length);
};

/** The database with every read as a long one. */
const asLongReads = (db: SqlDatabase): SqlDatabase => {
  const all = { ...db };
  return Object.assign(all, { longReads: all });
};

/** On SQLite, few vehicles are counted in the process, and many by the database. */
const PLACES = ENGINES.flatMap((engine) =>
  (engine.name === "SQLite" ? ["here", "by the database"] : ["by the database"]).map((place) => ({ engine, place })),
);

for (const { engine, place } of PLACES)
  describe(`facets on ${engine.name}, counted ${place}`, () => {
    let db: SqlDatabase;
    const facetsOf = (own: SqlDatabase): FacetRepository =>
      makeFacetRepository(place === "here" ? own : asLongReads(own));
    let facets: FacetRepository;
    let stored: readonly Vehicle[];
    let model: Model;

    beforeAll(async () => {
      db = await engine.open();
      facets = facetsOf(db);
      for (const _ of DEALERS) await makeDealerRepository(db).insert(dealerFields(), OPERATOR);
      ({ stored, model } = await storeVehicles(db));
    });
    afterAll(() => db.close());

    const expectExact = (
      counted: FacetValues,
      { scope, filter, chosen }: { scope: number | null; filter: VehicleFilter; chosen: readonly FacetName[] },
    ): void => {
      const reach = stored.filter((vehicle) => scope === null || vehicle.dealer_id === scope);
      expect(counted.total).toBe(reach.filter((vehicle) => passes(model, vehicle, filter)).length);
      expect([...Object.keys(counted.values), ...Object.keys(counted.amounts)].sort()).toEqual([...chosen].sort());
      for (const name of chosen) {
        const others = Object.fromEntries(
          Object.entries(filter).filter(([key]) => !OWN[name].includes(key as keyof VehicleFilter)),
        );
        const matches = reach.filter((vehicle) => passes(model, vehicle, others));
        if (name === "days_on_lot") {
          expect(counted.amounts.days_on_lot ?? NONE).toEqual(inAges(matches.map(daysOf)));
          continue;
        }
        if (name === "price" || name === "mileage") {
          const amounts = matches.flatMap((vehicle) => vehicle[name] ?? []);
          isInRanges(counted.amounts[name] ?? { min: null, max: null, ranges: [] }, amounts);
          continue;
        }
        // All spellings in one row count as one value.
        const keyOf = (value: string | number | null) =>
          typeof value === "string" && rowOf(value) !== -1 ? `row ${rowOf(value)}` : value;
        const exact = Map.groupBy(matches, (vehicle) => keyOf(valueIn(vehicle, name)));
        const found = new Map(counted.values[name]?.map(({ value, count }) => [keyOf(value), count]));
        expect([name, found]).toEqual([name, new Map([...exact].map(([value, some]) => [value, some.length]))]);
        expect([name, found.size]).toEqual([name, counted.values[name]?.length ?? 0]);
      }
    };

    test("are counted, for any filter and scope, under all filters but their own", async () => {
      await fc.assert(
        fc.asyncProperty(
          filters,
          fc.constantFrom(null, ...DEALERS),
          fc.oneof(fc.constant([...FACET_NAMES]), fc.subarray([...FACET_NAMES])),
          async (filter, scope, chosen) => {
            expectExact(await facets.count({ scope, filter, facets: chosen }), { scope, filter, chosen });
          },
        ),
        { numRuns: inGate(50, 200) },
      );
    });

    test("of a dealer do not depend on another dealer's vehicles", async () => {
      const query = { scope: 1, filter: { min_price: 1, make: ["toyota"], as_of: AS_OF }, facets: FACET_NAMES };
      const before = await facets.count(query);
      const vehicle = { ...stored.find(({ dealer_id }) => dealer_id === 1), trim: "Other", price: 99_999_999 };
      const { id: _, ...fields } = vehicle as Vehicle;
      await makeVehicleRepository(db).insert({ ...fields, dealer_id: 2 }, OPERATOR);
      expect(await facets.count(query)).toEqual(before);
      const last = stored.length;
      stored = [...stored, { ...fields, dealer_id: 2, id: last + 1 }];
    });

    test("are counted by one statement, and by one more for each facet that is itself filtered", async () => {
      const watched = recording(db);
      const counting = makeFacetRepository(watched.db);
      const statements = () => watched.ran().filter(({ text }) => text.includes(" FROM vehicles "));
      await counting.count({ scope: 1, filter: { featured: true, as_of: AS_OF }, facets: FACET_NAMES });
      expect(statements()).toHaveLength(1);
      await counting.count({ scope: 1, filter: { make: ["a"], min_price: 1, as_of: AS_OF }, facets: FACET_NAMES });
      const ran = statements();
      expect(ran).toHaveLength(3);
      for (const { values } of ran) expect(values).toContain(1);
    });

    test("of one dealer read no index over all dealers' vehicles", async () => {
      if (engine.name !== "SQLite") return;
      const watched = recording(db);
      await makeFacetRepository(watched.db).count({
        scope: 1,
        filter: { make: ["a"], min_price: 1, year: 2020, featured: true, as_of: AS_OF },
        facets: FACET_NAMES,
      });
      const plan = (await Promise.all(watched.ran().map((ran) => ran.plan()))).flat();
      const looked = plan.filter((step) => /(?:SEARCH|SCAN) vehicles\b/.test(step));
      expect(looked).not.toEqual([]);
      expect(looked.filter((step) => !step.includes("(dealer_id=?"))).toEqual([]);
    });

    test("of amounts have ranges that cover close, distant and equal values completely", async () => {
      const own = await engine.open();
      const dealers = makeDealerRepository(own);
      const vehicles = makeVehicleRepository(own);
      for (const [price, mileage] of [
        [[0], [null]],
        [
          [25_999.99, 26_000, 26_000.01],
          [0, 1],
        ],
        [
          [0, 100_000_000],
          [10_000_000, 9_999_999, null],
        ],
        [
          [99.99, 100, 1099.99, 1100],
          [999, 1000, 1001],
        ],
        [[100_000_000], [0, 10_000_000]],
      ] as const) {
        const { id } = await dealers.insert(dealerFields(), OPERATOR);
        for (const one of price)
          for (const other of mileage)
            await vehicles.insert(vehicleFields(id, { price: one, mileage: other }), OPERATOR);
        const { amounts } = await facetsOf(own).count({
          scope: id,
          filter: {},
          facets: ["price", "mileage"],
        });
        const all = price.flatMap((one) => mileage.map((other) => [one, other] as const));
        isInRanges(
          amounts.price ?? { min: null, max: null, ranges: [] },
          all.map(([one]) => one),
        );
        isInRanges(
          amounts.mileage ?? { min: null, max: null, ranges: [] },
          all.flatMap(([, other]) => other ?? []),
        );
      }
      await own.close();
    });

    test("of days on the lot have the four ages, whose days end to the millisecond, within the dealer", async () => {
      const own = await engine.open();
      const [lot, other] = [await newDealer(own), await newDealer(own)];
      const daysBefore = (days: number, ms = 0): Timestamp => timestampAt(Date.parse(AS_OF) - days * DAY_MS - ms);
      const listed = [0, 30, 31, 60, 61, 90, 91, 400].flatMap((days) => [daysBefore(days), daysBefore(days, -1)]);
      await addVehicles(own, [
        ...listed.map((listed_at) => vehicleFields(lot, { listed_at, make: "Kia" })),
        vehicleFields(lot, { listed_at: daysBefore(500), status: "sold", sold_at: daysBefore(460, 1) }),
        vehicleFields(other, { listed_at: daysBefore(70) }),
      ]);
      const count = async (filter: VehicleFilter): Promise<readonly (number | null)[]> => {
        const asked = { scope: lot, filter: { as_of: AS_OF, ...filter }, facets: ["days_on_lot"] as const };
        const { min = null, max = null, ranges = [] } = (await facetsOf(own).count(asked)).amounts.days_on_lot ?? {};
        return [min, max, ...ranges.map((range) => range.count)];
      };
      // Each listed a millisecond later has a day less; nobody is on the lot before it arrives.
      expect(await count({})).toEqual([0, 400, 5, 5, 4, 3]);
      expect(await count({ status: ["sold"] })).toEqual([39, 39, 0, 1, 0, 0]);
      expect(await count({ min_days_on_lot: 31, max_days_on_lot: 60, make: ["kia"] })).toEqual([0, 400, 5, 4, 4, 3]);
      expect(await count({ dealer_id: other })).toEqual([null, null]);
      await own.close();
    });

    test("with too many values to show do not read all of them from the database", async () => {
      const own = await engine.open();
      const { id } = await makeDealerRepository(own).insert(dealerFields(), OPERATOR);
      await addVehicles(own, [
        ...Array.from({ length: 400 }, (_, number) => {
          const value = `${number % 2 === 0 ? "Éx" : "ex"} ${number >> 2}`;
          const spelled = { make: value, model: value, fuel_type: value, exterior_color: value, body_style: value };
          return vehicleFields(id, { ...spelled, condition: number < 3 ? null : value });
        }),
        vehicleFields(id, { make: "Rare", condition: "EX 0" }),
      ]);
      const watched = recording(own);
      const { values } = await facetsOf(watched.db).count({ scope: id, filter: {}, facets: ["make", "condition"] });
      expect(mostFrequent(values.make ?? [])).toEqual(
        Array.from({ length: 100 }, (_, number) => ({ value: `ex ${number}`, count: 4 })).toSorted((one, other) =>
          one.value < other.value ? -1 : 1,
        ),
      );
      const conditions = mostFrequent(values.condition ?? []);
      expect(conditions.at(-1)).toEqual({ value: null, count: 3 });
      expect(conditions).toHaveLength(100);
      if (place === "by the database") expect((values.make ?? []).length + (values.condition ?? []).length).toBe(202);
      watched.ran();
      const six = ["make", "model", "fuel_type", "exterior_color", "body_style", "condition"] as const;
      const many = await facetsOf(watched.db).count({ scope: id, filter: {}, facets: six });
      // The database merges so many spellings, wherever they were counted.
      expect(watched.ran().at(-1)?.text).toContain("PARTITION BY folded");
      expect(many.values.make).toHaveLength(101);
      await own.close();
    });

    test("count spellings that differ in case and accents as one value, in the most frequent spelling", async () => {
      const { values } = await facets.count({ scope: null, filter: {}, facets: ["make"] });
      const merged = values.make ?? [];
      const rows = Map.groupBy(stored, ({ make }) => rowOf(make));
      expect(merged).toHaveLength(rows.size);
      for (const { value, count } of merged) {
        const same = rows.get(rowOf(String(value))) ?? [];
        expect(count).toBe(same.length);
        const used = Map.groupBy(same, ({ make }) => make);
        expect(used.get(String(value))?.length).toBe(Math.max(...[...used.values()].map(({ length }) => length)));
      }
    });
  });
