const BLANK = /^\p{White_Space}*$/u;

/** True for text that both databases keep exactly as sent: no NUL character, no lone surrogate. */
export const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

/** True when there is nothing but Unicode white space. */
export const isBlank = (text: string): boolean => BLANK.test(text);

/**
 * The form under which text is compared without regard to case, the same on every database. By way of upper case,
 * which unites letters that share no lower case (`ß` and `ss`, both sigmas), and of lower case before it (`ẞ`).
 */
export const fold = (text: string): string => text.toLowerCase().toUpperCase().toLowerCase();

/** The form under which email addresses are compared: without regard to case, or to how their characters were typed. */
export const foldEmail = (email: string): string => fold(email.normalize("NFC")).normalize("NFC");
