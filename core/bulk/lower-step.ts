import { type PriceChange, priceAfter, type Rounding } from "./new-price.ts";

/** How much a step lowers a price. */
const STEP_PERCENT = -2;

/** The form that a price has, which a step keeps: the most exact is the last. */
const FORMS: readonly { readonly rounding: Rounding; readonly has: (price: number) => boolean }[] = [
  { rounding: "ending_99", has: (price) => price % 100 === 99 },
  { rounding: "ending_95", has: (price) => price % 100 === 95 },
  { rounding: "to_100", has: (price) => price % 100 === 0 },
  { rounding: "to_10", has: () => true },
];

/** A step without a rounding ends with whole units. */
const inWhole = (price: number, change: PriceChange): number => {
  const lowered = Math.floor(priceAfter(price, change));
  return Math.max(lowered, priceAfter(price, { ...change, percent: -100 }));
};

/**
 * The price after one step of 2 % down. It keeps the form that it has: $25,995 gets $25,495, $25,900 gets $25,400 and
 * $25,990 gets $25,470. Prices that are too low to move in that form move by tens, and then by units. Never below
 * `floor`, if one is known; a price that is there already stays.
 */
export const loweredByStep = (price: number, floor: number | null = null): number => {
  const change = { percent: STEP_PERCENT, ...(floor !== null && { never_below: floor }) };
  const form = FORMS.find(({ has }) => has(price))?.rounding ?? "to_10";
  const steps = [form, "to_10" as const].map((rounding) => priceAfter(price, { ...change, rounding }));
  return steps.find((lowered) => lowered < price) ?? Math.min(price, inWhole(price, change));
};
