const ASCII = /^\p{ASCII}*$/u;
const BLANK = /^\p{White_Space}*$/u;

/** True for text that both databases store unchanged: no NUL character, no lone surrogate. */
export const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

const HALF_A_CHARACTER = /[\uD800-\uDBFF]$/;

/** A text of at most this many code units; a longer one is cut off, never within a character, and ends with `…`. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).replace(HALF_A_CHARACTER, "")}…`;

/** True if the text contains nothing but Unicode white space. */
export const isBlank = (text: string): boolean => BLANK.test(text);

/**
 * Converts text to a form for comparison without regard to case. The result is the same on every database. Upper case
 * unites letters that have different lower cases (`ß` and `ss`, the two forms of sigma). Lower case is applied first
 * because of `ẞ`.
 */
export const fold = (text: string): string =>
  ASCII.test(text) ? text.toLowerCase() : text.toLowerCase().toUpperCase().toLowerCase();

/**
 * Converts an email address to a form for comparison, without regard to case, and to whether characters are composed or
 * decomposed.
 */
export const foldEmail = (email: string): string => fold(email.normalize("NFC")).normalize("NFC");

const UPPER = /[A-Z]/g;

/**
 * Converts only the letters from A to Z to lower case, like `lower` in both databases for columns that are sorted by
 * bytes.
 */
export const lowerAscii = (text: string): string =>
  ASCII.test(text) ? text.toLowerCase() : text.replace(UPPER, (letter) => letter.toLowerCase());
