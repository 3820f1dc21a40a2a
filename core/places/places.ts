/// <reference path="../texts.d.ts" />
import { placesOf } from "./zip-row.ts";
import table from "./zip-table.txt" with { type: "text" };

/** A place on the earth, in degrees. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** The units of distances. */
export const DISTANCE_UNITS = ["mi", "km"] as const;
export type DistanceUnit = (typeof DISTANCE_UNITS)[number];

const KILOMETRES: Readonly<Record<DistanceUnit, number>> = { mi: 1.609344, km: 1 };

/** A distance in kilometres. */
export const kilometres = (distance: number, unit: DistanceUnit): number => distance * KILOMETRES[unit];

/** The mean radius of the earth, in kilometres. */
const EARTH_KM = 6371.0088;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const squared = (value: number): number => value * value;

/** The distance of two places along the earth in kilometres, by the haversine formula. */
export const kilometresBetween = (one: Place, other: Place): number => {
  const chord =
    squared(Math.sin(radians(other.latitude - one.latitude) / 2)) +
    Math.cos(radians(one.latitude)) *
      Math.cos(radians(other.latitude)) *
      squared(Math.sin(radians(other.longitude - one.longitude) / 2));
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(chord)));
};

/** The first three digits of ZIP codes, and the codes that begin with them as text of `zip-row.ts`. */
const ROWS: ReadonlyMap<string, string> = new Map(
  table.split("\n").map((line) => [line.slice(0, 3), line.slice(3)] as const),
);
/** The places of the ZIP codes of a start, by their last two digits: read at first use, as reading all takes long. */
const read = new Map<string, ReadonlyMap<number, Place>>();

const placesWith = (start: string): ReadonlyMap<number, Place> => {
  let places = read.get(start);
  if (places === undefined) {
    const row = placesOf(ROWS.get(start) ?? "");
    places = new Map(row.map(({ zip, latitude, longitude }) => [zip, { latitude, longitude }]));
    read.set(start, places);
  }
  return places;
};

const ZIP = /^\s*(\d{5})(?:-?\d{4})?\s*$/;

/**
 * About where a ZIP code of the United States is, or one with four more digits; `null` for other postal codes, and for
 * those that cover no area, such as of post office boxes.
 */
export const placeOfZip = (zip: string): Place | null => {
  const digits = ZIP.exec(zip)?.[1];
  return digits === undefined ? null : (placesWith(digits.slice(0, 3)).get(Number(digits.slice(3))) ?? null);
};

/** True for coordinates of a place on the earth. */
const isPlace = ({ latitude, longitude }: Place): boolean => Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;

const COORDINATES = /^\s*([+-]?\d{1,3}(?:\.\d{1,20})?)\s*,\s*([+-]?\d{1,3}(?:\.\d{1,20})?)\s*$/;

/** The place that a text names: a known ZIP code, or `latitude,longitude`; `null` if it names none. */
export const placeNamed = (text: string): Place | null => {
  const numbers = COORDINATES.exec(text);
  if (numbers === null) return placeOfZip(text);
  const place = { latitude: Number(numbers[1]), longitude: Number(numbers[2]) };
  return isPlace(place) ? place : null;
};
