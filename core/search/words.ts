import { fold } from "../text.ts";

/** Latin letters that Unicode does not decompose, with what people type for them. */
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
  // The lower case of sigma depends on its place in the word.
  ς: "σ",
};
/** The Unicode ranges of these letters. Looking up every letter of other alphabets would take ten times as long. */
const THEIR_RANGES = /[\u0080-\u02AF\u03C2\u2C60-\u2C7F]/g;
const ANY_BEYOND_ASCII = /\P{ASCII}/u;
const MARKS = /\p{M}+/gu;
/** Letters and digits, joined by single joining characters. */
const RUN = /[\p{L}\p{N}]+(?:[-./'][\p{L}\p{N}]+)*/gu;
/** The same for folded text that is all ASCII, as most texts are. It is twice as fast. */
const ASCII_RUN = /[a-z0-9]+(?:[-./'][a-z0-9]+)*/g;
const JOINING = /[-./']/;

/** Longer texts are folded in pieces of this many code units. */
const PIECE = 1024;
/** Up to this length, the folded form of a text is always complete: all names, values and queries are shorter. */
const COMPLETE = 4096;
/**
 * The maximum length of the folded form of a longer text, as a multiple of the text's length. Syllables of Hangul become
 * three letters. Only a few characters become more, such as U+FDFA with 18.
 */
const MAX_GROWTH = 3;
const FIRST_HALF = /[\uD800-\uDBFF]$/;

const foldUnicode = (text: string): string =>
  fold(text.replace(MARKS, "").normalize("NFKD").replace(MARKS, "")).replace(
    THEIR_RANGES,
    (letter) => LETTERS[letter] ?? letter,
  );

/** The folded form of each Latin letter. None of them depends on the letters around it. */
const LATIN: readonly string[] = Array.from({ length: 0x250 }, (_, code) => foldUnicode(String.fromCharCode(code)));
const ANY_BEYOND_LATIN = /[\u0250-\uFFFF]/;

/** The same as `foldUnicode`, in a tenth of the time. */
const foldLatin = (text: string): string => {
  let folded = "";
  for (let place = 0; place < text.length; place++) folded += LATIN[text.charCodeAt(place)];
  return folded;
};

const foldPiece = (text: string): string => {
  if (!ANY_BEYOND_ASCII.test(text)) return text.toLowerCase();
  return ANY_BEYOND_LATIN.test(text) ? foldUnicode(text) : foldLatin(text);
};

/** The next piece of a text from a place on. It never ends within a character. */
const pieceAt = (text: string, place: number): string => {
  const piece = text.slice(place, place + PIECE);
  return FIRST_HALF.test(piece) ? text.slice(place, place + PIECE + 1) : piece;
};

/**
 * Folds a text so that case and accents do not matter. The result does not depend on the database. Other characters
 * stay as they are. The time is proportional to the length: accents are removed before normalisation, which would sort
 * a long row of them, and the rest of a long text is left out if its characters become too many others.
 */
export const foldLetters = (text: string): string => {
  if (text.length <= PIECE || !ANY_BEYOND_ASCII.test(text)) return foldPiece(text);
  const most = Math.max(COMPLETE, MAX_GROWTH * text.length);
  let folded = "";
  for (let place = 0; place < text.length && folded.length < most; ) {
    const piece = pieceAt(text, place);
    folded += foldPiece(piece);
    place += piece.length;
  }
  return folded;
};

/** Characters that are wildcards in some databases and shells. */
const WILDCARD = /[%_*\\]/;
const BLANK = /\s/;

/** A word such as `F-150`, as its parts and as the parts joined together. */
export interface SearchedWord {
  /** There is at least one part. */
  readonly parts: readonly string[];
  /** `null` if there is only one part. */
  readonly joined: string | null;
}

const runsOf = (folded: string): readonly string[] =>
  folded.match(ANY_BEYOND_ASCII.test(folded) ? RUN : ASCII_RUN) ?? [];

const wordOf = (run: string): SearchedWord => {
  if (!JOINING.test(run)) return { parts: [run], joined: null };
  const parts = run.split(JOINING);
  return { parts, joined: parts.join("") };
};

/**
 * The words of letters and digits in their order. Only `-`, `.`, `/` and `'` join parts into a word; all other
 * characters separate words.
 */
export const wordsIn = (text: string): readonly SearchedWord[] => runsOf(foldLetters(text)).map(wordOf);

/** Every part and every joined form of the same words, each once. `cut` shortens those that are too long. */
export const partsIn = (text: string, cut: (word: string) => string): ReadonlySet<string> => {
  const found = new Set<string>();
  for (const run of runsOf(foldLetters(text))) {
    if (!JOINING.test(run)) {
      found.add(cut(run));
      continue;
    }
    const parts = run.split(JOINING);
    for (const part of parts) found.add(cut(part));
    found.add(cut(parts.join("")));
  }
  return found;
};

/**
 * The words of a search. A piece of text between blanks that contains `%`, `_`, `*` or `\` is a further word as it
 * stands: whoever types these means the characters themselves, not wildcards.
 */
export const searchedWords = (text: string): readonly SearchedWord[] => {
  // Folding is the slowest step, so it is done only once.
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
 * The words by which a record is found, each only once: every part, and also the joined form of words with several
 * parts. A query finds the record if, for each of its words, all parts or the joined form begin words of this list.
 * Words that would make the list longer than 4000 characters, counting a space before each, are left out.
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
