import { type RawBuilder, sql } from "kysely";
import { VEHICLE_FIELDS, type VehicleField } from "../../../core/vehicles/fields.ts";
import type { SqlDatabase } from "../query/database.ts";

const FIELDS = Object.keys(VEHICLE_FIELDS) as VehicleField[];

/** Columns of a vehicle that are answered as stored, besides its id. */
export const PLAIN_COLUMNS = FIELDS.filter((name) => name !== "id" && name !== "price");

/** The fields of a vehicle, in the order of its document, and the column or expression of each. */
export const vehicleFields = (db: Pick<SqlDatabase, "units">): Readonly<Record<string, RawBuilder<unknown>>> =>
  Object.fromEntries(FIELDS.map((name) => [name, name === "price" ? db.units(sql.ref("price_cents")) : sql.ref(name)]));
