import type { Random } from "./random.ts";

/** The characters of a VIN. I, O and Q are not used, as they look like 1 and 0. */
const DIGITS = "0123456789";
const LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ";

/** The value of each letter in the check digit. */
const VALUES: Readonly<Record<string, number>> = {
  ...Object.fromEntries([...DIGITS].map((digit) => [digit, Number(digit)])),
  ...Object.fromEntries([..."ABCDEFGH"].map((letter, index) => [letter, index + 1])),
  ...Object.fromEntries([..."JKLMN"].map((letter, index) => [letter, index + 1])),
  ...{ P: 7, R: 9 },
  ...Object.fromEntries([..."STUVWXYZ"].map((letter, index) => [letter, index + 2])),
};

/** The weights of the 17 positions. The weight of the check digit itself is 0. */
const WEIGHTS: readonly number[] = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
const CHECK_INDEX = 8;

/** The characters for model years, from 1980 on. They repeat after thirty years. */
const YEARS = "ABCDEFGHJKLMNPRSTVWXY123456789";
const FIRST_YEAR = 1980;
/** From this model year on, the seventh position is a letter. This tells the two rounds of `YEARS` apart. */
const SECOND_ROUND = 2010;

/** The check digit (0 to 9, or X) that a VIN should have, whatever it has now. */
export const checkDigitOf = (vin: string): string => {
  const sum = WEIGHTS.reduce((total, weight, place) => total + weight * (VALUES[vin.charAt(place)] ?? 0), 0);
  return sum % 11 === 10 ? "X" : String(sum % 11);
};

/** The tenth character of a VIN of this model year, from 1980 on. */
export const yearCharacterOf = (modelYear: number): string => YEARS.charAt((modelYear - FIRST_YEAR) % YEARS.length);

/** Draws `count` characters from an alphabet. */
const drawn = (chance: Random, alphabet: string, count: number): string =>
  Array.from({ length: count }, () => alphabet.charAt(chance.integer(0, alphabet.length - 1))).join("");

/**
 * A VIN of 17 characters, with the manufacturer's identifier, the character of the model year, and the right check
 * digit. `serial`, from 0 to 999 999, makes it unique within a year and make.
 */
export const vinOf = (
  chance: Random,
  { wmi, modelYear, serial }: { readonly wmi: string; readonly modelYear: number; readonly serial: number },
): string => {
  const attributes =
    drawn(chance, LETTERS + DIGITS, 3) +
    drawn(chance, modelYear >= SECOND_ROUND ? LETTERS : DIGITS, 1) +
    drawn(chance, LETTERS + DIGITS, 1);
  const plant = drawn(chance, LETTERS, 1);
  const open = `${wmi}${attributes}0${yearCharacterOf(modelYear)}${plant}${String(serial).padStart(6, "0")}`;
  return open.slice(0, CHECK_INDEX) + checkDigitOf(open) + open.slice(CHECK_INDEX + 1);
};
