import { expect, test } from "bun:test";
import fc from "fast-check";
import { loweredByStep } from "../../../core/bulk/lower-step.ts";

test("a step lowers a price by 2 % and keeps its form, and what is too low for that moves by tens and units", () => {
  const after = (...prices: readonly number[]) => prices.map((price) => loweredByStep(price));
  expect(after(25_995, 25_999, 25_900, 25_990)).toEqual([25_495, 25_499, 25_400, 25_470]);
  expect(after(25_999.99, 1000, 400, 30)).toEqual([25_480, 980, 390, 29]);
});

test("no step goes below a floor, and a price that is there already stays", () => {
  const after = [loweredByStep(25_995, 25_600), loweredByStep(25_995, 25_995), loweredByStep(9000, 9500)];
  expect([...after, loweredByStep(30, 29.5)]).toEqual([25_600, 25_995, 9000, 29.5]);
});

test("a step never raises a price, and never lowers one from 100 on by more than a tenth", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000 }), (cents) => {
      const price = cents / 100;
      const lowered = loweredByStep(price);
      expect(lowered).toBeLessThanOrEqual(price);
      if (price >= 100) expect(lowered).toBeGreaterThanOrEqual(price * 0.9);
      expect(lowered).toBeGreaterThanOrEqual(0);
    }),
  );
});
