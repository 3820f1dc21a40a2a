import { expect } from "bun:test";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { statement } from "../../adapters/sql/query/statement.ts";
import { vehicleFields } from "../../adapters/sql/vehicles/columns.ts";
import { queryDatabase } from "./inspect-database.ts";

/** Expects exactly one document for every vehicle, equal to its row. Returns the number of documents. */
export const expectDocumentsOfAll = async (db: SqlDatabase, url: string): Promise<number> => {
  const kept = await queryDatabase(
    url,
    "SELECT id, dealer_id, updated_at, document FROM vehicle_documents ORDER BY id",
  );
  const written = await db.all(
    statement(() =>
      db
        .selectFrom("vehicles")
        .select(["id", "dealer_id", "updated_at", db.jsonObject(vehicleFields(db)).as("document")])
        .orderBy("id"),
    ),
    {},
  );
  expect(kept).toEqual(written);
  return kept.length;
};
