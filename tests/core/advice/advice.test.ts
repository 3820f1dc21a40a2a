import { describe, expect, test } from "bun:test";
import { daysAtPrice, MIN_SALES } from "../../../core/advice/estimate.ts";
import { type PastSale, similarSales } from "../../../core/advice/similar-sales.ts";

const at = (price: number, days: number) => ({ price, days });

describe("how long vehicles at a price took", () => {
  const SALES = [at(20_000, 10), at(20_500, 30), at(19_500, 20), at(24_000, 60), at(25_000, 80), at(26_000, 90)];

  test("is the median days of the sales within 5 % of it, with their number", () => {
    expect(daysAtPrice(SALES, 20_000)).toEqual({ price: 20_000, days: 20, sales: 3, within_percent: 5 });
    expect(daysAtPrice(SALES, 25_000)).toEqual({ price: 25_000, days: 80, sales: 3, within_percent: 5 });
    const even = [at(100, 1), at(100, 2), at(100, 4), at(100, 9), at(500, 1)];
    expect(daysAtPrice(even, 100)?.days).toBe(3);
  });

  test("counts a sale that is exactly so far away, and none beyond", () => {
    const edge = [at(95, 1), at(105, 1), at(100, 1), at(94.99, 50), at(105.01, 50)];
    expect(daysAtPrice(edge, 100)).toMatchObject({ days: 1, sales: 3 });
  });

  test("looks within 10 %, then 15 %, until there are three, and says nothing if there are not", () => {
    expect(daysAtPrice(SALES, 23_000)).toMatchObject({ days: 60, sales: 5, within_percent: 15 });
    expect(daysAtPrice(SALES, 21_400)).toMatchObject({ sales: 3, within_percent: 10 });
    expect(daysAtPrice(SALES, 40_000)).toBeNull();
    expect(daysAtPrice(SALES, 0)).toBeNull();
  });

  test("is not said with fewer than five sales", () => {
    const few = Array.from({ length: MIN_SALES - 1 }, () => at(100, 1));
    expect(daysAtPrice(few, 100)).toBeNull();
    expect(daysAtPrice([...few, at(900, 1)], 100)).toMatchObject({ sales: 4 });
  });
});

describe("the sales that tell of a vehicle", () => {
  let ids = 0;
  const sold = (count: number, year: number): PastSale[] =>
    Array.from({ length: count }, () => ({
      vehicle_id: ++ids,
      year,
      price: 1,
      days: 1,
      sold_at: "2026-11-20T00:00:00.000Z",
    }));

  test("are the last 20 of its model, up to two years older or newer", () => {
    const ofModel = [...sold(3, 2025), ...sold(30, 2020), ...sold(5, 2024), ...sold(5, 2019)];
    const { like, sales } = similarSales(2022, { ofModel, ofStyle: [] });
    expect([like, sales.length]).toEqual(["model_and_years", 20]);
    expect(sales.map(({ vehicle_id }) => vehicle_id)).toEqual(ofModel.slice(3, 23).map(({ vehicle_id }) => vehicle_id));
  });

  test("are of any age if these are fewer than five, or of its make and body style if its model has fewer", () => {
    const ofModel = [...sold(2, 2022), ...sold(3, 2010)];
    expect(similarSales(2022, { ofModel, ofStyle: sold(9, 2022) })).toEqual({ like: "model", sales: ofModel });
    const few = ofModel.slice(0, 4);
    const ofStyle = [...sold(5, 2024), ...sold(4, 2010)];
    expect(similarSales(2022, { ofModel: few, ofStyle })).toEqual({
      like: "body_style_and_years",
      sales: ofStyle.slice(0, 5),
    });
    expect(similarSales(2022, { ofModel: few, ofStyle: sold(4, 2022) })).toEqual({ like: "model", sales: few });
  });
});
