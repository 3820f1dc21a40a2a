const FORM = /^[A-HJ-NPR-Z0-9]{17}$/;
/** The index of the check digit. */
export const CHECK_PLACE = 8;
/** The index of the model year. */
const YEAR = 9;
/** The index of a character that is a letter if the model year is 2010 or later. */
const CYCLE = 6;

const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
/** The values of letters in the sum (49 CFR 565.15). */
const VALUES: ReadonlyMap<string, number> = new Map([
  ...[..."ABCDEFGH"].map((letter, index) => [letter, index + 1] as const),
  ...[..."JKLMN"].map((letter, index) => [letter, index + 1] as const),
  ["P", 7],
  ["R", 9],
  ...[..."STUVWXYZ"].map((letter, index) => [letter, index + 2] as const),
  ...[..."0123456789"].map((digit, index) => [digit, index] as const),
]);

/** The codes of 30 model years, from 1980 on; they repeat from 2010 on. */
const YEAR_CODES = "ABCDEFGHJKLMNPRSTVWXY123456789";
const FIRST_YEAR = 1980;

/** True for 17 capital letters and digits without I, O and Q. */
export const isVin = (text: string): boolean => FORM.test(text);

/** The check digit that a VIN should have as its ninth character: `0` to `9`, or `X`. */
export const checkDigitOf = (vin: string): string => {
  let sum = 0;
  for (let index = 0; index < WEIGHTS.length; index++)
    sum += (VALUES.get(vin[index] ?? "") ?? 0) * (WEIGHTS[index] ?? 0);
  const rest = sum % 11;
  return rest === 10 ? "X" : String(rest);
};

/** True if the check digit of a VIN is right. European VINs need not have one. */
export const hasRightCheckDigit = (vin: string): boolean => vin[CHECK_PLACE] === checkDigitOf(vin);

/** The model year of a VIN, from 1980 to 2039; `null` if its tenth character does not stand for a year. */
export const modelYearOf = (vin: string): number | null => {
  const index = YEAR_CODES.indexOf(vin[YEAR] ?? " ");
  if (index < 0) return null;
  const isLater = /[A-Z]/.test(vin[CYCLE] ?? "");
  return FIRST_YEAR + index + (isLater ? YEAR_CODES.length : 0);
};
