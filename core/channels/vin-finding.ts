import { checkDigitOf, hasRightCheckDigit, isVin, modelYearsOf } from "../vin/vin.ts";
import type { Finding } from "./issue.ts";

/** The first model year whose VINs have a check digit (49 CFR 565). */
export const FIRST_CHECKED_YEAR = 1981;
/** The countries whose VINs must have a check digit. */
const CHECKED_COUNTRIES: ReadonlySet<string> = new Set(["US", "CA", "MX"]);
const LENGTH = 17;

/** What is wrong with a VIN, in words that a dealer understands; `null` if nothing is. */
export const vinFinding = (
  { vin, year }: { readonly vin: string; readonly year: number },
  { reader, country }: { readonly reader: string; readonly country: string },
): Pick<Finding, "rule" | "message"> | null => {
  const { length } = [...vin];
  if (length !== LENGTH)
    return { rule: "vin_form", message: `${reader} wants a VIN of ${LENGTH} characters; this one has ${length}.` };
  const isChecked = CHECKED_COUNTRIES.has(country);
  // Makers for other markets do not put a year at the 10th place.
  if (!isVin(vin) || (isChecked && modelYearsOf(vin).length === 0))
    return {
      rule: "vin_form",
      message: `${reader} wants a VIN of digits and letters without I, O and Q${isChecked ? ", whose 10th stands for a year" : ""}; this one is ${vin}.`,
    };
  return year < FIRST_CHECKED_YEAR || !isChecked || hasRightCheckDigit(vin)
    ? null
    : {
        rule: "vin_check_digit",
        message: `The 9th character of the VIN is ${vin[8]}, but should be ${checkDigitOf(vin)}.`,
      };
};
