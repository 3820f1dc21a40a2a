import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { FormerKeys } from "../../../core/imports/former-keys.ts";
import type { ImportWork } from "../../../core/imports/import-repository.ts";
import type { SqlDatabase } from "../query/database.ts";
import { givenIds } from "../query/slices.ts";

const VEHICLES_PER_READ = 500;

/** Reads the keys that the last file of a source had for vehicles which have others since. */
export const formerKeysOf = (db: SqlDatabase): ImportWork["formerKeys"] => {
  const said = (field: "vin" | "stock_number"): RawBuilder<string | null> =>
    db.engine === "sqlite" ? sql`(base ->> ${sql.lit(field)})` : sql`(CAST(base AS json) ->> ${sql.lit(field)})`;
  const differs = (field: "vin" | "stock_number") =>
    sql<SqlBool>`(${said(field)} IS NOT NULL AND ${said(field)} IS DISTINCT FROM vehicles.${sql.ref(field)})`;
  return async ({ dealerId: scope }, source) => {
    // The result is a single text: reading a row for each vehicle of a large lot would block the event loop.
    const found = await db.longReads
      .selectFrom("vehicles")
      .innerJoin("import_bases", "import_bases.vehicle_id", "vehicles.id")
      .select(sql<string | null>`string_agg(CAST(vehicles.id AS TEXT), ',')`.as("ids"))
      .where("import_bases.source", "=", source)
      .$if(scope !== null, (query) => query.where("vehicles.dealer_id", "=", scope))
      .where(({ or }) => or([differs("vin"), differs("stock_number")]))
      .executeTakeFirst();
    const ids = JSON.parse(`[${found?.ids ?? ""}]`) as readonly number[];
    const all: FormerKeys[] = [];
    for (let from = 0; from < ids.length; from += VEHICLES_PER_READ) {
      const some = db
        .selectFrom("import_bases")
        .select(["vehicle_id as vehicleId", "dealer_id as dealerId"])
        .select([said("vin").as("vin"), said("stock_number").as("stock_number")])
        .where("source", "=", source)
        .$if(scope !== null, (query) => query.where("dealer_id", "=", scope))
        .where("vehicle_id", "in", givenIds(db, ids.slice(from, from + VEHICLES_PER_READ)));
      all.push(...(await some.execute()));
    }
    return all;
  };
};
