import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { statSync } from "node:fs";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { fileOf } from "../../app/database.ts";
import { inGate } from "../support/depth.ts";
import { ENGINES } from "../support/engines.ts";
import { dealerFields, made, OPERATOR, vehicleFields } from "../support/records.ts";

setDefaultTimeout(300_000);

const MEBIBYTE = 1024 * 1024;
/** Twice as many as fill 32 MiB, and more. */
const INSERTS = inGate(2500, 20_000);

for (const engine of ENGINES.filter(({ name }) => name === "SQLite"))
  describe("the write-ahead log of SQLite", () => {
    test("stays below 32 MiB under thousands of inserts, single and batched, with concurrent readers", async () => {
      const url = await engine.migratedUrl();
      const db = await engine.open(url);
      const dealer = await makeDealerRepository(db).insert(dealerFields(), OPERATOR);
      const vehicles = makeVehicleRepository(db);
      const insert = async () =>
        made(await vehicles.insert(vehicleFields(dealer.id, { description: "x".repeat(500) }), OPERATOR));
      let largest = 0;
      for (let inserted = 0; inserted < INSERTS; inserted += 250) {
        for (let single = 0; single < 10; single++) await insert();
        await Promise.all(Array.from({ length: 240 }, insert));
        await vehicles.list({ scope: null, filter: {}, page: { limit: 20, offset: 0 }, from: null });
        largest = Math.max(largest, statSync(`${fileOf(url)}-wal`).size);
      }
      expect((await vehicles.list({ scope: null, filter: {}, page: { limit: 1, offset: 0 }, from: null })).total).toBe(
        INSERTS,
      );
      expect(largest).toBeGreaterThan(0);
      expect(largest).toBeLessThan(32 * MEBIBYTE);
      await db.close();
    });
  });
