import { describe, expect, test } from "bun:test";
import {
  NewVehicle,
  newVehicle,
  VehicleChanges,
  vehicleChanges,
  vehicleRules,
} from "../../../core/vehicles/vehicle.ts";
import { fakeClock } from "../../support/clock.ts";
import {
  type FieldRule,
  FLAG_OR_BIT,
  ID,
  requiredTextOf,
  testBody,
  textOf,
  wholeNumberOf,
  wordOf,
} from "../field-rules.ts";
import { newVehicleBody, pathsOf } from "../use-cases.ts";

const RULES = vehicleRules(fakeClock(Date.parse("2026-11-20T09:11:00.000Z")));

/** What the service makes a timestamp of. */
const DATE: FieldRule = {
  accepts: ["2026-11-20T00:00:00Z", "2026-02-28T23:59:59.999+01:00", "1999-12-31 12:00:00z"],
  refuses: ["", "2026-11-20", "2026-02-30T00:00:00Z", "2026-11-20T00:00:00", "yesterday", 5, true, [], {}],
};

const PRICE: FieldRule = {
  accepts: [0, 0.01, 0.1, 0.29, 1.15, 19.99, 25999.99, 99_999_999.99, 100_000_000],
  refuses: [
    -0.01,
    -1,
    100_000_000.01,
    1e9,
    0.001,
    19.999,
    1e-7,
    0.30000000000000004,
    "1",
    "",
    Number.NaN,
    Number.POSITIVE_INFINITY,
    true,
    [],
    {},
  ],
};

const FIELDS: Readonly<Record<string, FieldRule>> = {
  dealer_id: ID,
  make: requiredTextOf(100),
  model: requiredTextOf(100),
  year: wholeNumberOf(1886, 2028),
  price: PRICE,
  title: textOf(0, 250),
  trim: textOf(1, 100),
  mileage: wholeNumberOf(0, 10_000_000),
  exterior_color: textOf(1, 100),
  interior_color: textOf(1, 100),
  vin: {
    accepts: ["4T1G11AK5LU123456", "a", "-", "ABC-123-def", "x".repeat(32)],
    refuses: ["", "x".repeat(33), "A B", "A_B", "Ä", "A\n", "４", 4, [], {}],
  },
  stock_number: textOf(1, 64),
  description: textOf(0, 20_000),
  features: textOf(0, 5_000),
  status: wordOf("available", "sold", "pending"),
  featured: FLAG_OR_BIT,
  publish: FLAG_OR_BIT,
  fuel_type: textOf(1, 100),
  transmission: textOf(1, 100),
  engine: textOf(1, 100),
  drivetrain: textOf(1, 100),
  body_style: textOf(1, 100),
  condition: textOf(1, 100),
  seats: wholeNumberOf(1, 200),
  stage: wordOf("due_in", "in_transit", "in_prep", "reserved", "deposit", "on_hold", "delivered", "wholesale"),
  listed_at: DATE,
  sold_at: DATE,
};

const READ_ONLY = ["id", "previous_price", "price_changed_at", "created_at", "updated_at"];
const REQUIRED = ["make", "model", "year", "price"];

testBody("a new vehicle", {
  parse: (input) => newVehicle.parse(input, RULES),
  schema: NewVehicle,
  base: newVehicleBody(),
  fields: FIELDS,
  required: REQUIRED,
  notNull: ["status", "featured", "publish"],
  readOnly: READ_ONLY,
});

testBody("a change of a vehicle", {
  parse: (input) => vehicleChanges.parse(input, RULES),
  schema: VehicleChanges,
  base: {},
  fields: FIELDS,
  required: [],
  notNull: [...REQUIRED, "dealer_id", "status", "featured", "publish"],
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
