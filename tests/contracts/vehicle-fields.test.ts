import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { catalogueOf } from "../../adapters/sql/schema/catalogue.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { VEHICLE_FIELDS } from "../../core/vehicles/fields.ts";
import { vehicleDocumentsOf } from "../../migrations/vehicle-documents.ts";
import { ENGINES } from "../support/engines.ts";
import { dealerFields, MOMENT, made, OPERATOR, vehicleFields } from "../support/records.ts";
import { expectDocumentsOfAll } from "../support/vehicle-documents.ts";

setDefaultTimeout(300_000);

const FIELDS = Object.keys(VEHICLE_FIELDS);
/** Fields that are stored in cents. */
const PRICES = ["price", "previous_price"];
/** Columns without a field: text folded for comparison, prices in cents, who changed it last, and its last return. */
const DERIVED = [
  "price_cents",
  "previous_price_cents",
  "make_folded",
  "model_folded",
  "changed_at",
  "changed_by",
  "returned_at",
];
/** PostgreSQL keeps documents in a column, SQLite in a table. */
const KEPT = { sqlite: [], postgres: ["document"] } as const;

const addVehicle = async (db: SqlDatabase): Promise<number> => {
  const dealer = await makeDealerRepository(db).insert(dealerFields(), OPERATOR);
  return made(await makeVehicleRepository(db).insert(vehicleFields(dealer.id), OPERATOR)).id;
};

/** The documents of all vehicles, each as names and values in their order. */
const documentsOf = async (db: SqlDatabase): Promise<[name: string, value: unknown][][]> => {
  const rows = await db.all<{ document: string }>(
    { text: "SELECT document FROM vehicle_documents ORDER BY id", bind: () => [] },
    {},
  );
  return rows.map(({ document }) => Object.entries(JSON.parse(document) as object));
};

for (const engine of ENGINES)
  describe(`the list of a vehicle's fields, on ${engine.name}`, () => {
    test("matches the columns of the table", async () => {
      const db = await engine.open();
      const table = (await catalogueOf(db, db)).find(({ name }) => name === "vehicles");
      const stored = FIELDS.filter((name) => !PRICES.includes(name));
      expect(table?.columns).toEqual([...stored, ...DERIVED, ...KEPT[db.engine]].sort());
      await db.close();
    });

    test("matches the stored documents, in the same order", async () => {
      const db = await engine.open();
      await addVehicle(db);
      const [document = []] = await documentsOf(db);
      expect(document.map(([name]) => name)).toEqual(FIELDS);
      expect(await expectDocumentsOfAll(db, db.url)).toBe(1);
      await db.close();
    });

    test("can grow by a migration: old, changed and new documents have the new field in its place", async () => {
      const db = await engine.open();
      const [untouched, changed] = [await addVehicle(db), await addVehicle(db)];
      const before = await documentsOf(db);
      const place = FIELDS.indexOf("created_at");
      await db.migrate(async (run) => {
        await run("ALTER TABLE vehicles ADD COLUMN invented INTEGER");
        for (const text of vehicleDocumentsOf(db.engine, FIELDS.toSpliced(place, 0, "invented"))) await run(text);
      });
      expect(await documentsOf(db)).toEqual(before.map((document) => document.toSpliced(place, 0, ["invented", null])));
      await db.migrate(async (run) => {
        await run(`UPDATE vehicles SET invented = 5, updated_at = '${MOMENT}' WHERE id = ${changed}`);
      });
      const added = await addVehicle(db);
      const grown = (await documentsOf(db)).map((document) => Object.fromEntries(document));
      expect(grown.map(({ id, invented }) => [id, invented])).toEqual([
        [untouched, null],
        [changed, 5],
        [added, null],
      ]);
      await db.close();
    });
  });
