import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { ENGINES, type TestDatabase } from "../support/engines.ts";
import { addVehicles } from "../support/many-vehicles.ts";
import { dealerFields, OPERATOR, vehicleFields } from "../support/records.ts";

const CARS = 1000;
const SAME = 150;

for (const engine of ENGINES)
  describe(`a list by VIN among many vehicles on ${engine.name}`, () => {
    const isSqlite = engine.name === "SQLite";
    let db: TestDatabase;
    let list: (
      vin: string,
      offset?: number,
    ) => Promise<{ total: number; vins: readonly (string | null)[]; short: number; long: number }>;

    beforeAll(async () => {
      db = await engine.open();
      const { id } = await makeDealerRepository(db).insert(dealerFields(), OPERATOR);
      await addVehicles(
        db,
        Array.from({ length: CARS }, (_, car) => vehicleFields(id, { vin: car < SAME ? "SAME" : `V${car}` })),
      );
      const count = { short: 0, long: 0 };
      const vehicles = makeVehicleRepository({
        ...db,
        all(statement, values) {
          count.short++;
          return db.all(statement, values);
        },
        first(statement, values) {
          count.short++;
          return db.first(statement, values);
        },
        longReads: {
          ...db.longReads,
          all(statement, values) {
            count.long++;
            return db.longReads.all(statement, values);
          },
        },
      });
      list = async (vin, offset = 0) => {
        const ask = () => vehicles.list({ scope: null, filter: { vin }, page: { limit: 20, offset }, from: null });
        // The number of vehicles is known for a second.
        await ask();
        Object.assign(count, { short: 0, long: 0 });
        const { total, vehicles: found } = await ask();
        return { total, vins: found.parse().map((vehicle) => vehicle.vin), ...count };
      };
    });
    afterAll(() => db.close());

    test("that no vehicle has is found empty by one statement, from any place on", async () => {
      for (const offset of [0, 40]) {
        const { short, ...found } = await list("NOBODY", offset);
        expect(found).toEqual({ total: 0, vins: [], long: 0 });
        if (isSqlite) expect(short).toBe(1);
      }
    });

    test("that one vehicle has is an ordinary read", async () => {
      expect(await list("V500")).toEqual({ total: 1, vins: ["V500"], short: isSqlite ? 2 : 1, long: 0 });
      expect(await list("V500", 40)).toMatchObject({ total: 1, vins: [], long: 0 });
    });

    test("that more than a hundred vehicles have is a long read on SQLite", async () => {
      const { total, vins, long } = await list("SAME");
      expect({ total, different: new Set(vins).size, count: vins.length }).toEqual({
        ...{ total: SAME, different: 1, count: 20 },
      });
      expect(long).toBe(isSqlite ? 2 : 0);
    });
  });
