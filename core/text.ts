const ASCII = /^\p{ASCII}*$/u;
const BLANK = /^\p{White_Space}*$/u;

/** True for text that both databases store unchanged: no NUL character, no lone surrogate. */
export const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

/** True if the text has nothing but Unicode white space. */
export const isBlank = (text: string): boolean => BLANK.test(text);

/**
 * Text in a form for comparison without regard to case, the same on every database. Upper case unites letters that have
 * no lower case in common (`ß` and `ss`, both sigmas). Lower case comes first because of `ẞ`.
 */
export const fold = (text: string): string =>
  ASCII.test(text) ? text.toLowerCase() : text.toLowerCase().toUpperCase().toLowerCase();

/** Email addresses in a form for comparison, without regard to case or to composed and decomposed characters. */
export const foldEmail = (email: string): string => fold(email.normalize("NFC")).normalize("NFC");

const UPPER = /[A-Z]/g;

/**
 * Text with its letters from A to Z in lower case, as `lower` of both databases does it with columns sorted by bytes.
 */
export const lowerAscii = (text: string): string =>
  ASCII.test(text) ? text.toLowerCase() : text.replace(UPPER, (letter) => letter.toLowerCase());
