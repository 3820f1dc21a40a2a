import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { whereToRead } from "../../adapters/sql/query/where-to-read.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { ENGINES, type TestDatabase } from "../support/engines.ts";
import { dealerFields, OPERATOR, vehicleFields } from "../support/records.ts";

setDefaultTimeout(300_000);

const FEW = 2;
const MORE = 4;
/** With this many µs a vehicle, two vehicles are read at once, and three are not. */
const MICROSECONDS = 1000;

for (const engine of ENGINES)
  describe(`where vehicles are read, on ${engine.name}`, () => {
    let db: TestDatabase;
    const dealers: number[] = [];

    beforeAll(async () => {
      db = await engine.open();
      const vehicles = makeVehicleRepository(db);
      for (const count of [FEW, MORE]) {
        const { id } = await makeDealerRepository(db).insert(dealerFields(), OPERATOR);
        dealers.push(id);
        for (let number = 0; number < count; number++) await vehicles.insert(vehicleFields(id), OPERATOR);
      }
    });
    afterAll(() => db.close());

    const isAside = async (dealer: number | null, microseconds = MICROSECONDS): Promise<boolean> =>
      (await whereToRead(db)(dealer, microseconds)) === db.aside;

    test("few vehicles are read at once, many aside, and what is cheap for each at once however many there are", async () => {
      const [few = 0, more = 0] = dealers;
      const held = engine.name === "SQLite";
      expect([await isAside(few), await isAside(more), await isAside(null)]).toEqual([!held, true, true]);
      expect(await isAside(null, 0.001)).toBe(!held);
    });

    test("a dealer without vehicles, or none at all, is read at once on SQLite", async () => {
      expect(await isAside(999_999)).toBe(engine.name === "PostgreSQL");
    });
  });
