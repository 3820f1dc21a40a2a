import { wordsIn } from "../search/words.ts";
import type { Vehicle } from "./vehicle.ts";
import {
  fieldTexts,
  queriedWords,
  type SEARCHED_FIELDS,
  type SearchedVehicle,
  type SearchedVehicleWord,
  stockNumberEnd,
  storedWordsIn,
  vinEnds,
} from "./vehicle-words.ts";

/** What a word of a search may stand for. Where a word fits several, the first counts. */
export const MEANINGS = [
  "year",
  "make",
  "model",
  "trim",
  "exterior_color",
  "interior_color",
  "body_style",
  "fuel_type",
  "transmission",
  "drivetrain",
  "condition",
  "engine",
  "stock_number",
  "stock_number_ending",
  "vin",
  "vin_ending",
  "title",
  "features",
  "description",
] as const satisfies readonly ((typeof SEARCHED_FIELDS)[number] | "stock_number_ending" | "vin_ending")[];
export type Meaning = (typeof MEANINGS)[number];

/** Meanings whose value is the word itself, as the vehicle's whole text would say nothing. */
const OF_THE_WORD: ReadonlySet<Meaning> = new Set([
  "stock_number_ending",
  "vin_ending",
  "title",
  "features",
  "description",
]);

/** A word of a search, and what it stands for in the vehicles that were found. */
export interface UnderstoodWord {
  /** As it was written. */
  readonly word: string;
  /** `null` if no vehicle at hand has the word. */
  readonly as: Meaning | null;
  /** The value that most of the vehicles have, such as `Toyota`; of an ending the word itself. */
  readonly value: string | null;
}

/** A word of a search as it was written, and the search without it; `null` if nothing is left. */
export interface WrittenWord {
  readonly word: string;
  readonly rest: string | null;
  readonly searched: SearchedVehicleWord;
}

/** Letters, digits and their accents, joined by single joining characters. */
const WRITTEN = /[\p{L}\p{N}\p{M}]+(?:[-./'][\p{L}\p{N}\p{M}]+)*/gu;

/** The words of a search as they were written. None if they cannot be told apart: a single character may be two words. */
export const writtenWords = (q: string): readonly WrittenWord[] => {
  const searched = queriedWords(q);
  const written = [...q.matchAll(WRITTEN)].filter(([word]) => wordsIn(word).length > 0);
  if (written.length !== searched.length) return [];
  return searched.flatMap((one, place) => {
    const match = written[place];
    if (match === undefined) return [];
    const [word] = match;
    const rest = `${q.slice(0, match.index)} ${q.slice(match.index + word.length)}`.replace(/\s+/g, " ").trim();
    return { word, rest: wordsIn(rest).length === 0 ? null : rest, searched: one };
  });
};

/** The words of a vehicle that have a meaning. */
const wordsWith = (vehicle: SearchedVehicle, meaning: Meaning): ReadonlySet<string> => {
  if (meaning === "stock_number_ending") return new Set([stockNumberEnd(vehicle.stock_number)]);
  return storedWordsIn(meaning === "vin_ending" ? vinEnds(vehicle.vin) : fieldTexts(vehicle, meaning));
};

const isAmong = ({ parts, joined, others }: SearchedVehicleWord, own: ReadonlySet<string>): boolean => {
  const begins = (text: string): boolean => [...own].some((word) => word.startsWith(text));
  return (
    parts.every(begins) ||
    (joined !== null && begins(joined)) ||
    others.some(({ words, areWhole }) => words.every((word) => (areWhole ? own.has(word) : begins(word))))
  );
};

interface Found {
  readonly as: Meaning;
  readonly value: string;
}

const meaningIn = (vehicle: SearchedVehicle, { word, searched }: WrittenWord): Found | null => {
  const as = MEANINGS.find((meaning) => isAmong(searched, wordsWith(vehicle, meaning)));
  if (as === undefined) return null;
  return { as, value: OF_THE_WORD.has(as) ? word : `${vehicle[as as keyof SearchedVehicle]}` };
};

/** The most frequent of these; of equally frequent ones the first. */
const mostFrequent = <Item>(items: readonly Item[]): Item | undefined => {
  const counts = new Map<Item, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
};

/** What a word stands for in most of these vehicles. */
export const understoodIn = (vehicles: readonly Vehicle[], written: WrittenWord): UnderstoodWord => {
  const found = vehicles.flatMap((vehicle) => meaningIn(vehicle, written) ?? []);
  const as = mostFrequent(found.map((one) => one.as)) ?? null;
  const values = found.filter((one) => one.as === as).map(({ value }) => value);
  return { word: written.word, as, value: mostFrequent(values) ?? null };
};
