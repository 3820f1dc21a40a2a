import { type RawBuilder, sql } from "kysely";
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
