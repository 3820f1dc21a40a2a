import { describe, expect, test } from "bun:test";
import {
  comparedBy,
  duplicateIds,
  duplicateIssues,
  fieldsToBeUnique,
  mayCoincide,
} from "../../../core/vehicles/duplicates.ts";

const CAR = { dealer_id: 1, status: "available", vin: "ABC1", stock_number: "Große 7" } as const;

describe("the fields of a vehicle that must be unique after a change", () => {
  for (const [what, present, changes, fields] of [
    ["none if their values stay, in whatever case", CAR, { vin: "abc1", stock_number: "GROSSE 7", price: 5 }, []],
    ["those with a new value", CAR, { vin: "ABD1" }, ["vin"]],
    ["those with a new value", { ...CAR, vin: null }, { vin: "X1", stock_number: "8" }, ["vin", "stock_number"]],
    ["none that are written in the place of none", CAR, { vin: "TBD", stock_number: "0000" }, []],
    ["none that are cleared", CAR, { vin: null, stock_number: null }, []],
    ["all if it comes to another dealer", CAR, { dealer_id: 2 }, ["vin", "stock_number"]],
    ["all that it has if it comes to another dealer", { ...CAR, vin: null }, { dealer_id: 2 }, ["stock_number"]],
    ["none if its dealer stays", CAR, { dealer_id: 1, status: "pending" }, []],
    ["all if it is unsold again", { ...CAR, status: "sold" }, { status: "pending" }, ["vin", "stock_number"]],
    ["none if it is or becomes sold", CAR, { status: "sold", vin: "ABD1" }, []],
    ["none if it is or becomes sold", { ...CAR, status: "sold" }, { vin: "ABD1" }, []],
  ] as const)
    test(`are ${what}: ${JSON.stringify(changes)}`, () => {
      expect(fieldsToBeUnique(present, changes)).toEqual([...fields]);
    });
});

test("only changes of the VIN, the stock number, the dealer, or to an unsold status can make a duplicate", () => {
  for (const changes of [{ vin: "A" }, { stock_number: "A" }, { dealer_id: 2 }, { status: "available" }] as const)
    expect(mayCoincide(changes)).toBe(true);
  for (const changes of [{}, { vin: null }, { stock_number: null }, { status: "sold" }] as const)
    expect(mayCoincide(changes)).toBe(false);
});

test("a vehicle is compared by the fields that must be unique alone", () => {
  expect(comparedBy(CAR, ["vin"])).toEqual({ dealer_id: 1, vin: "ABC1", stock_number: null });
  expect(comparedBy(CAR, ["stock_number"])).toEqual({ dealer_id: 1, vin: null, stock_number: "Große 7" });
});

test("duplicates are named once each, and by the field that they share", () => {
  const found = { vin: [15, 12], stock_number: [12, 9] };
  expect(duplicateIds(found)).toEqual([9, 12, 15]);
  expect(duplicateIssues({ vin: [12], stock_number: [9, 12] })).toEqual([
    { path: "vin", message: "is that of vehicle 12, which the dealer has and has not sold" },
    { path: "stock_number", message: "is that of vehicles 9, 12, which the dealer has and has not sold" },
  ]);
});
