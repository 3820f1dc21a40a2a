const BLANK = /^\p{White_Space}*$/u;

/** True for text that both databases keep exactly as sent: no NUL character, no lone surrogate. */
export const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

/** True when there is nothing but Unicode white space. */
export const isBlank = (text: string): boolean => BLANK.test(text);

/**
 * The form under which text is compared without regard to case, the same on every database.
 * Upper case first: it unites letters that share an upper case only (`ß` and `ss`, both sigmas).
 */
export const fold = (text: string): string => text.toUpperCase().toLowerCase();
