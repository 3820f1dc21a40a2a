import { type AliasedRawBuilder, type RawBuilder, sql } from "kysely";
import type { Timestamp } from "../../core/clock.ts";
import type { Vehicle } from "../../core/vehicles/vehicle.ts";
import type { SqlDatabase } from "./database.ts";
import type { Tables } from "./tables.ts";

/** Columns of a vehicle that are answered as they are stored, besides its id. */
export const PLAIN_COLUMNS = [
  "dealer_id",
  "make",
  "model",
  "year",
  "title",
  "trim",
  "mileage",
  "exterior_color",
  "interior_color",
  "vin",
  "stock_number",
  "description",
  "features",
  "status",
  "featured",
  "fuel_type",
  "transmission",
  "engine",
  "drivetrain",
  "body_style",
  "condition",
  "seats",
  "created_at",
  "updated_at",
] as const satisfies (keyof Vehicle & keyof Tables["vehicles"])[];

const column = (name: string): [string, RawBuilder<unknown>] => [name, sql.ref(name)];

/** The fields of a vehicle, in the order of the specification, and what each is read from. */
export const vehicleFields = (db: Pick<SqlDatabase, "units">): Readonly<Record<string, RawBuilder<unknown>>> => {
  const afterPrice = PLAIN_COLUMNS.indexOf("title");
  return Object.fromEntries([
    column("id"),
    ...PLAIN_COLUMNS.slice(0, afterPrice).map(column),
    ["price", db.units(sql.ref("price_cents"))],
    ...PLAIN_COLUMNS.slice(afterPrice).map(column),
  ]);
};

/** One vehicle as a statement answers it. */
export interface VehicleRow {
  readonly updated_at: Timestamp;
}

/** What to select of one vehicle, and its JSON text made of that. */
interface VehicleText {
  readonly columns: AliasedRawBuilder<unknown, string>[];
  textOf(row: VehicleRow): string;
}

/**
 * One vehicle is written as JSON by whom it costs least: by SQLite, which takes less for it than for handing over 26
 * values; not by PostgreSQL, which takes 11 µs for what costs the service 2.
 */
export const vehicleText = (db: Pick<SqlDatabase, "engine" | "units" | "json">): VehicleText => {
  const fields = vehicleFields(db);
  if (db.engine === "sqlite")
    return {
      columns: [sql.ref("updated_at").as("updated_at"), db.json(fields).as("json")],
      textOf: (row) => (row as VehicleRow & { readonly json: string }).json,
    };
  return {
    columns: Object.entries(fields).map(([name, value]) => value.as(name)),
    textOf: (row) => JSON.stringify(row),
  };
};
