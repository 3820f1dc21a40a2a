import { type RawBuilder, sql } from "kysely";
import type { FormerKeys } from "../../../core/imports/former-keys.ts";
import type { ImportWork } from "../../../core/imports/import-repository.ts";
import type { SqlDatabase } from "../query/database.ts";
import { param, scopedStatement, sqlStatement } from "../query/statement.ts";

const VEHICLES_PER_READ = 500;

/** Reads the keys that the last file of a source had for vehicles which have others since. */
export const formerKeysOf = (db: SqlDatabase): ImportWork["formerKeys"] => {
  const said = (field: "vin" | "stock_number"): RawBuilder<string | null> =>
    db.engine === "sqlite" ? sql`(base ->> ${sql.lit(field)})` : sql`(CAST(base AS json) ->> ${sql.lit(field)})`;
  const differs = (field: "vin" | "stock_number") =>
    sql`(${said(field)} IS NOT NULL AND ${said(field)} IS DISTINCT FROM vehicles.${sql.ref(field)})`;
  // The result is a single text: reading a row for each vehicle of a large lot would block the event loop.
  const corrected = scopedStatement((narrowed) =>
    db
      .selectFrom("vehicles")
      .innerJoin("import_bases", "import_bases.vehicle_id", "vehicles.id")
      .select(sql<string | null>`string_agg(CAST(vehicles.id AS TEXT), ',')`.as("ids"))
      .where("import_bases.source", "=", param("source"))
      .$if(narrowed, (query) => query.where("vehicles.dealer_id", "=", param("scope")))
      .where(sql<boolean>`(${differs("vin")} OR ${differs("stock_number")})`),
  );
  const keysWhere = (isOfDealer: RawBuilder<unknown>) =>
    sqlStatement(
      db,
      sql<{ vehicle_id: number; dealer_id: number; vin: string | null; stock_number: string | null }>`SELECT vehicle_id,
          dealer_id, ${said("vin")} AS vin, ${said("stock_number")} AS stock_number FROM import_bases
        WHERE source = ${param("source")} ${isOfDealer}
          AND vehicle_id IN (SELECT id FROM ${db.jsonRows(param<string>("ids"), { id: "integer" })} AS given)`,
    );
  const keys = { all: keysWhere(sql``), scoped: keysWhere(sql`AND dealer_id = ${param("scope")}`) };
  return async ({ dealerId: scope }, source) => {
    const [found] = await db.longReads.all(corrected(scope), { source, scope });
    const ids = JSON.parse(`[${found?.ids ?? ""}]`) as readonly number[];
    const all: FormerKeys[] = [];
    for (let from = 0; from < ids.length; from += VEHICLES_PER_READ) {
      const some = ids.slice(from, from + VEHICLES_PER_READ);
      const statement = scope === null ? keys.all : keys.scoped;
      const rows = await db.all(statement, { source, scope, ids: JSON.stringify(some.map((id) => [id])) });
      for (const { vehicle_id: vehicleId, dealer_id: dealerId, vin, stock_number } of rows)
        all.push({ vehicleId, dealerId, vin, stock_number });
    }
    return all;
  };
};
