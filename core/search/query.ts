import Type from "typebox";
import { isStorable } from "../text.ts";
import { searchedWords, wordsIn } from "./words.ts";

const MOST_WORDS = 8;
/** Bounds what words with joining signs cost: `a-b` has two parts. */
const MOST_PARTS = 16;

const isSearch = (q: string): boolean => {
  const words = searchedWords(q);
  const parts = words.reduce((sum, word) => sum + word.parts.length, 0);
  return words.length > 0 && wordsIn(q).length <= MOST_WORDS && parts <= MOST_PARTS;
};

/** A parameter `q` of up to `max` characters, with 1 to 8 words. `subject` says whose words they begin. */
export const searchQuery = (max: number, subject: string, more = "") =>
  Type.Refine(
    Type.String({
      minLength: 1,
      maxLength: max,
      fault: `must be text of 1 to ${max} characters with 1 to ${MOST_WORDS} words`,
      description:
        `Every word must begin a word of ${subject}, without regard to case and accents. Up to ${MOST_WORDS} words. ${more}`.trimEnd(),
    }),
    // A character takes one or two units in JavaScript: the length is looked at before the words.
    (q) => q.length <= 2 * max && isStorable(q) && isSearch(q),
  );
