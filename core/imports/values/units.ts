import { foldHeading } from "../headings/fold-heading.ts";
import { isTooLong } from "./reading.ts";

/** The units in which a file may have distances. */
export type DistanceUnit = "mi" | "km";

/** The fields with distances in the installation's unit. */
export const DISTANCES = ["mileage", "electric_range"] as const;
export type Distance = (typeof DISTANCES)[number];

/** True for a field with distances. */
export const isDistance = (field: string): field is Distance => DISTANCES.some((one) => one === field);

const UNITS: ReadonlyMap<string, DistanceUnit> = new Map([
  ...["mi", "mile", "miles", "mls", "smi"].map((word) => [word, "mi"] as const),
  ...["km", "kms", "kilometers", "kilometres", "kilometer", "kilometre", "kmt", "kilometros", "chilometri"].map(
    (word) => [word, "km"] as const,
  ),
]);

/** The unit that a word means; `undefined` for others. */
export const unitNamed = (word: string): DistanceUnit | undefined =>
  word === "" || isTooLong(word) ? undefined : UNITS.get(foldHeading(word));

const KM_A_MILE = 1.609_344;

/** A distance in one unit as a rounded number of the other. */
export const inOtherUnit = (number: number, unit: DistanceUnit): number =>
  Math.round(unit === "km" ? number / KM_A_MILE : number * KM_A_MILE);
