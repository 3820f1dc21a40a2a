import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Compile } from "typebox/compile";
import { priceAfter, ROUNDINGS } from "../../../core/bulk/new-price.ts";
import { changedPrice, PriceChange } from "../../../core/bulk/price-change.ts";
import { MAX_PRICE } from "../../../core/vehicles/vehicle.ts";

const TABLE: readonly (readonly [price: number, change: PriceChange, result: number])[] = [
  [1000, { add: -500 }, 500],
  [0.1, { add: 0.2 }, 0.3],
  [1.15, { add: -1.15 }, 0],
  [99_999_999.99, { add: 0.01 }, MAX_PRICE],
  [1000, { percent: -3 }, 970],
  [0.5, { percent: -3 }, 0.49],
  [0.5, { percent: -1 }, 0.5],
  [1.5, { percent: -1 }, 1.49],
  [10.1, { percent: -5 }, 9.6],
  [0.01, { percent: 50 }, 0.02],
  [0.01, { percent: -50 }, 0.01],
  [0.01, { percent: -50.0001 }, 0],
  [25_999.99, { percent: 12.3456 }, 29_209.84],
  [MAX_PRICE, { percent: -100 }, 0],
  [25_588, { percent: -3, rounding: "to_10" }, 24_820],
  [25_588, { percent: -3, rounding: "to_100" }, 24_800],
  [25_588, { percent: -3, rounding: "ending_95" }, 24_795],
  [25_588, { add: -643, rounding: "ending_95" }, 24_995],
  [25_588, { percent: -3, rounding: "ending_99" }, 24_799],
  [24_990, { percent: -0.1, rounding: "to_100" }, 24_990],
  [24_910, { percent: 0.1, rounding: "to_100" }, 24_910],
  [24_950, { add: 0, rounding: "to_100" }, 25_000],
  [20, { add: -5, rounding: "ending_95" }, 20],
  [0, { add: 12, rounding: "ending_95" }, 95],
  [20_000, { percent: -10, never_below: 18_500 }, 18_500],
  [18_000, { percent: -10, never_below: 18_500 }, 18_000],
  [18_000, { percent: 1, never_below: 18_500 }, 18_180],
  [20_000, { percent: -10, rounding: "ending_95", never_below: 17_950.5 }, 17_995],
  [20_000, { percent: -10, rounding: "to_100", never_below: 18_050.5 }, 18_050.5],
  [5, { add: -10, never_below: 0 }, 0],
];

/** The distance of the prices to which each rounding leads, and what is left of them, in cents. */
const STEPS = { to_10: [1000, 0], to_100: [10_000, 0], ending_95: [10_000, 9500], ending_99: [10_000, 9900] } as const;

describe("a changed price", () => {
  for (const [price, change, result] of TABLE)
    test(`of ${price} by ${JSON.stringify(change)} is ${result}`, () => {
      expect(changedPrice(price, change)).toBe(result);
    });

  test("that no vehicle may have is reported for the price", () => {
    for (const [price, change] of [
      [1, { add: -1.01 }],
      [MAX_PRICE, { add: 0.01 }],
      [MAX_PRICE, { percent: 0.0001 }],
      [1, { add: -2, rounding: "to_10" }],
    ] as const)
      expect(changedPrice(price, change)).toMatchObject({ path: "price" });
  });

  test("is exact and rounds half a cent up, as integers of any size show", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10_000_000_000 }),
        fc.integer({ min: -1_000_000, max: 3_000_000 }),
        (cents, scaled) => {
          const exact = BigInt(cents) * BigInt(1_000_000 + scaled);
          const down = exact / 1_000_000n;
          const wanted = Number(down + (2n * (exact % 1_000_000n) >= 1_000_000n ? 1n : 0n));
          const result = changedPrice(cents / 100, { percent: scaled / 10_000 });
          if (wanted > MAX_PRICE * 100) expect(result).toMatchObject({ path: "price" });
          else expect(result).toBe(wanted / 100);
        },
      ),
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 5_000_000_000 }),
        fc.integer({ min: 0, max: 5_000_000_000 }),
        (one, other) => {
          expect(changedPrice(one / 100, { add: other / 100 })).toBe((one + other) / 100);
        },
      ),
    );
  });

  test("moves only in the direction of its change, keeps to the lowest price, and is then one of those rounded to", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10_000_000 }),
        fc.integer({ min: -1_000_000, max: 1_000_000 }),
        fc.constantFrom(...ROUNDINGS),
        fc.option(fc.integer({ min: 0, max: 5_000_000 }), { nil: undefined }),
        (cents, scaled, rounding, lowest) => {
          const percent = scaled / 10_000;
          const floor = lowest === undefined ? {} : { never_below: lowest / 100 };
          const after = Math.round(priceAfter(cents / 100, { percent, rounding, ...floor }) * 100);
          if (percent < 0) expect(after).toBeLessThanOrEqual(cents);
          if (percent > 0) expect(after).toBeGreaterThanOrEqual(cents);
          if (lowest !== undefined && cents >= lowest) expect(after).toBeGreaterThanOrEqual(lowest);
          if (after === cents || after === lowest) return;
          const [step, rest] = STEPS[rounding];
          expect(after % step).toBe(rest);
        },
      ),
    );
  });

  const accepts = Compile(PriceChange);
  const SENT: readonly (readonly [change: unknown, isAccepted: boolean])[] = [
    [{ add: -500 }, true],
    [{ add: 0.01 }, true],
    [{ add: 0.001 }, false],
    [{ add: 100_000_001 }, false],
    [{ add: "5" }, false],
    [{ add: null }, false],
    [{ percent: -100 }, true],
    [{ percent: -100.5 }, false],
    [{ percent: 10_000 }, true],
    [{ percent: 10_000.5 }, false],
    [{ percent: 0.0001 }, true],
    [{ percent: 0.00001 }, false],
    [{ percent: 3, add: 5 }, false],
    [{ percent: 3, rounding: "to_10", never_below: 0.01 }, true],
    [{ add: 3, rounding: "ending_99" }, true],
    [{ add: 3, rounding: "to_1" }, false],
    [{ add: 3, never_below: 0.001 }, false],
    [{ add: 3, never_below: -1 }, false],
    [{ rounding: "to_10" }, false],
    [{}, false],
    [[], false],
  ];
  for (const [change, isAccepted] of SENT)
    test(`may ${isAccepted ? "" : "not "}be requested as ${JSON.stringify(change)}`, () => {
      expect(accepts.Check(change)).toBe(isAccepted);
    });
});
