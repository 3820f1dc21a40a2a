import { plainText } from "../markup/plain-text.ts";

const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu;
const CONTROLS_WITHIN_TEXT = /[^\P{Cc}\n]+/gu;
const LINE_ENDS = /\r\n?|[\u2028\u2029]/g;

/** The first `most` characters of a text. A character outside the basic plane is never cut in two. */
export const truncated = (text: string, most: number): string =>
  text.length <= most ? text : [...text.slice(0, 2 * most)].slice(0, most).join("");

/** The text in one line, without control characters. */
export const singleLine = (text: string): string => text.replace(CONTROLS, " ").trim();

/** The text in one line, without tags and entities of HTML. */
export const plainLine = (text: string): string => singleLine(plainText(text));

/** The text with line feeds between its lines, and no other control characters. */
export const multipleLines = (text: string): string =>
  text.replace(LINE_ENDS, "\n").replace(CONTROLS_WITHIN_TEXT, " ").trim();

/** The text; `null` if it is empty. */
export const nullIfEmpty = (text: string): string | null => (text === "" ? null : text);

const SMALL = /\p{Ll}/u;
const CAPITALS = /\p{Lu}.*\p{Lu}/su;

/** True if a text has two or more capitals and no small letters. */
export const isInCapitals = (text: string): boolean => CAPITALS.test(text) && !SMALL.test(text);

const LETTER = /\p{L}/u;
const NUMBER = /\p{N}/u;
const BLANK = /\s/;
const SENTENCE_ENDS = ".!?…";

/**
 * A text in capitals in small letters, but for the first letter of each sentence and line. Each character is looked at
 * once: a pattern for the starts of sentences would look again and again at a text of blanks.
 */
export const inSentenceCase = (text: string): string => {
  let result = "";
  let isStart = true;
  let wasEnd = false;
  for (const character of text.toLowerCase()) {
    const isLetter = LETTER.test(character);
    result += isStart && isLetter ? character.toUpperCase() : character;
    if (character === "\n" || (wasEnd && BLANK.test(character))) isStart = true;
    else if (isLetter || NUMBER.test(character)) isStart = false;
    wasEnd = SENTENCE_ENDS.includes(character);
  }
  return result;
};
