import { expect, test } from "bun:test";
import fc from "fast-check";
import { answeredFigures, FIGURES, type Figures, sumOf } from "../../../core/report/figures.ts";

const NONE = sumOf([]);
const figures = fc.record(
  Object.fromEntries(FIGURES.map((name) => [name, fc.integer({ min: 0, max: 1_000_000 })])) as Record<
    keyof Figures,
    fc.Arbitrary<number>
  >,
);

test("the figures of parts add up, whatever the parts", () => {
  fc.assert(
    fc.property(fc.array(figures), fc.array(figures), (some, others) => {
      expect(sumOf([sumOf(some), sumOf(others)])).toEqual(sumOf([...others, ...some]));
    }),
  );
});

test("averages cover the sales that have a value, are rounded to hundredths, and are `null` over none", () => {
  expect(answeredFigures(NONE, true)).toEqual({
    added: 0,
    sold: 0,
    sold_value: 0,
    average_days_to_sell: null,
    average_discount: null,
    price_drops: 0,
  });
  const sold = {
    ...NONE,
    sold: 3,
    sold_cents: 100_001,
    days_to_sell: 20,
    discounts: 2,
    discount_cents: -301,
    discount_percents: 6_250_000,
  };
  expect(answeredFigures(sold, true)).toMatchObject({
    sold_value: 1000.01,
    average_days_to_sell: 6.67,
    average_discount: { amount: -1.5, percent: 3.13 },
  });
  expect(answeredFigures({ ...sold, discounts: 0 }, true).average_discount).toBeNull();
});

test("a caller who may not see sale prices sees neither value nor discount", () => {
  fc.assert(
    fc.property(figures, (one) => {
      const { sold_value, average_discount, ...rest } = answeredFigures(one, false);
      expect([sold_value, average_discount]).toEqual([null, null]);
      expect(answeredFigures(one, true)).toMatchObject(rest);
    }),
  );
});
