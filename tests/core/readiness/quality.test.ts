import { describe, expect, test } from "bun:test";
import { type DealerComparison, type JudgedVehicle, qualityIssues } from "../../../core/readiness/quality.ts";
import { scoreOf } from "../../../core/readiness/score.ts";
import { feedVehicle } from "../channels/invented.ts";

const NOW = "2026-06-29T23:59:59.000Z";
const ALONE: DealerComparison = { sharedPhoto: null, isPriceOff: false, isVinRepeated: false };

interface Change {
  readonly vehicle?: Partial<JudgedVehicle>;
  readonly others?: Partial<DealerComparison>;
  readonly distanceUnit?: "mi" | "km";
}

const { vehicle: GOOD, images } = feedVehicle();

const issuesOf = ({ vehicle, others, distanceUnit = "mi" }: Change) =>
  qualityIssues(
    { ...GOOD, images, imageCount: images.length, ...vehicle },
    { now: NOW, distanceUnit },
    { ...ALONE, ...others },
  );

// [what is changed, the rule that it breaks; `null` if it breaks none].
const RULES: readonly (readonly [name: string, Change, broken: string | null])[] = [
  ["nothing wrong", {}, null],
  ["a VIN of 16 characters", { vehicle: { vin: "1HGBH41JXMN10918" } }, "error vin_form vin"],
  ["no VIN", { vehicle: { vin: null } }, null],
  ["a wrong check digit", { vehicle: { vin: "1HGBH41J1MN109186" } }, "error vin_check_digit vin"],
  ["no price", { vehicle: { price: 0 } }, "error price_zero price"],
  ["the least price", { vehicle: { price: 0.01 } }, null],
  ["4 photos", { vehicle: { imageCount: 4 } }, "warning photos_few images"],
  ["5 photos", { vehicle: { imageCount: 5 } }, null],
  ["no photo", { vehicle: { imageCount: 0, images: [] } }, "warning photos_few images"],
  ["a photo of others", { others: { sharedPhoto: images[0] ?? null } }, "warning photo_shared images"],
  [
    "a photo that is coming soon",
    { vehicle: { images: ["https://example.com/Coming-Soon.png"] } },
    "warning coming_soon images",
  ],
  [
    "a photo that is coming%20soon",
    { vehicle: { images: ["https://example.com/coming%20soon.png"] } },
    "warning coming_soon images",
  ],
  ["a title that is coming soon", { vehicle: { title: "COMING SOON Accord" } }, "warning coming_soon images"],
  ["a photo of what is coming sooner", { vehicle: { images: ["https://example.com/coming/very/soon.png"] } }, null],
  [
    "a description of 29 characters",
    { vehicle: { description: "x".repeat(29) } },
    "warning description_short description",
  ],
  ["a description of 30 characters", { vehicle: { description: "x".repeat(30) } }, null],
  [
    "a description of 29 cars",
    { vehicle: { description: `${"🚗".repeat(28)}x` } },
    "warning description_short description",
  ],
  ["no description", { vehicle: { description: null } }, "warning description_short description"],
  [
    "a description in capitals",
    { vehicle: { description: "ONE OWNER, ALWAYS GARAGED, 2 KEYS!" } },
    "warning description_capitals description",
  ],
  ["a description without letters", { vehicle: { description: "1234567890 1234567890 1234567890" } }, null],
  ["a small letter among capitals", { vehicle: { description: "ONE OWNER, ALWAYS GARAGED, 2 KEYs!" } }, null],
  [
    "a link in its description",
    { vehicle: { description: "One owner, look at www.example.com for more." } },
    "warning description_link description",
  ],
  ["no trim", { vehicle: { trim: " " } }, "warning trim_missing trim"],
  ["90 days on the lot", { vehicle: { listed_at: "2026-03-31T23:59:59.000Z" } }, null],
  ["almost 91 days on the lot", { vehicle: { listed_at: "2026-03-31T00:00:00.000Z" } }, null],
  ["91 days on the lot", { vehicle: { listed_at: "2026-03-30T23:59:59.000Z" } }, "warning days_many listed_at"],
  ["a price far from its peers'", { others: { isPriceOff: true } }, "warning price_off_peers price"],
  ["99 miles, used", { vehicle: { mileage: 99 } }, "warning mileage_low mileage"],
  ["99 miles, certified", { vehicle: { mileage: 99, condition: "CPO" } }, "warning mileage_low mileage"],
  ["100 miles, used", { vehicle: { mileage: 100 } }, null],
  ["160 km, used", { vehicle: { mileage: 160 }, distanceUnit: "km" }, "warning mileage_low mileage"],
  ["161 km, used", { vehicle: { mileage: 161 }, distanceUnit: "km" }, null],
  ["10 miles, new", { vehicle: { mileage: 10, condition: "new" } }, null],
  ["no mileage, used", { vehicle: { mileage: null } }, null],
  ["another year than its VIN's", { vehicle: { year: 1992 } }, "warning vin_year year"],
  ["a VIN that stands for none", { vehicle: { vin: "TBD" } }, "error vin_placeholder vin"],
  ["a VIN of one sign", { vehicle: { vin: "00000000000000000" } }, "error vin_placeholder vin"],
  [
    "a listed date of an import after its creation",
    { vehicle: { isOfImport: true, listed_at: "2026-09-06T00:00:00.000Z", created_at: "2026-06-20T08:00:00.000Z" } },
    "warning dates_swapped listed_at",
  ],
  [
    "the same that nobody imported",
    { vehicle: { listed_at: "2026-09-06T00:00:00.000Z", created_at: "2026-06-20T08:00:00.000Z" } },
    null,
  ],
  [
    "a listed date of an import after its creation that has no other reading",
    { vehicle: { isOfImport: true, listed_at: "2026-06-21T00:00:00.000Z", created_at: "2026-06-20T08:00:00.000Z" } },
    null,
  ],
  // A European VIN has no check digit, and both years of its code are possible.
  ["one year of a European VIN", { vehicle: { vin: "WVGZZZ5NZEW000004", year: 2014, make: "Volkswagen" } }, null],
  ["the other year of it", { vehicle: { vin: "WVGZZZ5NZEW000004", year: 1984, make: "Volkswagen" } }, null],
  ["no year of it", { vehicle: { vin: "WVGZZZ5NZEW000004", year: 1992, make: "Volkswagen" } }, "warning vin_year year"],
  ["a European VIN without a year", { vehicle: { vin: "WBA71DC010CH00001", year: 2020, make: "BMW" } }, null],
  ["another make than its VIN's", { vehicle: { make: "Toyota" } }, "warning vin_make make"],
  ["its make in capitals", { vehicle: { make: "HONDA " } }, null],
  ["its make by another name", { vehicle: { make: "Chevy", vin: "1G1AF1F57A7192174", year: 2010 } }, null],
  ["a VIN that is there twice", { others: { isVinRepeated: true } }, "warning vin_repeated vin"],
  ["been sold", { vehicle: { status: "sold", price: 0, trim: null } }, null],
];

describe("a vehicle", () => {
  for (const [name, change, broken] of RULES)
    test(`that has ${name} breaks ${broken ?? "no rule"}`, () => {
      expect(issuesOf(change).map(({ rule, severity, field }) => `${severity} ${rule} ${field}`)).toEqual(
        broken === null ? [] : [broken],
      );
    });

  test("has its issues described in words that a dealer understands", () => {
    const { message, fix, evidence } = issuesOf({ vehicle: { year: 1992 } })[0] ?? {};
    expect({ message, fix, evidence }).toEqual({
      message: "The VIN is of 1991, but the year is 1992.",
      fix: "Correct the year, or the VIN.",
      evidence: "1HGBH41JXMN109186",
    });
  });

  test("has evidence that is short enough to read", () => {
    const [issue] = issuesOf({ vehicle: { description: `www.example.com ${"x".repeat(20_000)}` } });
    expect(issue?.evidence?.length).toBeLessThan(250);
  });
});

describe("a score", () => {
  const [error, warning] = [{ severity: "error" }, { severity: "warning" }] as const;
  for (const [issues, score] of [
    [[], 100],
    [[warning], 90],
    [[error, warning], 65],
    [[error, error, error, error, warning], 0],
  ] as const)
    test(`of ${issues.map(({ severity }) => severity).join(", ") || "nothing"} is ${score}`, () => {
      expect(scoreOf(issues)).toBe(score);
    });
});
