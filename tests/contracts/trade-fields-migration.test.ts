import { expect, setDefaultTimeout } from "bun:test";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { migrateToLatest } from "../../adapters/sql/schema/migrate.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { tradeFields } from "../../migrations/0044-trade-fields.ts";
import { deepTest } from "../support/deep-test.ts";
import { migrateBefore } from "../support/earlier-schema.ts";
import { connect, ENGINES } from "../support/engines.ts";
import { MOMENT, made, momentAfter, OPERATOR } from "../support/records.ts";

setDefaultTimeout(300_000);

const DEALER = `INSERT INTO dealers (id, name, address, city, state, zip, phone, email, active, city_folded, state_folded,
  created_at, updated_at) VALUES (1, 'Harbor Motors', 'x', 'x', 'x', 'x', 'x', 'x', 1, 'x', 'x', '${MOMENT}', '${MOMENT}')`;

/** A vehicle as the previous version inserts it, without the columns. */
const vehicle = (id: number) => `INSERT INTO vehicles (id, dealer_id, make, model, year, price_cents, status, featured,
  make_folded, model_folded, created_at, updated_at)
  VALUES (${id}, 1, 'Tatra', 'T87', 1948, 100, 'available', 0, 'tatra', 't87', '${MOMENT}', '${MOMENT}')`;

const UNSET = {
  ...{ doors: null, owners: null, date_first_registered: null, warranty: null, msrp: null, electric_range: null },
  ...{ battery_capacity: null, charge_port: null, fuel_consumption: null, energy_consumption: null },
  ...{ co2_emissions: null, emissions_standard: null },
};
const SET = {
  ...{ doors: 4, owners: 0, date_first_registered: "2021-03-15", warranty: "24 months", msrp: 31_500.5 },
  // A whole number in a field with decimals is answered as one.
  ...{ electric_range: 310, battery_capacity: 77, charge_port: "CCS", fuel_consumption: 6.25 },
  ...{ energy_consumption: 17.9, co2_emissions: 142, emissions_standard: "Euro 6d" },
};

const documentsOf = async (db: SqlDatabase): Promise<readonly string[]> =>
  (
    await db.all<{ document: string }>(
      { text: "SELECT document FROM vehicle_documents ORDER BY id", bind: () => [] },
      {},
    )
  ).map(({ document }) => document);

// Long published, with everything it calls of its own: the deep run alone takes it again.
for (const engine of ENGINES)
  deepTest(
    `what is new of a vehicle is null where nobody set it, and no change of the previous version loses it, on ${engine.name}`,
    async () => {
      const db = connect(await engine.url());
      await migrateBefore(db, tradeFields);
      const run = (...texts: readonly string[]) =>
        db.migrate(async (one) => {
          for (const text of texts) await one(text);
        });
      await run(DEALER, vehicle(1), vehicle(2));
      await migrateToLatest(db);
      await run(vehicle(3));
      const parsed = async () => (await documentsOf(db)).map((document) => JSON.parse(document));
      expect(await parsed()).toEqual([1, 2, 3].map((id) => expect.objectContaining({ id, ...UNSET })));

      const vehicles = makeVehicleRepository(db);
      const now = momentAfter(1000);
      made(await vehicles.update({ id: 2, scope: null, changes: SET, now, versions: null, by: OPERATOR }));
      // As the previous version changes it.
      await run(`UPDATE vehicles SET mileage = 5, updated_at = '${momentAfter(2000)}' WHERE id = 2`);
      expect((await parsed())[1]).toMatchObject({ ...SET, mileage: 5 });
      expect((await documentsOf(db))[1]).toContain('"msrp":31500.5,"electric_range":310,"battery_capacity":77,');
      expect(made(await vehicles.find(2, null)).parse()).toMatchObject(SET);
      await db.close();
    },
  );
