const HAS_DIGIT = /\d/;
/** One sign four times or more, whatever blanks and hyphens are between. */
const ONE_SIGN = /^(.)\1{3,}$/su;
const BETWEEN = /[\s-]+/g;
/** The maximum length of a text that is looked at. No vehicle has a longer VIN or stock number. */
const MAX_LENGTH = 64;

/** True for a text of one sign, written four times or more: `0000`, `XXXXXXXX`. */
export const isOneSign = (text: string): boolean =>
  text.length <= MAX_LENGTH && ONE_SIGN.test(text.replaceAll(BETWEEN, ""));

/**
 * True for a text that stands in a column of VINs and is none: one without a digit, zero, or one sign repeated. Such a
 * text never says which vehicle is meant.
 */
export const isPlaceholderVin = (text: string): boolean =>
  !HAS_DIGIT.test(text) || text.trim() === "0" || isOneSign(text);
