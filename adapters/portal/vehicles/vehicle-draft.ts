import type { Status, Vehicle } from "../../../core/vehicles/vehicle.ts";
import { numberOrText, textOrNull } from "../forms/draft.ts";

/** Fields that hold text, with their labels, in the order of the form. */
export const TEXTS = [
  ["title", "Title"],
  ["trim", "Trim"],
  ["vin", "VIN"],
  ["stock_number", "Stock number"],
  ["exterior_color", "Exterior color"],
  ["interior_color", "Interior color"],
  ["fuel_type", "Fuel type"],
  ["transmission", "Transmission"],
  ["engine", "Engine"],
  ["drivetrain", "Drivetrain"],
  ["body_style", "Body style"],
  ["condition", "Condition"],
] as const;
type TextField = (typeof TEXTS)[number][0];

/** A vehicle as it is typed. */
export interface VehicleDraft extends Readonly<Record<TextField, string>> {
  readonly make: string;
  readonly model: string;
  readonly year: string;
  readonly price: string;
  readonly mileage: string;
  readonly seats: string;
  readonly description: string;
  readonly features: string;
  readonly status: Status;
  readonly featured: boolean;
}

const textOf = (value: string | number | null | undefined): string => (value == null ? "" : String(value));

/** A vehicle to be edited, or one not yet begun. */
export const draftOfVehicle = (vehicle?: Vehicle): VehicleDraft => ({
  make: textOf(vehicle?.make),
  model: textOf(vehicle?.model),
  year: textOf(vehicle?.year),
  price: textOf(vehicle?.price),
  mileage: textOf(vehicle?.mileage),
  seats: textOf(vehicle?.seats),
  description: textOf(vehicle?.description),
  features: textOf(vehicle?.features),
  status: vehicle?.status ?? "available",
  featured: vehicle?.featured === 1,
  title: textOf(vehicle?.title),
  trim: textOf(vehicle?.trim),
  vin: textOf(vehicle?.vin),
  stock_number: textOf(vehicle?.stock_number),
  exterior_color: textOf(vehicle?.exterior_color),
  interior_color: textOf(vehicle?.interior_color),
  fuel_type: textOf(vehicle?.fuel_type),
  transmission: textOf(vehicle?.transmission),
  engine: textOf(vehicle?.engine),
  drivetrain: textOf(vehicle?.drivetrain),
  body_style: textOf(vehicle?.body_style),
  condition: textOf(vehicle?.condition),
});

/** The draft as the service takes it. */
export const bodyOfVehicle = (draft: VehicleDraft): Readonly<Record<string, unknown>> => ({
  make: draft.make,
  model: draft.model,
  year: numberOrText(draft.year),
  price: numberOrText(draft.price),
  mileage: numberOrText(draft.mileage),
  seats: numberOrText(draft.seats),
  description: textOrNull(draft.description),
  features: textOrNull(draft.features),
  status: draft.status,
  featured: draft.featured,
  ...Object.fromEntries(TEXTS.map(([field]) => [field, textOrNull(draft[field])])),
});
