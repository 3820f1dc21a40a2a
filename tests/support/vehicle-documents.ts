import { expect } from "bun:test";
import type { SqlDatabase } from "../../adapters/sql/database.ts";
import { statement } from "../../adapters/sql/statement.ts";
import { vehicleFields } from "../../adapters/sql/vehicle-columns.ts";

/** Every vehicle has one document, which says what its row does, and nothing else has one. Returns how many there are. */
export const expectDocumentsOfAll = async (db: SqlDatabase): Promise<number> => {
  const kept = await db.all(
    statement(() =>
      db.build.selectFrom("vehicle_documents").select(["id", "dealer_id", "updated_at", "document"]).orderBy("id"),
    ),
    {},
  );
  const written = await db.all(
    statement(() =>
      db.build
        .selectFrom("vehicles")
        .select(["id", "dealer_id", "updated_at", db.json(vehicleFields(db)).as("document")])
        .orderBy("id"),
    ),
    {},
  );
  expect(kept).toEqual(written);
  return kept.length;
};
