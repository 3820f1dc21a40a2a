import { describe, expect, test } from "bun:test";
import {
  bodyOfVehicle,
  draftOfVehicle,
  FLAGS,
  LONG_FIELDS,
  LOT_FIELDS,
  labelOf,
  SHORT_FIELDS,
} from "../../../adapters/portal/vehicles/vehicle-draft.ts";
import { NewVehicle, type Vehicle } from "../../../core/vehicles/vehicle.ts";
import { vehicleFields } from "../../support/records.ts";

const SHOWN: readonly string[] = [...SHORT_FIELDS, ...LOT_FIELDS, ...LONG_FIELDS, ...FLAGS];
/** The owner is chosen outside the form. */
const SENDABLE = Object.keys(NewVehicle.properties).filter((field) => field !== "dealer_id" && field !== "sold_price");

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
  test("starts with the service's defaults", () =>
    expect(draftOfVehicle()).toMatchObject({ status: "available", featured: false, publish: true }));

  test("has every field that can be sent exactly once", () => expect([...SHOWN].sort()).toEqual([...SENDABLE].sort()));

  test("starts with the fields that identify a vehicle", () =>
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

  test("labels a field by its name, and the VIN by its abbreviation", () =>
    expect([labelOf("make"), labelOf("stock_number"), labelOf("vin")]).toEqual(["Make", "Stock number", "VIN"]));

  test("sends every field, with the vehicle's own values if nothing changed", () => {
    const body = bodyOfVehicle(draftOfVehicle(VEHICLE), VEHICLE);
    expect(Object.keys(body).sort()).toEqual([...SENDABLE].sort());
    const sent = SENDABLE.map((field) => [field, VEHICLE[field as keyof Vehicle]]);
    expect(body).toEqual({ ...Object.fromEntries(sent), featured: true, publish: true });
  });

  test("leaves empty stage and dates of a new vehicle to the service", () => {
    const body = bodyOfVehicle({ ...draftOfVehicle(), status: "sold" });
    expect(LOT_FIELDS.filter((field) => field in body)).toEqual([]);
  });

  test("drops a stage of another status, and the sale date of a vehicle that is not sold", () => {
    const sold = { ...VEHICLE, status: "sold", stage: "delivered", sold_at: "2026-11-20T12:00:00.000Z" } as const;
    const body = bodyOfVehicle({ ...draftOfVehicle(sold), status: "pending" }, sold);
    expect([body.stage, body.sold_at]).toEqual([null, null]);
  });

  test("sends the start of a changed date, but for a sale on the day of arrival the time of arrival", () => {
    const noon = new Date(2026, 10, 20, 12).toISOString();
    const vehicle = { ...VEHICLE, status: "sold", listed_at: noon, sold_at: null } as const;
    const draft = draftOfVehicle(vehicle);
    expect(bodyOfVehicle({ ...draft, sold_at: "2026-11-20" }, vehicle).sold_at).toBe(noon);
    expect(bodyOfVehicle({ ...draft, sold_at: "2026-11-21" }, vehicle).sold_at).toBe(
      new Date(2026, 10, 21).toISOString(),
    );
    expect(bodyOfVehicle({ ...draft, listed_at: "soon" }, vehicle).listed_at).toBe("soon");
  });
});
