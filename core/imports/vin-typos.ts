import { isVin } from "../vin/vin.ts";

/** The maximum length of a text that is compared. No vehicle has a longer VIN; people may write blanks into it. */
const MAX_COMPARED = 64;
const IGNORED = /[\s-]/g;
const CORRECTED: readonly (readonly [wrong: string, right: string])[] = [
  ["O", "0"],
  ["Q", "0"],
  ["I", "1"],
];

/** A VIN without what people write into it, and with the digits that they take for letters. */
const corrected = (vin: string): string =>
  CORRECTED.reduce((text, [wrong, right]) => text.replaceAll(wrong, right), vin.toUpperCase().replace(IGNORED, ""));

/**
 * True for different VINs of which one is a typing error of the other: they differ only in O and 0, I and 1, Q and 0,
 * blanks and hyphens.
 */
export const areTakenForEachOther = (one: string, other: string): boolean =>
  one.length <= MAX_COMPARED && other.length <= MAX_COMPARED && corrected(one) === corrected(other);

/** True if a vehicle's VIN is right, and the sent one is a typing error of it. */
export const vinToKeep = (stored: string | null, sent: string): boolean =>
  stored !== null &&
  stored.toUpperCase() !== sent.toUpperCase() &&
  isVin(stored.toUpperCase()) &&
  areTakenForEachOther(stored, sent);
