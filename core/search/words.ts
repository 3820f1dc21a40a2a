import { fold } from "../text.ts";

/** Latin letters that Unicode does not decompose, and what people type for them. */
const LETTERS: Readonly<Record<string, string>> = {
  æ: "ae",
  œ: "oe",
  þ: "th",
  ð: "d",
  đ: "d",
  ɖ: "d",
  ø: "o",
  ł: "l",
  ı: "i",
  ħ: "h",
  ŧ: "t",
  ŋ: "n",
  ⱥ: "a",
  ƀ: "b",
  ȼ: "c",
  ɇ: "e",
  ǥ: "g",
  ɨ: "i",
  ɉ: "j",
  ɍ: "r",
  ʉ: "u",
  ɏ: "y",
  ƶ: "z",
  // Lower case of sigma depends on its place in the word.
  ς: "σ",
};
/** The ranges of these letters: looking up each letter of another alphabet would take ten times as long. */
const THEIR_RANGES = /[\u0080-\u02AF\u03C2\u2C60-\u2C7F]/g;
const ANY_BEYOND_ASCII = /\P{ASCII}/u;
const MARKS = /\p{M}+/gu;
/** Letters and digits, joined by single joining signs. */
const RUN = /[\p{L}\p{N}]+(?:[-./'][\p{L}\p{N}]+)*/gu;
/** The same for folded ASCII text, as most texts are; twice as fast. */
const ASCII_RUN = /[a-z0-9]+(?:[-./'][a-z0-9]+)*/g;
const JOINING = /[-./']/;

/**
 * Text without regard to case and accents, the same on every database. Signs stay. Takes time in proportion to the
 * text: marks go first, as many in a row would have to be sorted.
 */
export const foldLetters = (text: string): string =>
  ANY_BEYOND_ASCII.test(text)
    ? fold(text.replace(MARKS, "").normalize("NFKD").replace(MARKS, "")).replace(
        THEIR_RANGES,
        (letter) => LETTERS[letter] ?? letter,
      )
    : text.toLowerCase();

/** Characters that are wildcards in some databases and shells. */
const WILDCARD = /[%_*\\]/;
const BLANK = /\s/;

/** A word such as `F-150`: its parts, and the parts joined together. */
export interface SearchedWord {
  /** At least one. */
  readonly parts: readonly string[];
  /** `null` for a single part. */
  readonly joined: string | null;
}

const runsOf = (folded: string): readonly string[] =>
  folded.match(ANY_BEYOND_ASCII.test(folded) ? RUN : ASCII_RUN) ?? [];

const wordOf = (run: string): SearchedWord => {
  if (!JOINING.test(run)) return { parts: [run], joined: null };
  const parts = run.split(JOINING);
  return { parts, joined: parts.join("") };
};

/** The words of letters and digits, in their order. Only `-`, `.`, `/` and `'` join; every other sign separates. */
export const wordsIn = (text: string): readonly SearchedWord[] => runsOf(foldLetters(text)).map(wordOf);

/** The same, each once. */
export const uniqueWordsIn = (text: string): readonly SearchedWord[] =>
  [...new Set(runsOf(foldLetters(text)))].map(wordOf);

/**
 * The words of a text, in its order. What has `%`, `_`, `*` or `\` between two blanks is a further word as it is
 * written: whoever types these means the signs, not what databases and shells take them for.
 */
export const searchedWords = (text: string): readonly SearchedWord[] => {
  // Folded only once, as that is the slowest step.
  const folded = foldLetters(text);
  const written = folded
    .split(BLANK)
    .filter((piece) => WILDCARD.test(piece))
    .map((piece) => ({ parts: [piece], joined: null }));
  return [...runsOf(folded).map(wordOf), ...written];
};

/** The maximum total length of a record's words. Every search reads the words of all records in scope. */
const MAX_WORDS_LENGTH = 4000;

/**
 * The words of texts by which a record is found, each once: every part, and joined parts as a whole besides. A query
 * finds the record if each of its words has all parts, or its joined form, at the beginning of words of this list.
 * Words that would make the list longer than 4000 characters, a space before each, are left out.
 */
export const wordsOf = (texts: readonly (string | null)[]): readonly string[] => {
  const words = new Set<string>();
  let room = MAX_WORDS_LENGTH;
  const add = (word: string): void => {
    if (words.has(word) || word.length >= room) return;
    room -= word.length + 1;
    words.add(word);
  };
  for (const text of texts)
    for (const { parts, joined } of searchedWords(text ?? "")) {
      for (const part of parts) add(part);
      if (joined !== null) add(joined);
    }
  return [...words];
};
