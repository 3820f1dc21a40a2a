import { STAGES, type Stage, type Status } from "../../../core/vehicles/fields.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { labelFromName } from "../forms/draft.ts";

/** The statuses of a vehicle, with their labels. */
export const STATUS_CHOICES: readonly (readonly [Status, string])[] = [
  ["available", "Available"],
  ["pending", "Pending"],
  ["sold", "Sold"],
];

/** The label of a status. */
export const statusInWords = (status: Status): string => STATUS_CHOICES.find(([one]) => one === status)?.[1] ?? status;

/** The title of a vehicle. */
export const titleOf = ({ title, year, make, model }: Pick<Vehicle, "title" | "year" | "make" | "model">): string =>
  title === null || title === "" ? `${year} ${make} ${model}` : title;

/** The title of a vehicle with its stock number, because several vehicles may have the same title. */
export const titleWithStockNumber = (
  vehicle: Pick<Vehicle, "title" | "year" | "make" | "model" | "stock_number">,
): string => (vehicle.stock_number === null ? titleOf(vehicle) : `${titleOf(vehicle)}, ${vehicle.stock_number}`);

/** What distinguishes vehicles with the same title: stock number, the end of the VIN, color. */
export const identifiersOf = ({
  stock_number,
  vin,
  exterior_color,
  featured,
}: Pick<Vehicle, "stock_number" | "vin" | "exterior_color" | "featured">): string =>
  [stock_number ?? "No stock number", vin !== null && `…${vin.slice(-6)}`, exterior_color, featured === 1 && "featured"]
    .filter((mark) => mark !== null && mark !== false)
    .join(" · ");

/** The label of a stage. */
export const stageInWords = (stage: Stage): string => labelFromName(stage);

/** The stages of a status with their labels; "" for none. */
export const stageChoices = (status: Status): readonly (readonly [Stage | "", string])[] => [
  ["", "None"],
  ...STAGES[status].map((stage) => [stage, stageInWords(stage)] as const),
];

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** True if the text has a letter or digit; the service is not asked for punctuation alone. */
export const isSearchable = (text: string): boolean => LETTER_OR_DIGIT.test(text);

const wordsOf = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "");

/** The typed text, with the suggestion in place of its last word and of words that the suggestion repeats. */
export const withSuggestion = (typed: string, suggestion: string): string => {
  const repeated = new Set(wordsOf(suggestion.toLowerCase()));
  const kept = wordsOf(typed)
    .slice(0, -1)
    .filter((word) => !repeated.has(word.toLowerCase()));
  return [...kept, suggestion].join(" ");
};

/** The id of a vehicle, as the key of a row. */
export const idOf = ({ id }: Pick<Vehicle, "id">): number => id;
