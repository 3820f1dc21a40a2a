import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeFacetRepository } from "../../adapters/sql/facets/repository.ts";
import type { Sql, SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeSuggestionRepository } from "../../adapters/sql/suggestions/repository.ts";
import { makeBulk } from "../../adapters/sql/vehicles/bulk.ts";
import { vehicleList } from "../../adapters/sql/vehicles/list.ts";
import { FACET_NAMES } from "../../core/facets/facet.ts";
import { SLICE_BYTES } from "../../core/page.ts";
import type { VehicleFilter } from "../../core/vehicles/vehicle-filter.ts";
import { ENGINES } from "../support/engines.ts";
import { dealerFields, MOMENT, OPERATOR, vehicleFields } from "../support/records.ts";

setDefaultTimeout(300_000);

const [SHORT, LONG, SAME] = [1, 2, 3];
/** So few that only the length of their words makes a long read of them. */
const LONG_VEHICLES = 60;
/** More than are read at once, whatever they are asked for. */
const SAME_VINS = 700;
/** 8 words, which all vehicles have at the end of their words. */
const Q = "zebra zeppelin zephyr zero zest zigzag zinc zodiac";

/** 20 000 characters of different words. */
const LONG_TEXT = `${Array.from({ length: 3000 }, (_, n) => n.toString(36).padStart(5, "x")).join(" ")} ${Q}`;

/** A filter for each facet but those of the dealer, of few vehicles. */
const FILTERED: VehicleFilter = {
  q: Q,
  make: ["Toyota"],
  model: ["Camry"],
  year: 2024,
  status: ["available"],
  body_style: ["SUV"],
  fuel_type: ["Gas"],
  transmission: ["Manual"],
  drivetrain: ["AWD"],
  condition: ["used"],
  exterior_color: ["black"],
  min_price: 1,
  max_mileage: 1_000_000,
};
const ALIKE = {
  ...{ body_style: "SUV", fuel_type: "Gas", transmission: "Manual", drivetrain: "AWD", condition: "used" },
  ...{ exterior_color: "black", mileage: 10 },
} as const;

/** A statement that ran: where, and in which turn of the event loop. */
interface Read {
  readonly text: string;
  readonly isLong: boolean;
  readonly turn: number;
}

const watching = (db: SqlDatabase) => {
  const reads: Read[] = [];
  let turn = 0;
  let isCounting = true;
  const count = (): void => {
    turn++;
    if (isCounting) setImmediate(count);
  };
  const watched = (sql: Sql, isLong: boolean): Sql => ({
    all(statement, values) {
      reads.push({ text: statement.text, isLong, turn });
      return sql.all(statement, values);
    },
  });
  return {
    db: {
      ...db,
      ...watched(db, false),
      longReads: { ...db.longReads, ...watched(db.longReads, true) },
    } satisfies SqlDatabase,
    async during(work: () => unknown): Promise<Read[]> {
      reads.length = 0;
      isCounting = true;
      count();
      await work();
      isCounting = false;
      return [...reads];
    },
  };
};

const readsWords = ({ text }: Read): boolean => text.includes("vehicle_words");

for (const engine of ENGINES)
  describe(`a search of one dealer on ${engine.name}`, () => {
    let db: SqlDatabase;
    let watch: ReturnType<typeof watching>;
    let longVehicles = 0;

    beforeAll(async () => {
      db = await engine.open();
      longVehicles = engine.name === "SQLite" ? LONG_VEHICLES : 5;
      const dealers = makeDealerRepository(db);
      for (const _ of [SHORT, LONG, SAME]) await dealers.insert(dealerFields(), OPERATOR);
      const vehicles = [
        ...Array.from({ length: 20 }, () => vehicleFields(SHORT ?? 0, { description: Q, ...ALIKE })),
        ...Array.from({ length: longVehicles }, (_, n) =>
          vehicleFields(LONG ?? 0, { description: LONG_TEXT, ...ALIKE, stock_number: `ZODIAC ${n}` }),
        ),
        ...Array.from({ length: SAME_VINS }, () => vehicleFields(SAME ?? 0, { vin: "SAME" })),
      ];
      await makeBulk(db, { now: () => MOMENT }, OPERATOR).addVehicles(
        vehicles.map((fields) => ({ fields, images: [] })),
      );
      watch = watching(db);
    });
    afterAll(() => db.close());

    const facets = (scope: number, filter: VehicleFilter = FILTERED) => {
      const names = FACET_NAMES.filter((name) => name !== "dealer");
      return makeFacetRepository(watch.db).count({ scope, filter: { ...filter, as_of: MOMENT }, facets: names });
    };
    const list = (scope: number, filter: VehicleFilter = FILTERED, limit = 10) =>
      vehicleList(watch.db)({ scope, filter, page: { limit, offset: 0, sliceBytes: SLICE_BYTES }, from: null });
    const suggestions = (scope: number) =>
      makeSuggestionRepository(watch.db).values({ scope, q: `${Q.slice(0, 40)} zod`, limit: 10 });

    test("reads the words once for all facets, and without a pause if they are short", async () => {
      const reads = (await watch.during(() => facets(SHORT ?? 0))).filter(({ text }) =>
        /FROM vehicle(?:s|_words)/.test(text),
      );
      expect(reads.filter(readsWords)).toHaveLength(1);
      expect(reads.filter(({ isLong }) => isLong)).toEqual([]);
      if (engine.name === "SQLite") expect(new Set(reads.map(({ turn }) => turn)).size).toBe(1);
    });

    if (engine.name === "SQLite") {
      test("counts facets of a larger lot in several turns, each with few of the vehicles", async () => {
        const reads = await watch.during(() =>
          facets(SAME, { make: ["Toyota"], year: 2024, status: ["available"], min_price: 1 }),
        );
        expect(reads.map(({ isLong }) => isLong)).toEqual(Array(5).fill(false));
        expect(new Set(reads.map(({ turn }) => turn)).size).toBe(5);
      });

      test("counts facets of few vehicles with long words in one statement, aside from the event loop", async () => {
        const reads = (await watch.during(() => facets(LONG ?? 0))).filter(readsWords);
        expect(reads.map(({ isLong }) => isLong)).toEqual([true]);
        expect(reads[0]?.text.split("vehicle_words.words").length).toBeLessThanOrEqual(Q.split(" ").length + 1);
      });

      test("lists few vehicles with long words aside from the event loop", async () => {
        const reads = (await watch.during(() => list(LONG ?? 0))).filter(readsWords);
        expect(reads.map(({ isLong }) => isLong)).toEqual([true, true]);
      });

      test("suggests texts of few vehicles with long words aside from the event loop, by one statement", async () => {
        const reads = (await watch.during(() => suggestions(LONG ?? 0))).filter(readsWords);
        expect(reads.map(({ isLong }) => isLong)).toEqual([true]);
      });

      test("reads the words of a slice's own vehicles only, when a long page is sent", async () => {
        const page = await list(LONG ?? 0, FILTERED, LONG_VEHICLES);
        const slices = page.long?.slices ?? [];
        expect(slices.length).toBeGreaterThan(2);
        let sent = 0;
        const reads = await watch.during(async () => {
          for (const read of slices) sent += (await read()).length;
        });
        expect(sent).toBe(LONG_VEHICLES);
        for (const { text } of reads) expect(text).toMatch(/vehicle_words\.vehicle_id = "?vehicles"?\."?id/);
      });

      test("lists many vehicles with one VIN aside from the event loop, and few at once", async () => {
        const many = await watch.during(() => list(SAME ?? 0, { vin: "same" }));
        expect(many.map(({ isLong }) => isLong)).toEqual([true, true]);
        const few = await watch.during(() => list(SHORT ?? 0, { vin: "same" }));
        expect(few.map(({ isLong }) => isLong)).toEqual([false]);
      });
    }

    test("finds the same vehicles wherever they are counted, listed and suggested", async () => {
      for (const [scope, count] of [
        [SHORT, 20],
        [LONG, longVehicles],
      ] as const) {
        const { total, values } = await facets(scope ?? 0);
        expect([total, values.make, values.exterior_color]).toEqual([
          count,
          [{ value: "Toyota", count }],
          [{ value: "black", count }],
        ]);
        expect((await list(scope ?? 0)).total).toBe(count);
      }
      expect((await suggestions(LONG ?? 0)).stock_number).toHaveLength(Math.min(10, longVehicles));
    });
  });
