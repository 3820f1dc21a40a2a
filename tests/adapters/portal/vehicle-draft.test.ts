import { describe, expect, test } from "bun:test";
import {
  bodyOfVehicle,
  draftOfVehicle,
  FLAGS,
  LONG_FIELDS,
  labelOf,
  SHORT_FIELDS,
} from "../../../adapters/portal/vehicles/vehicle-draft.ts";
import { NewVehicle, type Vehicle } from "../../../core/vehicles/vehicle.ts";
import { vehicleFields } from "../../support/records.ts";

const SHOWN: readonly string[] = [...SHORT_FIELDS, ...LONG_FIELDS, ...FLAGS];
/** The owner, and where the vehicle stands between its arrival and its sale, are chosen outside the form. */
const ELSEWHERE = ["dealer_id", "stage", "listed_at", "sold_at"];
const SENDABLE = Object.keys(NewVehicle.properties).filter((field) => !ELSEWHERE.includes(field));

const VEHICLE: Vehicle = {
  id: 1,
  ...vehicleFields(2, {
    trim: "XSE",
    mileage: 12_500,
    vin: "4T1G11AK5LU123456",
    status: "pending",
    featured: 1,
    seats: 5,
  }),
};

describe("the form of a vehicle", () => {
  test("has every field that can be sent, once", () => expect([...SHOWN].sort()).toEqual([...SENDABLE].sort()));

  test("begins with what tells a vehicle from others", () =>
    expect(SHORT_FIELDS.slice(0, 10)).toEqual([
      "make",
      "model",
      "year",
      "price",
      "status",
      "mileage",
      "title",
      "trim",
      "vin",
      "stock_number",
    ]));

  test("calls a field by its name, and the VIN by its abbreviation", () =>
    expect([labelOf("make"), labelOf("stock_number"), labelOf("vin")]).toEqual(["Make", "Stock number", "VIN"]));

  test("sends every field, and sends back what a vehicle had", () => {
    const body = bodyOfVehicle(draftOfVehicle(VEHICLE));
    expect(Object.keys(body).sort()).toEqual([...SENDABLE].sort());
    const sent = SENDABLE.map((field) => [field, VEHICLE[field as keyof Vehicle]]);
    expect(body).toEqual({ ...Object.fromEntries(sent), featured: true });
  });
});
