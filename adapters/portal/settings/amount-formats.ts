import type { Settings } from "../../../core/settings/installation.ts";

const UNITS: Readonly<Record<Settings["distance_unit"], string>> = { mi: "mile", km: "kilometer" };

/** Formats prices in the given or the browser's language: "$25,999.99", "25.999,99 €", "$12,000". */
export const priceFormat = (currency: string, language?: string): ((amount: number) => string) => {
  const format = new Intl.NumberFormat(language, {
    style: "currency",
    currency,
    trailingZeroDisplay: "stripIfInteger",
  });
  return (amount) => format.format(amount);
};

/** Formats distances in the given or the browser's language: "45,000 mi", "45.000 km". */
export const distanceFormat = (unit: Settings["distance_unit"], language?: string): ((distance: number) => string) => {
  const format = new Intl.NumberFormat(language, { style: "unit", unit: UNITS[unit] });
  return (distance) => format.format(distance);
};
