import type { Status, Vehicle } from "../../core/vehicles/vehicle.ts";
import type { Tables } from "./tables.ts";

/** Columns of a vehicle that are answered as they are stored. */
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

/** Every column that a vehicle is read from. */
export const VEHICLE_COLUMNS = ["id", "price_cents", ...PLAIN_COLUMNS] as const;

/** A row of `VEHICLE_COLUMNS`. */
export type VehicleRow = Omit<Vehicle, "price"> & { readonly price_cents: number; readonly status: Status };

/** The vehicle of a row, its fields in the order of the specification. */
export const vehicleOf = (row: VehicleRow): Vehicle => ({
  id: row.id,
  dealer_id: row.dealer_id,
  make: row.make,
  model: row.model,
  year: row.year,
  price: row.price_cents / 100,
  title: row.title,
  trim: row.trim,
  mileage: row.mileage,
  exterior_color: row.exterior_color,
  interior_color: row.interior_color,
  vin: row.vin,
  stock_number: row.stock_number,
  description: row.description,
  features: row.features,
  status: row.status,
  featured: row.featured,
  fuel_type: row.fuel_type,
  transmission: row.transmission,
  engine: row.engine,
  drivetrain: row.drivetrain,
  body_style: row.body_style,
  condition: row.condition,
  seats: row.seats,
  created_at: row.created_at,
  updated_at: row.updated_at,
});
