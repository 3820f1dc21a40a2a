import { expect, setDefaultTimeout, test } from "bun:test";
import { migrateToLatest } from "../../adapters/sql/schema/migrate.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { vehicleDocuments } from "../../migrations/0006-vehicle-documents.ts";
import { migrateBefore } from "../support/earlier-schema.ts";
import { connect, ENGINES } from "../support/engines.ts";
import { MOMENT, OPERATOR } from "../support/records.ts";
import { expectDocumentsOfAll } from "../support/vehicle-documents.ts";

setDefaultTimeout(300_000);

const VEHICLES = 20;
const TEXTS = "name address city state zip phone email city_folded state_folded created_at updated_at".split(" ");
const COLUMNS =
  "dealer_id, make, model, year, price_cents, status, featured, make_folded, model_folded, created_at, updated_at";

for (const engine of ENGINES)
  test(`vehicles on ${engine.name} from before stored documents get theirs by the migration, and answers use them`, async () => {
    const url = await engine.url();
    const db = connect(url);
    await migrateBefore(db, vehicleDocuments);
    await db.migrate(async (run) => {
      await run(
        `INSERT INTO dealers (${["id", "active", ...TEXTS]}) VALUES (1, 1, ${TEXTS.map((column) => `'${column}'`)})`,
      );
      for (let cents = 0; cents < VEHICLES; cents++)
        await run(`INSERT INTO vehicles (${COLUMNS}) VALUES
          (1, 'Toyota', 'Camry', 2024, ${cents * 101}, 'available', 0, 'toyota', 'camry', '${MOMENT}', '${MOMENT}')`);
    });
    await migrateToLatest(db);
    expect(await expectDocumentsOfAll(db, url)).toBe(VEHICLES);
    const vehicles = makeVehicleRepository(db);
    for (let cents = 0; cents < VEHICLES; cents++)
      expect((await vehicles.find(cents + 1, 1))?.parse()).toMatchObject({
        make: "Toyota",
        price: (cents * 101) / 100,
      });
    await vehicles.update({ id: 1, scope: null, changes: { price: 0 }, now: MOMENT, versions: null, by: OPERATOR });
    expect(await expectDocumentsOfAll(db, url)).toBe(VEHICLES);
    await db.close();
  });
