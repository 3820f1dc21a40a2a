const FORM = /^[A-HJ-NPR-Z0-9]{17}$/;
/** The place of the check digit, from 0. */
export const CHECK_PLACE = 8;
/** The place of the model year, from 0. */
const YEAR = 9;
/** A letter here means a model year of 2010 or later. */
const CYCLE = 6;

const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
/** What letters count in the sum (49 CFR 565.15). */
const VALUES: ReadonlyMap<string, number> = new Map([
  ...[..."ABCDEFGH"].map((letter, index) => [letter, index + 1] as const),
  ...[..."JKLMN"].map((letter, index) => [letter, index + 1] as const),
  ["P", 7],
  ["R", 9],
  ...[..."STUVWXYZ"].map((letter, index) => [letter, index + 2] as const),
  ...[..."0123456789"].map((digit, index) => [digit, index] as const),
]);

/** The codes of 30 model years, from 1980 and again from 2010. */
const YEAR_CODES = "ABCDEFGHJKLMNPRSTVWXY123456789";
const FIRST_YEAR = 1980;

/** True for a vehicle identification number of 17 capital letters and digits, without I, O and Q. */
export const isVin = (text: string): boolean => FORM.test(text);

/** The check digit that a VIN should have at its ninth place: `0` to `9`, or `X`. */
export const checkDigitOf = (vin: string): string => {
  let sum = 0;
  for (let index = 0; index < WEIGHTS.length; index++)
    sum += (VALUES.get(vin[index] ?? "") ?? 0) * (WEIGHTS[index] ?? 0);
  const rest = sum % 11;
  return rest === 10 ? "X" : String(rest);
};

/** True if a VIN has the check digit that it should have. VINs of Europe need none. */
export const hasRightCheckDigit = (vin: string): boolean => vin[CHECK_PLACE] === checkDigitOf(vin);

/** The model year that a VIN names, 1980 to 2039; `null` if its tenth place names none. */
export const modelYearOf = (vin: string): number | null => {
  const index = YEAR_CODES.indexOf(vin[YEAR] ?? " ");
  if (index < 0) return null;
  const isLater = /[A-Z]/.test(vin[CYCLE] ?? "");
  return FIRST_YEAR + index + (isLater ? YEAR_CODES.length : 0);
};
