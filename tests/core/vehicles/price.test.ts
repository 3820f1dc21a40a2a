import { expect, test } from "bun:test";
import fc from "fast-check";
import { centsOf, newVehicle } from "../../../core/vehicles/vehicle.ts";
import { newVehicleBody, pathsOf } from "../use-cases.ts";

const MAX_CENTS = 10_000_000_000;
const RUNS = { numRuns: 20_000 };

/** A price as a client writes it, with 2 decimals. */
const written = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;

const isAccepted = (price: number): boolean => pathsOf(newVehicle.parse(newVehicleBody({ price }))) === null;

test("every price with 2 decimals is accepted and stored to the cent", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: MAX_CENTS }), (cents) => {
      const price: number = JSON.parse(written(cents));
      if (centsOf(price) !== cents || centsOf(price) / 100 !== price || !isAccepted(price))
        expect([written(cents), centsOf(price), isAccepted(price)]).toEqual([written(cents), cents, true]);
    }),
    RUNS,
  );
});

test("every price up to 10 000 is stored to the cent, each of the million of them", () => {
  const lost: number[] = [];
  for (let cents = 0; cents <= 1_000_000; cents++) if (centsOf(Number(written(cents))) !== cents) lost.push(cents);
  expect(lost).toEqual([]);
});

test("a price with more decimals is refused, never rounded", () => {
  const finer = fc.tuple(fc.integer({ min: 0, max: MAX_CENTS - 1 }), fc.stringMatching(/^[0-9]{0,3}[1-9]$/));
  fc.assert(
    fc.property(finer, ([cents, decimals]) => {
      const price = Number(written(cents) + decimals);
      // With too many digits for a number, the parsed value may equal the shorter price.
      fc.pre(price !== Number(written(cents)) && price !== Number(written(cents + 1)));
      expect([price, isAccepted(price)]).toEqual([price, false]);
    }),
    { numRuns: 5000 },
  );
});

test("sums of prices in cents never drift, unlike sums of the decimal numbers", () => {
  const prices = fc.array(fc.integer({ min: 0, max: MAX_CENTS }), { minLength: 1, maxLength: 200, size: "max" });
  fc.assert(
    fc.property(prices, (cents) => {
      const sum = cents.reduce((total, one) => total + centsOf(Number(written(one))), 0);
      expect(BigInt(sum)).toBe(cents.reduce((total, one) => total + BigInt(one), 0n));
    }),
  );
  const dimes = Array<number>(1000).fill(0.1);
  expect(dimes.reduce((total, price) => total + price, 0)).not.toBe(100);
  expect(dimes.reduce((total, price) => total + centsOf(price), 0) / 100).toBe(100);
});
