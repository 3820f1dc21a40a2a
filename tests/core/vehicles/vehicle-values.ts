import { type FieldRule, FLAG_OR_BIT, ID, requiredTextOf, textOf, wholeNumberOf, wordOf } from "../field-rules.ts";

/** What the service makes a timestamp of. */
const DATE: FieldRule = {
  accepts: ["2026-11-20T00:00:00Z", "2026-02-28T23:59:59.999+01:00", "1999-12-31 12:00:00z"],
  refuses: ["", "2026-11-20", "2026-02-30T00:00:00Z", "2026-11-20T00:00:00", "yesterday", 5, true, [], {}],
};

/** A number with at most two decimals. */
const decimalOf = (max: number): FieldRule => ({
  accepts: [0, 0.01, 0.1, 1.15, 6.2, 17.99, max - 0.01, max],
  refuses: [
    -0.01,
    -1,
    max + 0.01,
    1e300,
    0.001,
    1.005,
    6.255,
    "6.2",
    "",
    Number.NaN,
    Number.POSITIVE_INFINITY,
    true,
    [],
  ],
});

const DAY: FieldRule = {
  accepts: ["2021-03-15", "2020-02-29", "1886-01-01", "2100-12-31"],
  refuses: [
    ...["", "2021-02-29", "2021-3-15", "2021-03", "1885-12-31", "2101-01-01", "15.03.2021", "2021-03-15T00:00:00Z"],
    ...["2021-03-15 ", "２021-03-15", "0000-00-00", 20210315, true, [], {}],
  ],
};

const PRICE: FieldRule = {
  accepts: [0, 0.01, 0.1, 0.29, 1.15, 8.41, 19.99, 25999.99, 99_999_999.99, 100_000_000],
  refuses: [
    -0.01,
    -1,
    100_000_000.01,
    1e9,
    1e300,
    0.001,
    1.005,
    2.675,
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

/**
 * The values of every field of a vehicle that can be sent. The core is tested with them, and the service over HTTP.
 * Years and dates are those of a clock at 2026-11-20T09:11:00Z.
 */
export const VEHICLE_VALUES: Readonly<Record<string, FieldRule>> = {
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
    refuses: ["", "x".repeat(33), "A B", "A_B", "Ä", "č", "A\n", "４", 4, [], {}],
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
  doors: wholeNumberOf(1, 20),
  owners: wholeNumberOf(0, 100),
  date_first_registered: DAY,
  warranty: textOf(1, 250),
  msrp: PRICE,
  electric_range: wholeNumberOf(0, 5000),
  battery_capacity: decimalOf(5000),
  charge_port: textOf(1, 100),
  fuel_consumption: decimalOf(1000),
  energy_consumption: decimalOf(1000),
  co2_emissions: wholeNumberOf(0, 5000),
  emissions_standard: textOf(1, 100),
  stage: wordOf("due_in", "in_transit", "in_prep", "reserved", "deposit", "on_hold", "delivered", "wholesale"),
  listed_at: DATE,
  sold_at: DATE,
  // It is no field of the vehicle, but a body may have it.
  sold_price: PRICE,
};

/** What a change may have besides: what becomes of a sale that ends. */
export const CHANGE_VALUES: Readonly<Record<string, FieldRule>> = {
  ...VEHICLE_VALUES,
  undo_sale: { accepts: [true, false], refuses: ["true", 1, []] },
};

/** The fields that a new vehicle must have, besides its dealer. */
export const REQUIRED = ["make", "model", "year", "price"];
/** The other fields that `null` does not clear. */
export const NOT_CLEARED = ["status", "featured", "publish"];
