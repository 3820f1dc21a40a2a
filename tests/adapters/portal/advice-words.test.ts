import { expect, test } from "bun:test";
import {
  firstOffer,
  nearestOffer,
  rangeAbout,
  salesOfWhat,
  ticksOf,
} from "../../../adapters/portal/advice/advice-words.ts";
import { momentOf, nextFriday } from "../../../adapters/portal/scheduled-changes/moment.ts";
import { isUnusualChange } from "../../../core/vehicles/price-doubt.ts";

test("the slider goes through prices that are not asked about, and begins a little below the present one", () => {
  for (const price of [900, 4_990, 5_000, 25_588, 26_000, 129_990]) {
    const { low, high, step } = rangeAbout(price);
    expect([isUnusualChange(price, low), isUnusualChange(price, high)]).toEqual([false, false]);
    expect((high - low) % step).toBe(0);
    expect(high).toBeGreaterThan(price);
    const first = firstOffer(price);
    expect((first - low) % step).toBe(0);
    expect(first).toBeLessThan(price);
    expect(first).toBeGreaterThan(low);
  }
  expect(firstOffer(25_588)).toBe(24_990);
});

test("a chosen price stays chosen when the vehicle's own price changes, as far as the slider still goes there", () => {
  expect(nearestOffer(26_000, 24_090)).toBe(24_090);
  // What was chosen is the present price now, also where the slider has other steps than before.
  expect(nearestOffer(5_120, 5_120)).toBe(5_120);
  expect(nearestOffer(40_000, 24_090)).toBe(rangeAbout(40_000).low);
  expect(nearestOffer(12_000, 24_090)).toBe(rangeAbout(12_000).high);
});

test("a chart has a few round numbers at its sides, and whole days", () => {
  expect(ticksOf(0, 95, 5)).toEqual([0, 20, 40, 60, 80]);
  expect(ticksOf(23_850, 26_230, 3)).toEqual([24_000, 25_000, 26_000]);
  expect(ticksOf(0, 3, 5)).toEqual([0, 1, 2, 3]);
});

test("sales are told by model or make and body style, with their years", () => {
  const car = { make: "Toyota", model: "Camry", body_style: "sedan" };
  const sales = [2024, 2020].map((year) => ({ vehicle_id: year, year, price: 1, days: 1, sold_at: "" }));
  expect(salesOfWhat({ like: "model_and_years", sales }, car)).toBe("Camry, 2020 to 2024");
  expect(salesOfWhat({ like: "body_style_and_years", sales: sales.slice(1) }, car)).toBe("Toyota sedan, 2020");
});

test("the day that is offered is the next Friday, in the morning, and on a Friday that of the next week", () => {
  const on = (day: number) => nextFriday(new Date(2026, 10, day, 15, 30));
  expect([on(23), on(26), on(27), on(28)]).toEqual([
    "2026-11-27T09:00",
    "2026-11-27T09:00",
    "2026-12-04T09:00",
    "2026-12-04T09:00",
  ]);
  expect(momentOf("2026-12-04T09:00")).toBe(new Date(2026, 11, 4, 9).toISOString());
  expect(momentOf("soon")).toBe("soon");
});
