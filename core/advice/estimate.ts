/** A sale: what the vehicle was sold for, and the days that took. */
export interface SalePoint {
  readonly price: number;
  readonly days: number;
}

/** How long vehicles at a price took to be sold. */
export interface DaysAtPrice {
  readonly price: number;
  /** The median of their days. */
  readonly days: number;
  /** The number of sales that it is of, all within so many percent of the price. */
  readonly sales: number;
  readonly within_percent: number;
}

/** From so many sales on there is advice. */
export const MIN_SALES = 5;

/** How far from the price sales may be, in percent. The first band with three sales counts. */
const BANDS = [5, 10, 15] as const;
const MIN_IN_BAND = 3;

const medianOf = (values: readonly number[]): number => {
  const sorted = values.toSorted((one, other) => one - other);
  const half = sorted.length >> 1;
  const [before = 0, at = 0] = [sorted[half - 1], sorted[half]];
  return sorted.length % 2 === 1 ? at : Math.round((before + at) / 2);
};

/**
 * How long vehicles at this price took: the median days of the sales within 5 % of it, or else 10 %, or else 15 %, as soon
 * as there are three. `null` if fewer than three were so near, or there are fewer than five sales in all.
 */
export const daysAtPrice = (sales: readonly SalePoint[], price: number): DaysAtPrice | null => {
  if (sales.length < MIN_SALES) return null;
  for (const within_percent of BANDS) {
    const near = sales.filter((sale) => Math.abs(sale.price - price) * 100 <= within_percent * price);
    if (near.length >= MIN_IN_BAND)
      return { price, days: medianOf(near.map(({ days }) => days)), sales: near.length, within_percent };
  }
  return null;
};
