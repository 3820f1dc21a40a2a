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

/** VINs have had this form since this model year; earlier ones have another length. */
const FIRST_MODEL_YEAR = 1981;
/** The first characters of VINs from North America, and of those from Europe (ISO 3780). */
const NORTH_AMERICA = /^[1-5]/;
const EUROPE = /^[S-Z]/;
/** What European makers write into places that mean nothing. */
const FILLER = "ZZZ";
const hasFiller = (vin: string): boolean => vin.slice(3, 6) === FILLER;

/** True for a VIN that follows 49 CFR 565: that of a vehicle made in, or for, North America. */
const followsNorthAmerica = (vin: string): boolean =>
  NORTH_AMERICA.test(vin) || (hasRightCheckDigit(vin) && !hasFiller(vin));

/** True for a VIN from Europe whose ninth character need not be a check digit. */
export const isWithoutCheckDigit = (vin: string): boolean => EUROPE.test(vin) && !followsNorthAmerica(vin);

/** True for a European VIN with the filler, whose makers do write the model year. */
export const isFilled = (vin: string): boolean => EUROPE.test(vin) && hasFiller(vin);

/**
 * The model years that a VIN may stand for, from 1981 to 2039, the latest first; none if its tenth character stands for
 * no year. The codes repeat after 30 years. Only in VINs that follow 49 CFR 565 does the seventh character say which.
 */
export const modelYearsOf = (vin: string): readonly number[] => {
  const index = YEAR_CODES.indexOf(vin[YEAR] ?? " ");
  if (index < 0) return [];
  const early = FIRST_YEAR + index;
  const late = early + YEAR_CODES.length;
  if (early < FIRST_MODEL_YEAR) return [late];
  if (!followsNorthAmerica(vin)) return [late, early];
  return [/[A-Z]/.test(vin[CYCLE] ?? "") ? late : early];
};
