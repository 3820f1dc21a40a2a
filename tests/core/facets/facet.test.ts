import { describe, expect, test } from "bun:test";
import { FACET_NAMES, facetsOf, mergedSpellings, mostFrequent } from "../../../core/facets/facet.ts";

describe("the values of a facet", () => {
  test("are at most 100, the most frequent first, equal counts by value, and the empty value last", () => {
    const counts = Array.from({ length: 150 }, (_, value) => ({ value, count: Math.floor(value / 2) }));
    const some = mostFrequent([{ value: null, count: 1000 }, ...counts]);
    expect(some).toHaveLength(100);
    expect(some.slice(0, 3)).toEqual([
      { value: 148, count: 74 },
      { value: 149, count: 74 },
      { value: 146, count: 73 },
    ]);
    expect(some.at(-1)).toEqual({ value: null, count: 1000 });
    expect(mostFrequent(counts)).toHaveLength(100);
    expect(mostFrequent(counts).at(-1)).toEqual({ value: 51, count: 25 });
    expect(mostFrequent([{ value: null, count: 3 }])).toEqual([{ value: null, count: 3 }]);
    expect(mostFrequent([])).toEqual([]);
  });

  test("are merged regardless of case and accents, in the spelling of most vehicles", () => {
    const merged = mergedSpellings("body_style", [
      { value: "skoda", count: 2 },
      { value: "ŠKODA", count: 2 },
      { value: "Škoda", count: 3 },
      { value: null, count: 1 },
      { value: "Tatra", count: 5 },
    ]);
    expect(mostFrequent(merged)).toEqual([
      { value: "Škoda", count: 7 },
      { value: "Tatra", count: 5 },
      { value: null, count: 1 },
    ]);
  });

  test("of makes and models are also merged regardless of signs and blanks, and of others are not", () => {
    const counts = [
      { value: "MERCEDES-BENZ", count: 1 },
      { value: "Mercedes-Benz", count: 1 },
      { value: "Mercedes Benz", count: 3 },
      { value: "+", count: 1 },
      { value: "-", count: 1 },
    ];
    expect(mergedSpellings("make", counts).map(({ value, count }) => [value, count])).toEqual([
      ["Mercedes Benz", 5],
      ["+", 1],
      ["-", 1],
    ]);
    expect(mergedSpellings("model", counts)).toHaveLength(3);
    expect(mergedSpellings("body_style", counts)).toHaveLength(4);
  });
});

test("all facets except the dealer and the days on the lot are counted unless some are requested, always in the same order", () => {
  expect(facetsOf({})).toEqual(FACET_NAMES.filter((name) => name !== "dealer" && name !== "days_on_lot"));
  expect(facetsOf({ facets: ["dealer", "price", "make"] })).toEqual(["make", "price", "dealer"]);
});
