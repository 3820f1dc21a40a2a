import { yearOf } from "../clock.ts";
import type { Vehicle } from "../vehicles/fields.ts";
import { contradictingYears } from "../vin/trusted-vin.ts";
import type { Value } from "./channel.ts";
import { FIRST_CHECKED_YEAR, vinFinding } from "./vin-finding.ts";

/** The age from which vehicles of other markets are imported freely, with the numbers that they have. */
const OLD_IMPORT_YEARS = 25;
/** The first signs of numbers of vehicles that were made for North America. */
const MADE_HERE = /^[1-57]/;

/**
 * True if the vehicle is from before VINs had their form, or an old one from another market. Its age counts up to its
 * last change.
 */
const isOfAnotherForm = ({ year, updated_at }: Pick<Vehicle, "year" | "updated_at">, vin: string): boolean =>
  year < FIRST_CHECKED_YEAR || (!MADE_HERE.test(vin) && yearOf(updated_at) - year > OLD_IMPORT_YEARS);

/** The VIN in capitals, if it is valid. Numbers of old vehicles are written as they are, with a warning. */
export const VIN: Value = {
  field: "vin",
  write({ vehicle, channel, settings }, severity, report) {
    const vin = (vehicle.vin ?? "").toUpperCase();
    if (vin === "") return null;
    const finding = vinFinding({ vin, year: vehicle.year }, { reader: channel.reader, country: settings.country });
    if (finding === null) return vin;
    const isOld = severity === "error" && isOfAnotherForm(vehicle, vin);
    report({ ...finding, severity: isOld ? "warning" : severity, field: "vin", evidence: vin });
    return isOld ? vin : null;
  },
};

/** The year, with a warning if the VIN is of another one. */
export const YEAR_OF_VIN: Value = {
  field: "year",
  write({ vehicle: { vin, year } }, _, report) {
    const years = contradictingYears(vin, year);
    if (years !== null)
      report({
        rule: "vin_year",
        severity: "warning",
        field: "year",
        message: `The VIN is of ${years.join(" or ")}, but the year is ${year}.`,
        evidence: vin,
      });
    return year;
  },
};
