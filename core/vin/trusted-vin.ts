import { type DecodedVin, decodeVin } from "./decode.ts";
import { isFilled } from "./vin.ts";

/**
 * The decoded VIN; `null` if nothing says that the rest can be trusted: neither a right check digit nor the filler of
 * European makers.
 */
export const trustedVinOf = (vin: string | null): DecodedVin | null => {
  const decoded = vin === null ? null : decodeVin(vin);
  return decoded !== null && (decoded.check_digit?.ok === true || (decoded.valid && isFilled(decoded.vin)))
    ? decoded
    : null;
};

/** The model years of a VIN if none of them is this one; `null` if it says no year that contradicts it. */
export const contradictingYears = (vin: string | null, year: number): readonly number[] | null => {
  const years = trustedVinOf(vin)?.years ?? [];
  return years.length === 0 || years.includes(year) ? null : years;
};
