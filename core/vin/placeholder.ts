import { isStorable } from "../text.ts";

const HAS_DIGIT = /\d/;
/** So often a sign is written for nothing, whatever blanks and hyphens are between. */
const LEAST_SIGNS = 4;
const BETWEEN = /[\s-]+/g;
/** The maximum length of a text that is looked at. No vehicle has a longer VIN or stock number. */
const MAX_LENGTH = 64;

/** True for a text of one sign, written four times or more: `0000`, `XXXXXXXX`. */
export const isOneSign = (text: string): boolean => {
  if (text.length > MAX_LENGTH) return false;
  const signs = [...text.replaceAll(BETWEEN, "")];
  return signs.length >= LEAST_SIGNS && signs.every((sign) => sign === signs[0]);
};

/**
 * True for a text that stands in a column of VINs and is none: one without a digit, zero, or one sign repeated. Such a
 * text never says which vehicle is meant.
 */
export const isPlaceholderVin = (text: string): boolean =>
  text.length <= MAX_LENGTH && isStorable(text) && (!HAS_DIGIT.test(text) || text.trim() === "0" || isOneSign(text));
