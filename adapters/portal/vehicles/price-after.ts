/** A change of a price, as the service takes it. */
export type PriceChange = { readonly add: number } | { readonly percent: number };

/** Percentages have up to four decimals. */
const SCALE = 10_000;
const ALL = BigInt(100 * SCALE);

const centsOf = (amount: number): number => Math.round(amount * 100);

/** The price after a change, computed exactly as the service does; half a cent is rounded up. */
export const priceAfter = (price: number, change: PriceChange): number => {
  const cents = centsOf(price);
  if ("add" in change) return (cents + centsOf(change.add)) / 100;
  const scaled = BigInt(cents) * (ALL + BigInt(Math.round(change.percent * SCALE)));
  return Number((scaled + ALL / 2n) / ALL) / 100;
};
