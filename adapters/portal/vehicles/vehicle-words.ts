import type { Status, Vehicle } from "../../../core/vehicles/vehicle.ts";

/** States of a vehicle, in words. */
export const STATUS_CHOICES: readonly (readonly [Status, string])[] = [
  ["available", "Available"],
  ["pending", "Pending"],
  ["sold", "Sold"],
];

const price = new Intl.NumberFormat(undefined, { minimumFractionDigits: 0, maximumFractionDigits: 2 });
const figures = new Intl.NumberFormat();

/** An amount in the dealer's currency, which the service does not know. */
export const priceInWords = (amount: number): string => price.format(amount);

/** A mileage; nothing when it is not known. */
export const mileageInWords = (mileage: number | null): string =>
  mileage === null ? "Unknown" : figures.format(mileage);

/** What a vehicle is called. */
export const titleOf = ({ title, year, make, model }: Pick<Vehicle, "title" | "year" | "make" | "model">): string =>
  title === null || title === "" ? `${year} ${make} ${model}` : title;
