import type { Status, Vehicle } from "../../../core/vehicles/vehicle.ts";

/** States of a vehicle, in words. */
export const STATUS_CHOICES: readonly (readonly [Status, string])[] = [
  ["available", "Available"],
  ["pending", "Pending"],
  ["sold", "Sold"],
];

/** What a vehicle is called. */
export const titleOf = ({ title, year, make, model }: Pick<Vehicle, "title" | "year" | "make" | "model">): string =>
  title === null || title === "" ? `${year} ${make} ${model}` : title;

/** The name of a vehicle among others, of which several may be called the same. */
export const namedApart = (vehicle: Pick<Vehicle, "title" | "year" | "make" | "model" | "stock_number">): string =>
  vehicle.stock_number === null ? titleOf(vehicle) : `${titleOf(vehicle)}, ${vehicle.stock_number}`;
