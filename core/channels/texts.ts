const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu;
const CONTROLS_WITHIN_TEXT = /[^\P{Cc}\n]+/gu;
const LINE_ENDS = /\r\n?|[\u2028\u2029]/g;

/** The first `most` characters of a text. A character outside the basic plane is never cut in two. */
export const truncated = (text: string, most: number): string =>
  text.length <= most ? text : [...text.slice(0, 2 * most)].slice(0, most).join("");

/** The text in one line, without control characters. */
export const singleLine = (text: string): string => text.replace(CONTROLS, " ").trim();

/** The text with line feeds between its lines, and no other control characters. */
export const multipleLines = (text: string): string =>
  text.replace(LINE_ENDS, "\n").replace(CONTROLS_WITHIN_TEXT, " ").trim();

/** The text; `null` if it is empty. */
export const nullIfEmpty = (text: string): string | null => (text === "" ? null : text);

const SMALL = /\p{Ll}/u;
const CAPITALS = /\p{Lu}.*\p{Lu}/su;

/** True if a text has two or more capitals and no small letters. */
export const isInCapitals = (text: string): boolean => CAPITALS.test(text) && !SMALL.test(text);

/** The first letter of a text, of a line, and of a sentence within a line. */
const SENTENCE_STARTS = /(?:^|[.!?…]\s+)[^\p{L}\p{N}\n]*\p{L}/gmu;

/** A text in capitals in small letters, but for the first letter of each sentence and line. */
export const inSentenceCase = (text: string): string =>
  text.toLowerCase().replace(SENTENCE_STARTS, (start) => start.toUpperCase());
