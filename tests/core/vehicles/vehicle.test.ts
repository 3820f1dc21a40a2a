import { describe, expect, test } from "bun:test";
import {
  NewVehicle,
  newVehicle,
  VehicleChanges,
  vehicleChanges,
  vehicleRules,
} from "../../../core/vehicles/vehicle.ts";
import { fakeClock } from "../../support/clock.ts";
import { testBody } from "../field-rules.ts";
import { newVehicleBody, pathsOf } from "../use-cases.ts";
import { CHANGE_VALUES, NOT_CLEARED, REQUIRED, VEHICLE_VALUES } from "./vehicle-values.ts";

const RULES = vehicleRules(fakeClock(Date.parse("2026-11-20T09:11:00.000Z")));

const READ_ONLY = ["id", "previous_price", "price_changed_at", "created_at", "updated_at"];

testBody("a new vehicle", {
  parse: (input) => newVehicle.parse(input, RULES),
  schema: NewVehicle,
  base: newVehicleBody(),
  fields: VEHICLE_VALUES,
  required: REQUIRED,
  notNull: NOT_CLEARED,
  readOnly: READ_ONLY,
});

testBody("a change of a vehicle", {
  parse: (input) => vehicleChanges.parse(input, RULES),
  schema: VehicleChanges,
  base: {},
  fields: CHANGE_VALUES,
  required: [],
  notNull: [...REQUIRED, "dealer_id", ...NOT_CLEARED, "undo_sale"],
  readOnly: READ_ONLY,
});

describe("the last year a vehicle may have", () => {
  for (const [now, last] of [
    ["2026-12-31T23:59:59.999Z", 2028],
    ["2027-01-01T00:00:00.000Z", 2029],
  ] as const)
    test(`is ${last} at ${now}: two years ahead, which moves with the clock`, () => {
      const issues = (year: number) =>
        pathsOf(newVehicle.parse(newVehicleBody({ year }), vehicleRules(fakeClock(Date.parse(now)))));
      expect([issues(last), issues(last + 1)]).toEqual([null, ["year"]]);
    });
});
