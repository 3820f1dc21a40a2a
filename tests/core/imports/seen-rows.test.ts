import { describe, expect, test } from "bun:test";
import type { ProcessedRow } from "../../../core/imports/import-repository.ts";
import { SeenRows } from "../../../core/imports/seen-rows.ts";

const seen = (...rows: readonly Partial<ProcessedRow>[]): SeenRows => {
  const all = new SeenRows();
  for (const row of rows)
    all.add({ dealer_id: 1, vin: null, stock_number: null, vehicle_id: null, outcome: "created", ...row });
  return all;
};

describe("duplicate rows", () => {
  const both = { vin: "v1", stock_number: "s1" };
  test.each([
    ["with the same VIN", [both], { vin: "v1", stock_number: "s2" }, true],
    ["with another VIN and the same stock number", [both], { vin: "v2", stock_number: "s1" }, false],
    ["without a VIN and with the same stock number", [both], { vin: null, stock_number: "s1" }, true],
    ["with a VIN and the stock number of one without", [{ stock_number: "s1" }], both, true],
    [
      "with a VIN and the stock number of two, one without",
      [both, { stock_number: "s1" }],
      { ...both, vin: "v2" },
      true,
    ],
    [
      "with a VIN and the stock number of two, the first without",
      [{ stock_number: "s1" }, both],
      { ...both, vin: "v2" },
      true,
    ],
    ["of another dealer", [{ ...both, dealer_id: 2 }], both, false],
    [
      "without a stock number after one that is called null",
      [{ stock_number: "null" }],
      { vin: "v1", stock_number: null },
      false,
    ],
    ["without anything", [{}], { vin: null, stock_number: null }, false],
  ] as const)("%s: %j, %j: %p", (_, before, key, isSeen) => {
    expect(seen(...before).has(1, key)).toBe(isSeen);
  });
});

test("a stock number is taken only by a row that creates a vehicle with it", () => {
  const rows = seen(
    { stock_number: "made" },
    { stock_number: "changed", outcome: "updated" },
    { stock_number: "made of another dealer", dealer_id: 2 },
  );
  expect(["made", "changed", "made of another dealer", null].map((stock) => rows.createsStockNumber(1, stock))).toEqual(
    [true, false, false, false],
  );
});

test("a second row for the same vehicle is found, whatever keys it uses", () => {
  const rows = seen({ vehicle_id: 7, outcome: "updated" });
  expect([rows.hasVehicle(7), rows.hasVehicle(8)]).toEqual([true, false]);
});
