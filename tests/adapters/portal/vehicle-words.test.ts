import { describe, expect, test } from "bun:test";
import { identifiersOf, isSearchable, withSuggestion } from "../../../adapters/portal/vehicles/vehicle-words.ts";

describe("the words of a search for vehicles", () => {
  for (const [typed, suggestion, whole] of [
    ["toy", "Toyota", "Toyota"],
    ["red toy", "Toyota", "red Toyota"],
    ["red toyota cam", "Toyota Camry", "red Toyota Camry"],
    ["  ford   f-1 ", "Ford F-150", "Ford F-150"],
  ] as const)
    test(`"${typed}" with "${suggestion}" chosen becomes "${whole}"`, () =>
      expect(withSuggestion(typed, suggestion)).toBe(whole));

  test("need a letter or digit of any alphabet", () =>
    expect(["", " - ", "…", "a", "7", "Ж", "東"].map(isSearchable)).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
      true,
    ]));
});

test("stock number, the end of the VIN and color identify a vehicle", () => {
  const vehicle = {
    stock_number: "A1042",
    vin: "4T1G11AK5LU123456",
    exterior_color: "Midnight Black",
    featured: 1,
  } as const;
  expect(identifiersOf(vehicle)).toBe("A1042 · …123456 · Midnight Black · featured");
  expect(identifiersOf({ stock_number: null, vin: null, exterior_color: null, featured: 0 })).toBe("No stock number");
});
