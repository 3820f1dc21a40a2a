/**
 * What happened with a dealer's vehicles in some time. All are sums, so that those of days add up to months, and a
 * change takes away exactly what it had added.
 */
export interface Figures {
  /** Vehicles that came to the lot. */
  readonly added: number;
  /** Sales whose date is known, and some price. */
  readonly sold: number;
  readonly sold_cents: number;
  /** Whole days from when each was listed to its sale. */
  readonly days_to_sell: number;
  /** Sales whose first price and sold price are known: of these are the next two. */
  readonly discounts: number;
  readonly discount_cents: number;
  /** In millionths of a percent of the first price. */
  readonly discount_percents: number;
  readonly price_drops: number;
}

const NO_FIGURES: Figures = {
  added: 0,
  sold: 0,
  sold_cents: 0,
  days_to_sell: 0,
  discounts: 0,
  discount_cents: 0,
  discount_percents: 0,
  price_drops: 0,
};

export const FIGURES = Object.keys(NO_FIGURES) as (keyof Figures)[];

/** The figures of several times together. */
export const sumOf = (parts: readonly Figures[]): Figures =>
  Object.fromEntries(FIGURES.map((name) => [name, parts.reduce((sum, part) => sum + part[name], 0)])) as Record<
    keyof Figures,
    number
  >;

/** Figures as answered: money in currency units, averages over the sales that have what they are made of. */
export interface AnsweredFigures {
  readonly added: number;
  readonly sold: number;
  /** `null` for who may not know what vehicles were sold for. */
  readonly sold_value: number | null;
  /** `null` if nothing was sold. */
  readonly average_days_to_sell: number | null;
  /** From the first price to the sold price; `null` for who may not know, and without a sale that has both. */
  readonly average_discount: { readonly amount: number; readonly percent: number } | null;
  readonly price_drops: number;
}

const PERCENT = 1_000_000;

/** Half a hundredth is rounded up. */
const toHundredths = (value: number): number => Math.round(value * 100) / 100;

/** What a reader is told of figures. */
export const answeredFigures = (figures: Figures, seesSales: boolean): AnsweredFigures => {
  const { added, sold, sold_cents, days_to_sell, discounts, discount_cents, discount_percents, price_drops } = figures;
  return {
    added,
    sold,
    sold_value: seesSales ? sold_cents / 100 : null,
    average_days_to_sell: sold === 0 ? null : toHundredths(days_to_sell / sold),
    average_discount:
      seesSales && discounts > 0
        ? {
            amount: Math.round(discount_cents / discounts) / 100,
            percent: toHundredths(discount_percents / PERCENT / discounts),
          }
        : null,
    price_drops,
  };
};
