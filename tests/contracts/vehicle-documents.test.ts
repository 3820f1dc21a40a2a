import { expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers.ts";
import { migrateToLatest } from "../../adapters/sql/migrate.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles.ts";
import { vehicleDocuments } from "../../migrations/0006-vehicle-documents.ts";
import { migrateWithout } from "../support/earlier-schema.ts";
import { connect, ENGINES } from "../support/engines.ts";
import { dealerFields, MOMENT, made, OPERATOR, vehicleFields } from "../support/records.ts";
import { expectDocumentsOfAll } from "../support/vehicle-documents.ts";

setDefaultTimeout(60_000);

const VEHICLES = 20;

for (const engine of ENGINES)
  test(`vehicles of ${engine.name} from before there were documents have theirs after the update, and are answered with them`, async () => {
    const db = connect(await engine.url());
    await migrateWithout(db, vehicleDocuments);
    const dealer = await makeDealerRepository(db).insert(dealerFields(), OPERATOR);
    const vehicles = makeVehicleRepository(db);
    const texts: string[] = [];
    for (let number = 0; number < VEHICLES; number++)
      texts.push(
        made(await vehicles.insert(vehicleFields(dealer.id, { price: number + number / 100 }), OPERATOR)).text,
      );
    await migrateToLatest(db);
    expect(await expectDocumentsOfAll(db)).toBe(VEHICLES);
    for (const [index, text] of texts.entries()) expect((await vehicles.find(index + 1, dealer.id))?.text).toBe(text);
    await vehicles.update(1, null, { price: 0 }, MOMENT, null, OPERATOR);
    expect(await expectDocumentsOfAll(db)).toBe(VEHICLES);
    await db.close();
  });
