import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeFacetRepository } from "../../adapters/sql/facets/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { spellingSweep } from "../../adapters/sql/search/spelling-sweep.ts";
import { hourNow, SPELLING_FIELDS, vehicleSpellings } from "../../adapters/sql/search/spellings.ts";
import { vehicleList } from "../../adapters/sql/vehicles/list.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import type { VehicleFilter } from "../../core/vehicles/vehicle-filter.ts";
import { DEEP } from "../support/depth.ts";
import { ENGINES } from "../support/engines.ts";
import { recording } from "../support/recording.ts";
import { dealerFields, made, momentAfter, OPERATOR, vehicleFields } from "../support/records.ts";

setDefaultTimeout(300_000);

/** More spellings than a statement lists. */
const MANY = DEEP ? 100_000 : 300;
/** More than a sweep removes at once. */
const SWEPT = DEEP ? 3000 : 300;
const MAX_LISTED = 100;
const DAY = 24;

/** Stores spellings of black that no vehicle has, in all fields but the trim. */
const storeSpellings = async (db: SqlDatabase, many: number): Promise<void> => {
  const values = Array.from({ length: many }, (_, n) => `black${"\u0301".repeat((n % 9) + 1)}${n}`);
  const rows = (field: string) => values.map((value) => `('${field}', '${value}', 'black', ${hourNow()})`).join();
  await db.migrate(async (run) => {
    for (const field of SPELLING_FIELDS.filter((name) => name !== "trim"))
      await run(`INSERT INTO vehicle_spellings (field, value, folded, seen) VALUES ${rows(field)}`);
  });
};

/** Makes all spellings as old as this hour, whatever hour it is. */
const seenIn = (db: SqlDatabase, hour: number): Promise<void> =>
  db.migrate((run) => run(`UPDATE vehicle_spellings SET seen = ${hour}`).then(() => {}));

const stored = async (db: SqlDatabase): Promise<string[]> =>
  (
    await db.all<{ text: string }>(
      {
        text: "SELECT field || ' ' || value AS text FROM vehicle_spellings ORDER BY field, value",
        bind: () => [],
      },
      {},
    )
  ).map(({ text }) => text);

for (const engine of ENGINES)
  describe(`filters by spelling on ${engine.name}, if others have stored many spellings`, () => {
    let db: SqlDatabase;
    const ids: number[] = [];
    const BLACK = Object.fromEntries(SPELLING_FIELDS.map((field) => [field, "BLÄCK"]));

    beforeAll(async () => {
      db = await engine.open();
      for (const _ of [1, 2]) await makeDealerRepository(db).insert(dealerFields(), OPERATOR);
      const vehicles = makeVehicleRepository(db);
      for (const [dealer, more] of [
        [1, BLACK],
        [1, { ...BLACK, exterior_color: "Red" }],
        [1, {}],
        [2, BLACK],
      ] as const)
        ids.push(made(await vehicles.insert(vehicleFields(dealer, more), OPERATOR)).id);
      await storeSpellings(db, MANY);
    });
    afterAll(() => db.close());

    const found = async (on: SqlDatabase, scope: number | null, filter: VehicleFilter): Promise<number[]> => {
      const page = { limit: 100, offset: 0 };
      return (await vehicleList(on)({ scope, filter, page, from: null })).vehicles.parse().map(({ id }) => id);
    };

    test("find the same vehicles as before", async () => {
      const [own, other, , foreign] = ids;
      for (const field of SPELLING_FIELDS) {
        const ofDealer = field === "exterior_color" ? [own] : [other, own];
        expect(await found(db, 1, { [field]: ["black"] })).toEqual(ofDealer as number[]);
        expect(await found(db, null, { [field]: ["Black", "none"] })).toEqual([foreign, ...ofDealer] as number[]);
      }
      const { values, total } = await makeFacetRepository(db).count({
        ...{ scope: 1, facets: ["exterior_color", "condition"] },
        filter: { exterior_color: ["black"] },
      });
      expect(total).toBe(1);
      expect(values.condition).toEqual([{ value: "BLÄCK", count: 1 }]);
      expect(values.exterior_color?.toSorted((a, b) => (`${a.value}` < `${b.value}` ? -1 : 1))).toEqual([
        { value: "BLÄCK", count: 1 },
        { value: "Red", count: 1 },
        { value: null, count: 1 },
      ]);
    });

    if (engine.name === "SQLite")
      test("look up the spellings of the dealer's own vehicles, and list none", async () => {
        const watched = recording(db);
        for (const field of SPELLING_FIELDS.filter((name) => name !== "trim")) {
          await found(watched.db, 1, { [field]: ["black"] });
          for (const ran of watched.ran().filter(({ text }) => text.includes("vehicle_spellings"))) {
            const plan = await ran.plan();
            const looked = plan.filter((step) => step.includes("vehicle_spellings"));
            if (ran.text.includes(`LIMIT ${MAX_LISTED + 1}`)) continue;
            expect(looked.every((step) => step.includes("PRIMARY KEY (field=? AND value=?)"))).toBe(true);
            expect(looked).not.toEqual([]);
          }
        }
      });

    test("list the few spellings of other fields and values, by their index", async () => {
      const watched = recording(db);
      for (const filter of [{ trim: ["black"] }, { exterior_color: ["red"] }]) {
        await found(watched.db, 1, filter);
        const listing = watched.ran().filter(({ text }) => /IN \(SELECT value FROM vehicle_spellings/.test(text));
        expect(listing).not.toEqual([]);
        if (engine.name !== "SQLite") continue;
        const plans = await Promise.all(listing.map((ran) => ran.plan()));
        const looked = plans.flat().filter((step) => step.includes("vehicle_spellings"));
        expect(looked).not.toEqual([]);
        expect(looked.filter((step) => !step.includes("(field=? AND folded=?)"))).toEqual([]);
      }
    });
  });

for (const engine of ENGINES)
  describe(`the sweep of spellings on ${engine.name}`, () => {
    const HOUR = hourNow();
    const setUp = async () => {
      const db = await engine.open();
      await makeDealerRepository(db).insert(dealerFields(), OPERATOR);
      const vehicles = makeVehicleRepository(db);
      const add = async (fields: Parameters<typeof vehicleFields>[1]) =>
        made(await vehicles.insert(vehicleFields(1, fields), OPERATOR)).id;
      return { db, vehicles, add };
    };

    test("removes those that no vehicle has had for a day, and no others", async () => {
      const { db, vehicles, add } = await setUp();
      const id = await add({ trim: "Été", stock_number: "Ä1", exterior_color: "Blanc" });
      for (let n = 0; n < 250; n++) await add({ interior_color: `Gris ${n}` });
      await vehicles.update({
        ...{ id, scope: null, changes: { trim: "Élan" }, now: momentAfter(1), versions: null, by: OPERATOR },
      });
      await storeSpellings(db, SWEPT);
      // A vehicle has this value in another field.
      await db.write((tx) => vehicleSpellings(db).add(tx, [{ field: "condition", value: "Blanc" }]));
      await seenIn(db, HOUR);
      const before = await stored(db);
      for (const hours of [0, DAY - 1, DAY]) {
        await spellingSweep(db, () => HOUR + hours).run();
        expect(await stored(db)).toEqual(before);
      }
      await spellingSweep(db, () => HOUR + DAY + 1).run();
      const grey = Array.from({ length: 250 }, (_, n) => `interior_color Gris ${n}`);
      expect((await stored(db)).toSorted()).toEqual(
        ["exterior_color Blanc", ...grey, "stock_number Ä1", "trim Élan"].toSorted(),
      );
      await db.close();
    });

    test("keeps what was used in the meantime, by whoever knew it to be stored", async () => {
      const { db } = await setUp();
      let hour = HOUR;
      const spellings = vehicleSpellings(db, () => hour);
      const use = async (trim: string): Promise<boolean> => {
        const added = spellings.newIn({ trim });
        if (added !== null) await db.write((tx) => added.add(tx));
        added?.added();
        return added !== null;
      };
      // Within the hour, nothing is written again.
      expect([await use("A"), await use("B"), await use("A")]).toEqual([true, true, false]);
      hour = HOUR + DAY;
      expect(await use("A")).toBe(true);
      await spellingSweep(db, () => HOUR + DAY + 1).run();
      expect(await stored(db)).toEqual(["trim A"]);
      await db.close();
    });

    test("that is interrupted removes nothing that is in use", async () => {
      const { db, add } = await setUp();
      await add({ trim: "Été" });
      await storeSpellings(db, SWEPT);
      const sweep = spellingSweep(db, () => HOUR + 2 * DAY);
      const running = sweep.run();
      sweep.end();
      await running;
      expect(await stored(db)).toContain("trim Été");
      await spellingSweep(db, () => HOUR + 2 * DAY).run();
      expect(await stored(db)).toEqual(["trim Été"]);
      await db.close();
    });
  });
