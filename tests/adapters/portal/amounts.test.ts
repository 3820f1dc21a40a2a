import { describe, expect, test } from "bun:test";
import { distanceFormat, priceFormat } from "../../../adapters/portal/settings/amount-formats.ts";

// The spaces of these formats do not break.
const written = (text: string): string => text.replaceAll(/\s/g, " ");

describe("amounts are formatted in the installation's units and the reader's language:", () => {
  for (const [currency, language, amount, expected] of [
    ["USD", "en-US", 25_999.99, "$25,999.99"],
    ["USD", "en-US", 12_000, "$12,000"],
    ["USD", "en-US", 12_000.5, "$12,000.50"],
    ["EUR", "de-DE", 25_999.99, "25.999,99 €"],
    ["EUR", "en-US", 0, "€0"],
    ["JPY", "en-US", 2_500_000, "¥2,500,000"],
  ] as const)
    test(`${amount} ${currency} as ${expected}`, () => {
      expect(written(priceFormat(currency, language)(amount))).toBe(expected);
    });

  for (const [unit, language, distance, expected] of [
    ["mi", "en-US", 45_000, "45,000 mi"],
    ["km", "en-US", 0, "0 km"],
    ["km", "de-DE", 45_000, "45.000 km"],
  ] as const)
    test(`${distance} ${unit} as ${expected}`, () => {
      expect(written(distanceFormat(unit, language)(distance))).toBe(expected);
    });
});
