import { type Finding, issueOf, type ReadinessIssue, type Rule, type Severity } from "../channels/issue.ts";
import { isInCapitals } from "../channels/texts.ts";
import { vinFinding } from "../channels/vin-finding.ts";
import type { Timestamp } from "../clock.ts";
import { daysOnLotOf } from "../vehicles/days-on-lot.ts";
import type { Vehicle } from "../vehicles/fields.ts";
import { meaningOf } from "../vehicles/synonyms.ts";
import { isPlaceholderVin } from "../vin/placeholder.ts";
import { contradictingYears, trustedVinOf } from "../vin/trusted-vin.ts";
import { isVin, isWithoutCheckDigit } from "../vin/vin.ts";
import { makeOf } from "./make.ts";
import { swappedDateOf } from "./swapped-date.ts";

/** The fields of a vehicle that the rules judge. */
export interface JudgedVehicle
  extends Pick<
    Vehicle,
    | "make"
    | "year"
    | "price"
    | "title"
    | "trim"
    | "mileage"
    | "vin"
    | "description"
    | "condition"
    | "status"
    | "listed_at"
    | "sold_at"
    | "created_at"
    | "updated_at"
  > {
  /** The number of its images, and the addresses of the first ones in their order. */
  readonly imageCount: number;
  /** True if an import made or changed it. It may be absent if its dates are usual. */
  readonly isOfImport?: boolean;
  readonly images: readonly string[];
}

/** How a vehicle compares with the unsold vehicles of its dealer. */
export interface DealerComparison {
  /** A photo that more than 3 of these vehicles have, including the judged one. */
  readonly sharedPhoto: string | null;
  readonly isPriceOff: boolean;
  readonly isVinRepeated: boolean;
}

/** What the rules depend on besides the vehicle. */
export interface JudgingContext {
  readonly now: Timestamp;
  /** The unit of every mileage. */
  readonly distanceUnit: "mi" | "km";
}

const MIN_PHOTOS = 5;
const MIN_DESCRIPTION = 30;
const MAX_DAYS = 90;
const USED_MILES = 100;
const KM_A_MILE = 1.609_344;

const COMING_SOON = /coming(?:[\s._+-]|%20)*soon/i;
const LINK = /https?:\/\/|www\.[a-z0-9]/i;

type Found = Pick<Finding, "message" | "evidence">;
type Judge = (vehicle: JudgedVehicle, judging: JudgingContext, others: DealerComparison) => Found | null;

interface QualityRule {
  readonly rule: Rule;
  readonly severity: Severity;
  readonly field: string;
  readonly judge: Judge;
}

const lengthOf = (text: string): number => [...text.slice(0, 2 * MIN_DESCRIPTION)].length;

const vinRule = (rule: "vin_form" | "vin_check_digit"): QualityRule => ({
  rule,
  severity: "error",
  field: "vin",
  judge({ vin, year }) {
    const capitals = (vin ?? "").trim().toUpperCase();
    const finding =
      capitals === "" || isPlaceholderVin(capitals) || (isVin(capitals) && isWithoutCheckDigit(capitals))
        ? null
        : vinFinding({ vin: capitals, year }, { reader: "Every site", country: "US" });
    return finding?.rule === rule ? { ...finding, evidence: capitals } : null;
  },
});

/** The rule about prices. It can be judged only when the prices of all peers are known. */
export const PRICE_OFF_PEERS = { rule: "price_off_peers", severity: "warning", field: "price" } as const;

/** THE list of the service's own rules. */
const QUALITY: readonly QualityRule[] = [
  vinRule("vin_form"),
  vinRule("vin_check_digit"),
  {
    rule: "price_zero",
    severity: "error",
    field: "price",
    judge: ({ price }) => (price > 0 ? null : { evidence: String(price) }),
  },
  {
    rule: "photos_few",
    severity: "warning",
    field: "images",
    judge: ({ imageCount }) =>
      imageCount >= MIN_PHOTOS
        ? null
        : {
            message:
              imageCount === 0
                ? `It has no photo; ${MIN_PHOTOS} or more are usual.`
                : `It has ${imageCount} ${imageCount === 1 ? "photo" : "photos"}; ${MIN_PHOTOS} or more are usual.`,
            evidence: String(imageCount),
          },
  },
  {
    rule: "photo_shared",
    severity: "warning",
    field: "images",
    judge: (_, __, { sharedPhoto }) => (sharedPhoto === null ? null : { evidence: sharedPhoto }),
  },
  {
    rule: "coming_soon",
    severity: "warning",
    field: "images",
    judge({ images, title }) {
      const text = images.find((address) => COMING_SOON.test(address)) ?? title ?? "";
      return COMING_SOON.test(text) ? { evidence: text } : null;
    },
  },
  {
    rule: "description_short",
    severity: "warning",
    field: "description",
    judge({ description }) {
      const length = lengthOf((description ?? "").trim());
      if (length >= MIN_DESCRIPTION) return null;
      return length === 0
        ? { message: "It has no description." }
        : {
            message: `The description has ${length} characters; ${MIN_DESCRIPTION} or more are usual.`,
            evidence: description,
          };
    },
  },
  {
    rule: "description_capitals",
    severity: "warning",
    field: "description",
    judge: ({ description }) => (description !== null && isInCapitals(description) ? { evidence: description } : null),
  },
  {
    rule: "description_link",
    severity: "warning",
    field: "description",
    judge: ({ description }) => (description !== null && LINK.test(description) ? { evidence: description } : null),
  },
  {
    rule: "trim_missing",
    severity: "warning",
    field: "trim",
    judge: ({ trim }) => ((trim ?? "").trim() === "" ? {} : null),
  },
  {
    rule: "days_many",
    severity: "warning",
    field: "listed_at",
    judge(vehicle, { now }) {
      const days = daysOnLotOf(vehicle, now);
      return days > MAX_DAYS ? { message: `It has been on the lot for ${days} days.`, evidence: String(days) } : null;
    },
  },
  {
    ...PRICE_OFF_PEERS,
    judge: ({ price }, _, { isPriceOff }) => (isPriceOff ? { evidence: String(price) } : null),
  },
  {
    rule: "mileage_low",
    severity: "warning",
    field: "mileage",
    judge({ mileage, condition }, { distanceUnit }) {
      if (mileage === null || condition === null) return null;
      const miles = distanceUnit === "km" ? mileage / KM_A_MILE : mileage;
      const meaning = meaningOf("condition", condition);
      const isUsed = meaning === "used" || meaning === "certified";
      return isUsed && miles < USED_MILES ? { evidence: String(mileage) } : null;
    },
  },
  {
    rule: "vin_placeholder",
    severity: "error",
    field: "vin",
    judge: ({ vin }) => (vin !== null && isPlaceholderVin(vin) ? { evidence: vin } : null),
  },
  {
    rule: "dates_swapped",
    severity: "warning",
    field: "listed_at",
    judge: (vehicle) =>
      vehicle.isOfImport === true && swappedDateOf(vehicle) !== null ? { evidence: vehicle.listed_at } : null,
  },
  {
    rule: "vin_year",
    severity: "warning",
    field: "year",
    judge({ vin, year }) {
      const years = contradictingYears(vin, year);
      return years === null
        ? null
        : {
            message: `The VIN is of ${years.join(" or ")}, but the year is ${year}.`,
            evidence: vin?.trim().toUpperCase() ?? null,
          };
    },
  },
  {
    rule: "vin_make",
    severity: "warning",
    field: "make",
    judge({ vin, make }) {
      const decoded = trustedVinOf(vin);
      if (decoded === null || decoded.makes.length === 0) return null;
      const own = makeOf(make);
      return decoded.makes.some((one) => makeOf(one) === own)
        ? null
        : { message: `The VIN is of ${decoded.makes.join(" or ")}, but the make is ${make}.`, evidence: decoded.vin };
    },
  },
  {
    rule: "vin_repeated",
    severity: "warning",
    field: "vin",
    judge: ({ vin }, _, { isVinRepeated }) => (isVinRepeated ? { evidence: vin } : null),
  },
];

/** A rule that a vehicle breaks, and the details. */
export interface BrokenRule {
  readonly which: Pick<ReadinessIssue, "rule" | "severity" | "field">;
  readonly found: Found;
}

/**
 * The service's rules that a vehicle breaks, errors first. A sold vehicle breaks none, as there is nothing to correct.
 */
export const brokenRules = (
  vehicle: JudgedVehicle,
  judging: JudgingContext,
  others: DealerComparison,
): readonly BrokenRule[] =>
  vehicle.status === "sold"
    ? []
    : QUALITY.flatMap((which) => {
        const found = which.judge(vehicle, judging, others);
        return found === null ? [] : [{ which, found }];
      });

/** The same violations as issues. They do not depend on feeds. */
export const qualityIssues = (
  vehicle: JudgedVehicle,
  judging: JudgingContext,
  others: DealerComparison,
): readonly ReadinessIssue[] =>
  brokenRules(vehicle, judging, others).map(({ which: { rule, severity, field }, found }) =>
    issueOf({ rule, severity, field, ...found }),
  );
