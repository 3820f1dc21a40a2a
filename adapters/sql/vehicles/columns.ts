import { type RawBuilder, sql } from "kysely";
import { foldName } from "../../../core/search/names.ts";
import { fieldsOf, VEHICLE_FIELDS, type VehicleField } from "../../../core/vehicles/fields.ts";
import { centsOf, type Vehicle } from "../../../core/vehicles/vehicle.ts";
import type { VehicleUpdate } from "../../../core/vehicles/vehicle-repository.ts";
import type { SqlDatabase } from "../query/database.ts";
import type { SqlValue } from "../query/statement.ts";

const FIELDS = Object.keys(VEHICLE_FIELDS) as VehicleField[];

/** The fields with prices, and the columns that store them in cents. */
const CENTS = { price: "price_cents", previous_price: "previous_price_cents" } as const;

/** The columns of a vehicle that are answered as they are stored, without its id. */
export const PLAIN_COLUMNS = FIELDS.filter((name) => name !== "id" && name !== "price" && name !== "previous_price");

/**
 * The time when a vehicle was listed. If it is not stored, because an earlier version wrote the vehicle, it is the time
 * of creation.
 */
export const LISTED_AT = sql<string>`COALESCE(vehicles.listed_at, vehicles.created_at)`;

/** The columns of a new vehicle. */
export const INSERTED = [
  ...PLAIN_COLUMNS,
  "price_cents",
  "make_folded",
  "model_folded",
  "previous_price_cents",
  "changed_at",
  "changed_by",
  "returned_at",
] as const;

/** The fields that are stored with their fraction. */
const DECIMALS: ReadonlySet<string> = new Set(fieldsOf("decimal", "money"));

/** The fields of a vehicle in the order of its document, each with its column or expression. */
export const vehicleFields = (
  db: Pick<SqlDatabase, "centsToUnits" | "decimal">,
): Readonly<Record<string, RawBuilder<unknown>>> =>
  Object.fromEntries(
    FIELDS.map((name) => {
      if (DECIMALS.has(name)) return [name, db.decimal(sql.ref(name))];
      if (name === "price" || name === "previous_price") return [name, db.centsToUnits(sql.ref(CENTS[name]))];
      return [name, name === "listed_at" ? LISTED_AT : sql.ref(name)];
    }),
  );

/** The columns that are computed from a vehicle's fields. */
export const derivedOf = ({ price, make, model }: Pick<Vehicle, "price" | "make" | "model">) => ({
  price_cents: centsOf(price),
  make_folded: foldName(make),
  model_folded: foldName(model),
});

/** The columns that fields of a vehicle are stored in. */
export const vehicleColumnsOf = (fields: Omit<VehicleUpdate, "sold_price" | "undo_sale">): Record<string, SqlValue> => {
  const { price, ...plain } = fields;
  return {
    ...plain,
    ...(price !== undefined && { price_cents: centsOf(price) }),
    ...(plain.make !== undefined && { make_folded: foldName(plain.make) }),
    ...(plain.model !== undefined && { model_folded: foldName(plain.model) }),
  };
};
