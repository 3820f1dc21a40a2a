import { describe, expect, test } from "bun:test";
import { fieldsOf, VEHICLE_FIELDS } from "../../../core/vehicles/fields.ts";
import { NewVehicle, UNSET_VEHICLE, VEHICLE_READ_ONLY, VehicleChanges } from "../../../core/vehicles/vehicle.ts";

const FIELDS = Object.keys(VEHICLE_FIELDS);
const READ_ONLY = ["id", "previous_price", "price_changed_at", "created_at", "updated_at"];

describe("the list of a vehicle's fields", () => {
  for (const [name, { properties }, more] of [
    ["a new vehicle", NewVehicle, ["sold_price"]],
    ["a change of a vehicle", VehicleChanges, ["sold_price", "undo_sale"]],
  ] as const)
    test(`is what ${name} may contain, besides what the service sets, with what is said of its sale`, () => {
      expect(Object.keys(properties)).toEqual([...FIELDS.filter((field) => !READ_ONLY.includes(field)), ...more]);
      expect(VEHICLE_READ_ONLY).toEqual([...READ_ONLY, "dealer_name", "primary_image", "image_count", "change_id"]);
    });

  test("is what is stored of a vehicle, in the same order", () =>
    expect(["id", ...Object.keys(UNSET_VEHICLE)]).toEqual(FIELDS));

  test("keeps its own order when selected by kinds", () =>
    expect([...fieldsOf("flag", "price", "year")]).toEqual(["year", "price", "featured", "publish"]));
});
