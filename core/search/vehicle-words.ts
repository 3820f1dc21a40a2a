import type { Vehicle } from "../vehicles/vehicle.ts";
import { type SearchedWord, uniqueWordsIn, wordsIn } from "./words.ts";

/** The fields by whose words a vehicle is found. */
export const SEARCHED_FIELDS = [
  "year",
  "make",
  "model",
  "trim",
  "title",
  "stock_number",
  "vin",
  "body_style",
  "fuel_type",
  "transmission",
  "drivetrain",
  "engine",
  "exterior_color",
  "interior_color",
  "condition",
  "features",
  "description",
] as const satisfies readonly (keyof Vehicle)[];

/** What the words of a vehicle are made of. */
export type SearchedVehicle = Pick<Vehicle, (typeof SEARCHED_FIELDS)[number]>;

/** The last characters of a VIN that people ask by. */
const VIN_ENDS = [6, 8] as const;
/** Longer words count by their beginnings, as PostgreSQL stores none of more than 2046 bytes. No query is longer. */
const MAX_WORD_LENGTH = 200;
/**
 * How long the words of a vehicle are in all. Only letters that stand for many others, such as U+FDFA, can make more of
 * texts as long as they may be. PostgreSQL takes 1 MiB.
 */
const MAX_WORDS_LENGTH = 200_000;

const truncated = (word: string): string =>
  word.length <= MAX_WORD_LENGTH ? word : [...word].slice(0, MAX_WORD_LENGTH).join("");

const textsOf = (vehicle: SearchedVehicle): string => {
  const { vin } = vehicle;
  const texts: (string | number)[] = [];
  for (const field of SEARCHED_FIELDS) {
    const text = vehicle[field];
    if (text !== null) texts.push(text);
  }
  // Before the long texts, of which words may be left out.
  if (vin !== null) texts.unshift(...VIN_ENDS.map((length) => vin.slice(-length)));
  // A line break joins nothing.
  return texts.join("\n");
};

/**
 * The words of a vehicle as they are stored: each once, a space before each, so that a space and a text find the words
 * that begin with it. Never empty. Words beyond 200 000 characters are left out, which no ordinary text reaches.
 */
export const vehicleWords = (vehicle: SearchedVehicle): string => {
  const words = new Set<string>();
  for (const { parts, joined } of uniqueWordsIn(textsOf(vehicle))) {
    for (const part of parts) words.add(truncated(part));
    if (joined !== null) words.add(truncated(joined));
  }
  let stored = "";
  for (const word of words) {
    if (stored.length + word.length >= MAX_WORDS_LENGTH) break;
    stored += ` ${word}`;
  }
  return stored;
};

/**
 * The words of a query, longest first: what is found by a long one is least. A vehicle is found if of each word all
 * parts begin words of it, or the joined form does.
 */
export const searchedVehicleWords = (q: string): readonly SearchedWord[] =>
  wordsIn(q)
    .map(({ parts, joined }) => ({
      parts: [...new Set(parts.map(truncated))],
      joined: joined === null ? null : truncated(joined),
    }))
    .toSorted((one, other) => lengthOf(other) - lengthOf(one));

const lengthOf = ({ parts }: SearchedWord): number => Math.max(...parts.map((part) => part.length));
