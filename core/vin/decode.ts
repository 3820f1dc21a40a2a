import { makesOf } from "./makers.ts";
import { checkDigitOf, hasRightCheckDigit, isVin, modelYearOf } from "./vin.ts";

/** What may be wrong with a VIN. */
export const DECODED_VIN_ISSUES = ["length", "characters", "check_digit", "model_year", "maker"] as const;

/** The longest text that is looked at. */
export const MAX_VIN = 64;

interface VinIssue {
  readonly code: (typeof DECODED_VIN_ISSUES)[number];
  /** For people. */
  readonly message: string;
}

/** What a VIN tells by itself. */
export interface DecodedVin {
  /** In capitals, without outer white space. */
  readonly vin: string;
  /** True for 17 characters that VINs may have, with a model year and the right check digit. */
  readonly valid: boolean;
  /** `null` unless it has the form of a VIN. */
  readonly check_digit: { readonly ok: boolean; readonly expected: string } | null;
  readonly year: number | null;
  /** The make, if its maker has no other. */
  readonly make: string | null;
  /** All makes that it may be. */
  readonly makes: readonly string[];
  /** None for a valid VIN of a known maker. */
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
 * Decodes a VIN from what it says itself: form, check digit (49 CFR 565.15), model year, and the makes of its maker's
 * code. Case and outer white space do not matter.
 */
export const decodeVin = (text: string): DecodedVin => {
  const vin = text.trim().toUpperCase();
  if (!isVin(vin))
    return { vin, valid: false, check_digit: null, year: null, make: null, makes: [], issues: formIssues(vin) };
  const year = modelYearOf(vin);
  const check_digit = { ok: hasRightCheckDigit(vin), expected: checkDigitOf(vin) };
  const makes = makesOf(vin);
  const issues: VinIssue[] = [];
  if (!check_digit.ok)
    issues.push({
      code: "check_digit",
      message: `The 9th character is ${vin[8]}, but should be ${check_digit.expected}: look for a typing error. Only cars made for other markets than North America may do without.`,
    });
  if (year === null)
    issues.push({ code: "model_year", message: `The 10th character, ${vin[9]}, stands for no model year.` });
  if (makes.length === 0)
    issues.push({ code: "maker", message: `The maker's code ${vin.slice(0, 3)} is not known here.` });
  return {
    vin,
    valid: check_digit.ok && year !== null,
    check_digit,
    year,
    make: makes.length === 1 ? (makes[0] ?? null) : null,
    makes,
    issues,
  };
};
