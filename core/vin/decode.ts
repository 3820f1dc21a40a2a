import { makesOf } from "./makers.ts";
import { checkDigitOf, hasRightCheckDigit, isVin, isWithoutCheckDigit, modelYearsOf } from "./vin.ts";

/** The kinds of problems that a VIN may have. */
export const DECODED_VIN_ISSUES = ["length", "characters", "check_digit", "model_year", "maker"] as const;

/** The maximum length of a text that is decoded. */
export const MAX_VIN = 64;

interface VinIssue {
  readonly code: (typeof DECODED_VIN_ISSUES)[number];
  /** A message for people. */
  readonly message: string;
}

/** What can be read from a VIN alone. */
export interface DecodedVin {
  /** The VIN in capitals, without surrounding white space. */
  readonly vin: string;
  /**
   * True if the VIN has 17 allowed characters and, unless it is from Europe, a model year and the right check digit.
   */
  readonly valid: boolean;
  /** `null` if the text does not have the form of a VIN, or if it is from Europe, where VINs need no check digit. */
  readonly check_digit: { readonly ok: boolean; readonly expected: string } | null;
  /** The model year; `null` if it is not known which of several it is. */
  readonly year: number | null;
  /** The model years that are possible, the latest first. */
  readonly years: readonly number[];
  /** The make, if the manufacturer makes only one. */
  readonly make: string | null;
  /** All makes that the vehicle may have. */
  readonly makes: readonly string[];
  /** Empty if the VIN is valid and its manufacturer is known. */
  readonly issues: readonly VinIssue[];
}

const LENGTH = 17;
const FORBIDDEN = /[^A-HJ-NPR-Z0-9]/gu;

const formIssues = (vin: string): VinIssue[] => {
  const { length } = [...vin];
  const signs = [...new Set(vin.match(FORBIDDEN) ?? [])].map((sign) => JSON.stringify(sign));
  return [
    ...(length === LENGTH
      ? []
      : [{ code: "length", message: `A VIN has ${LENGTH} characters; this one has ${length}.` } as const]),
    ...(signs.length === 0
      ? []
      : [
          {
            code: "characters",
            message: `A VIN has letters without I, O and Q, and digits; this one has ${signs.join(", ")}.`,
          } as const,
        ]),
  ];
};

/**
 * Decodes a VIN without other sources: its form, its check digit (49 CFR 565.15), its model year, and the makes of its
 * manufacturer. Case and surrounding white space do not matter.
 */
export const decodeVin = (text: string): DecodedVin => {
  const vin = text.trim().toUpperCase();
  if (!isVin(vin))
    return {
      ...{ vin, valid: false, check_digit: null, year: null, years: [], make: null, makes: [] },
      issues: formIssues(vin),
    };
  const isEuropean = isWithoutCheckDigit(vin);
  const years = modelYearsOf(vin);
  const check_digit = isEuropean ? null : { ok: hasRightCheckDigit(vin), expected: checkDigitOf(vin) };
  const makes = makesOf(vin);
  const issues: VinIssue[] = [];
  if (check_digit?.ok === false)
    issues.push({
      code: "check_digit",
      message: `The 9th character is ${vin[8]}, but should be ${check_digit.expected}: look for a typing error. Only cars made for other markets than North America may do without.`,
    });
  // Many European makers write something else at this place.
  if (years.length === 0 && !isEuropean)
    issues.push({ code: "model_year", message: `The 10th character, ${vin[9]}, stands for no model year.` });
  if (makes.length === 0)
    issues.push({ code: "maker", message: `The maker's code ${vin.slice(0, 3)} is not known here.` });
  return {
    vin,
    valid: isEuropean || (check_digit?.ok === true && years.length > 0),
    check_digit,
    year: years.length === 1 ? (years[0] ?? null) : null,
    years,
    make: makes.length === 1 ? (makes[0] ?? null) : null,
    makes,
    issues,
  };
};
