import { STAGES, type Stage, type Status } from "../../../core/vehicles/fields.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { labelFromName } from "../forms/draft.ts";

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
export const titleWithStockNumber = (
  vehicle: Pick<Vehicle, "title" | "year" | "make" | "model" | "stock_number">,
): string => (vehicle.stock_number === null ? titleOf(vehicle) : `${titleOf(vehicle)}, ${vehicle.stock_number}`);

/** What tells a vehicle from others of its name: stock number, the end of its VIN, color. */
export const identifiersOf = ({
  stock_number,
  vin,
  exterior_color,
  featured,
}: Pick<Vehicle, "stock_number" | "vin" | "exterior_color" | "featured">): string =>
  [stock_number ?? "No stock number", vin !== null && `…${vin.slice(-6)}`, exterior_color, featured === 1 && "featured"]
    .filter((mark) => mark !== null && mark !== false)
    .join(" · ");

/** A stage, in words. */
export const stageInWords = (stage: Stage): string => labelFromName(stage);

/** The stages of a status, in words; none is the empty word. */
export const stageChoices = (status: Status): readonly (readonly [Stage | "", string])[] => [
  ["", "None"],
  ...STAGES[status].map((stage) => [stage, stageInWords(stage)] as const),
];

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** True for text that has something to search for; signs alone are not asked. */
export const isSearchable = (text: string): boolean => LETTER_OR_DIGIT.test(text);

const wordsOf = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "");

/** The typed text with its last word, and those that the suggestion repeats, replaced by the suggestion. */
export const withSuggestion = (typed: string, suggestion: string): string => {
  const repeated = new Set(wordsOf(suggestion.toLowerCase()));
  const kept = wordsOf(typed)
    .slice(0, -1)
    .filter((word) => !repeated.has(word.toLowerCase()));
  return [...kept, suggestion].join(" ");
};

/** What tells a vehicle from all others, for lists. */
export const idOf = ({ id }: Pick<Vehicle, "id">): number => id;
