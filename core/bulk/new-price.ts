/** The prices to which a changed price is rounded. */
export const ROUNDINGS = ["to_10", "to_100", "ending_95", "ending_99"] as const;
export type Rounding = (typeof ROUNDINGS)[number];

/** What holds for a changed price besides the change. */
interface PriceRules {
  /** The nearest such price is taken. */
  readonly rounding?: Rounding;
  /** No price gets lower than this. */
  readonly never_below?: number;
}

/** A change of a price that depends on the price: by an amount, or by a percentage with up to four decimals. */
export type PriceChange = PriceRules & ({ readonly add: number } | { readonly percent: number });

/** Percentages have up to this many decimals, so that prices are computed in whole numbers. */
export const PERCENT_SCALE = 10_000;
const HUNDRED_PERCENT = 100 * PERCENT_SCALE;

/** The distance of the prices that a rounding allows, and the lowest of them, in cents. */
const ALLOWED: Readonly<Record<Rounding, { readonly step: number; readonly lowest: number }>> = {
  to_10: { step: 1000, lowest: 0 },
  to_100: { step: 10_000, lowest: 0 },
  ending_95: { step: 10_000, lowest: 9500 },
  ending_99: { step: 10_000, lowest: 9900 },
};

const inCents = (amount: number): number => Math.round(amount * 100);

/** Exact: cents and percents are whole numbers, half a cent goes up. */
const changedCents = (cents: number, change: PriceChange): number => {
  if ("add" in change) return cents + inCents(change.add);
  const scaled = BigInt(cents) * BigInt(HUNDRED_PERCENT + Math.round(change.percent * PERCENT_SCALE));
  return Number((scaled + BigInt(HUNDRED_PERCENT / 2)) / BigInt(HUNDRED_PERCENT));
};

/** The nearest of the prices that a rounding allows; of two that are equally near, the higher one. */
const nearest = (cents: number, rounding: Rounding): number => {
  const { step, lowest } = ALLOWED[rounding];
  return lowest + Math.max(0, Math.floor((cents - lowest + step / 2) / step)) * step;
};

/** Rounding turns no reduction into a rise, and no rise into a reduction: then the price stays what it is. */
const roundedCents = (before: number, change: PriceChange): number => {
  const changed = changedCents(before, change);
  if (change.rounding === undefined || changed < 0) return changed;
  const rounded = nearest(changed, change.rounding);
  const direction = "add" in change ? change.add : change.percent;
  if (direction < 0) return Math.min(rounded, before);
  return direction > 0 ? Math.max(rounded, before) : rounded;
};

/**
 * The price after a change, in the same unit. A price that is below `never_below` already gets no lower. The result may
 * be one that no vehicle can have.
 */
export const priceAfter = (price: number, change: PriceChange): number => {
  const before = inCents(price);
  const after = roundedCents(before, change);
  const lowest = change.never_below === undefined ? after : Math.min(inCents(change.never_below), before);
  return Math.max(after, lowest) / 100;
};
