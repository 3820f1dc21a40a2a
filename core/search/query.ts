import Type from "typebox";
import { isStorable } from "../text.ts";
import { type SearchedWord, searchedWords, wordsIn } from "./words.ts";

const MAX_WORDS = 8;
/**
 * The maximum number of parts of all words. It limits the cost of words with joining characters: `a-b` has two parts.
 */
const MAX_PARTS = 16;

/** The maximum number of characters in a search for vehicles. */
const MAX_VEHICLE_QUERY = 200;

const partsOf = (words: readonly SearchedWord[]): number => words.reduce((sum, word) => sum + word.parts.length, 0);

const isSearch = (q: string): boolean => {
  const words = searchedWords(q);
  return words.length > 0 && wordsIn(q).length <= MAX_WORDS && partsOf(words) <= MAX_PARTS;
};

/**
 * A parameter `q` of up to `max` characters, with 1 to 8 words. `subject` says in the documentation whose words they
 * begin.
 */
export const searchQuery = (max: number, subject: string, more = "") =>
  Type.Refine(
    Type.String({
      minLength: 1,
      maxLength: max,
      fault: `must be text of 1 to ${max} characters with 1 to ${MAX_WORDS} words`,
      description:
        `Every word must begin a word of ${subject}, without regard to case and accents. Up to ${MAX_WORDS} words. ${more}`.trimEnd(),
    }),
    // The length is checked first, as finding the words of a long text is slow. JavaScript counts a character as one or
    // two.
    (q) => q.length <= 2 * max && isStorable(q) && isSearch(q),
  );

/**
 * The parameter `q` of vehicles. Only letters and digits are searched, so a query without any of them is refused as a
 * mistake.
 */
export const vehicleSearch = Type.Refine(
  Type.String({
    minLength: 1,
    maxLength: MAX_VEHICLE_QUERY,
    fault: `must be text of 1 to ${MAX_VEHICLE_QUERY} characters with 1 to ${MAX_WORDS} words of letters or digits`,
    description:
      "Only vehicles with all these words, of which there may be up to 8. Every word must begin a word of the year, make, model, trim, title, stock number, VIN, body style, fuel, transmission, drivetrain, engine, colours, condition, features or description, without regard to case and accents. `f-150` finds `F-150`, `F150` and `F 150`. In makes, models and trims neighbouring words count as one, too: `rx350` and `rx 350` find `RX 350` and `RX350`, `landrover` finds `Land Rover`. Other names of a make find it: `vw` finds `Volkswagen`, and the reverse. The last 6 and the last 8 characters of a VIN are also words. A word of three or more characters with a digit, and two digits beside another word, are also found at the end of stock numbers: `red toyota 42`.",
  }),
  (q) => {
    if (q.length > 2 * MAX_VEHICLE_QUERY || !isStorable(q)) return false;
    const words = wordsIn(q);
    return words.length > 0 && words.length <= MAX_WORDS && partsOf(words) <= MAX_PARTS;
  },
);
