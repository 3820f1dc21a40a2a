/**
 * What happened to a dealer's vehicles in a period of time. All figures are sums, so that the figures of days add up to
 * those of months. If a sale or vehicle changes, exactly what it had added is subtracted.
 */
export interface Figures {
  /** Vehicles that came to the lot. */
  readonly added: number;
  /** Sales whose date is known, and either the first price or the sold price. */
  readonly sold: number;
  /** The sum of the sold prices that were entered. */
  readonly sold_cents: number;
  /** The sum, over these sales, of the whole days from the listing to the sale. */
  readonly days_to_sell: number;
  /** Sales whose first price and sold price are both known. The next two figures are sums over these sales. */
  readonly discounts: number;
  readonly discount_cents: number;
  /** Percentages of the first price, in millionths of a percent. */
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

/** The sum of the figures of several periods. */
export const sumOf = (parts: readonly Figures[]): Figures =>
  Object.fromEntries(FIGURES.map((name) => [name, parts.reduce((sum, part) => sum + part[name], 0)])) as Record<
    keyof Figures,
    number
  >;

/**
 * Figures as they are answered, with money in units of the currency. Each average covers only the sales for which it is
 * known.
 */
export interface AnsweredFigures {
  readonly added: number;
  readonly sold: number;
  /** `null` if the caller may not know what vehicles were sold for. */
  readonly sold_value: number | null;
  /** `null` if nothing was sold. */
  readonly average_days_to_sell: number | null;
  /** How far sold prices are below first prices. `null` if the caller may not know, or if no sale has both prices. */
  readonly average_discount: { readonly amount: number; readonly percent: number } | null;
  readonly price_drops: number;
}

const PERCENT = 1_000_000;

/** Rounds to hundredths; a half is rounded up. */
const toHundredths = (value: number): number => Math.round(value * 100) / 100;

/** The figures as they are answered to a caller. */
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
