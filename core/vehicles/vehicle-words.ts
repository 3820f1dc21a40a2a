import { withoutEntities } from "../markup/entities.ts";
import { endWord, searchedEnd } from "../search/endings.ts";
import { otherNamesOf } from "../search/makes.ts";
import { joinsOf } from "../search/neighbours.ts";
import { partsIn, type SearchedWord, wordsIn } from "../search/words.ts";
import type { Vehicle } from "./vehicle.ts";

/** The fields whose words are searched. */
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

/** The fields that the words of a vehicle come from. */
export type SearchedVehicle = Pick<Vehicle, (typeof SEARCHED_FIELDS)[number]>;

/** The lengths of the endings of a VIN that people search for. */
const VIN_ENDS = [6, 8] as const;
/** Longer words are cut, as PostgreSQL cannot index a word of more than 2046 bytes. No query is longer. */
const MAX_WORD_LENGTH = 200;
/** The maximum length of all words of a vehicle together. PostgreSQL takes 1 MiB. Ordinary texts are much shorter. */
const MAX_WORDS_LENGTH = 200_000;

/** The fields whose neighbouring words are also found as one. */
const NAME_FIELDS: ReadonlySet<string> = new Set(["make", "model", "trim"]);

const truncated = (word: string): string =>
  word.length <= MAX_WORD_LENGTH ? word : [...word].slice(0, MAX_WORD_LENGTH).join("");

/** The ends of a VIN by which a vehicle is found. */
export const vinEnds = (vin: string | null): readonly string[] =>
  vin === null ? [] : VIN_ENDS.map((length) => vin.slice(-length));

/** The stored word of the end of a stock number. */
export const stockNumberEnd = (stockNumber: string | null): string =>
  endWord(
    wordsIn(withoutEntities(stockNumber ?? ""))
      .map(({ parts, joined }) => joined ?? parts[0])
      .join(""),
  );

/** A field as a text, and the joined forms of its words by which it is also found. Words are never joined across lines. */
export const fieldTexts = (vehicle: SearchedVehicle, field: (typeof SEARCHED_FIELDS)[number]): readonly string[] => {
  const text = vehicle[field];
  if (text === null) return [];
  if (typeof text !== "string") return [`${text}`];
  // People leave out blanks: `rx350`, `landrover`.
  const joins = NAME_FIELDS.has(field) ? joinsOf(text, "all") : field === "title" ? joinsOf(text, "borders") : [];
  return [withoutEntities(text), ...joins];
};

/** The words that begin like one of the texts' words, each cut to the length that is stored. */
export const storedWordsIn = (texts: readonly string[]): ReadonlySet<string> => partsIn(texts.join("\n"), truncated);

const textsOf = (vehicle: SearchedVehicle): readonly string[] => [
  // They come before the long texts, whose words may be left out.
  ...vinEnds(vehicle.vin),
  ...SEARCHED_FIELDS.flatMap((field) => fieldTexts(vehicle, field)),
];

/**
 * The words of a vehicle as they are stored. Each is there once, with a space before it: to find the words that begin
 * with a text, search for a space and the text. The result is never empty. Words beyond 200 000 characters are left
 * out; ordinary texts are much shorter.
 */
export const vehicleWords = (vehicle: SearchedVehicle): string => {
  const words = [stockNumberEnd(vehicle.stock_number), ...storedWordsIn(textsOf(vehicle))];
  const all = ` ${words.join(" ")}`;
  if (all.length <= MAX_WORDS_LENGTH) return all;
  let stored = "";
  for (const word of words) {
    if (stored.length + word.length >= MAX_WORDS_LENGTH) break;
    stored += ` ${word}`;
  }
  return stored;
};

/** Words that a vehicle may have instead of a searched word. */
interface OtherWords {
  readonly words: readonly string[];
  /** True if the vehicle must have the words as they stand. Otherwise they begin words of it. */
  readonly areWhole: boolean;
}

/** A word of a search for vehicles. */
export interface SearchedVehicleWord extends SearchedWord {
  readonly others: readonly OtherWords[];
}

/**
 * What may stand for a word: itself and the word before it as one, the other names of the make that it names, and a stock
 * number that ends with it.
 */
const othersOf = (
  { parts, joined }: SearchedWord,
  { before, isAlone }: { readonly before: SearchedWord | undefined; readonly isAlone: boolean },
): readonly OtherWords[] => {
  const whole = joined ?? parts[0] ?? "";
  const end = searchedEnd(whole, { isAlone });
  return [
    ...(joined === null && before?.joined === null
      ? joinsOf(`${before.parts[0]} ${parts[0]}`, "borders").map((word) => ({ words: [word], areWhole: false }))
      : []),
    ...otherNamesOf(whole).map((words) => ({ words, areWhole: true })),
    ...(end === null ? [] : [{ words: [end], areWhole: false }]),
  ];
};

/** The words of a query in their order. */
export const queriedWords = (q: string): readonly SearchedVehicleWord[] => {
  const words = wordsIn(q);
  return words.map(({ parts, joined }, place) => ({
    parts: [...new Set(parts.map(truncated))],
    joined: joined === null ? null : truncated(joined),
    others: othersOf({ parts, joined }, { before: words[place - 1], isAlone: words.length === 1 }),
  }));
};

/**
 * The words of a query, the longest first, as few vehicles have a long word. A vehicle matches a word if each of its
 * parts begins a word of the vehicle, if the joined form does, or if it has other words for it. It must match all words.
 */
export const searchedVehicleWords = (q: string): readonly SearchedVehicleWord[] =>
  queriedWords(q).toSorted((one, other) => lengthOf(other) - lengthOf(one));

const lengthOf = ({ parts }: SearchedWord): number => Math.max(...parts.map((part) => part.length));
