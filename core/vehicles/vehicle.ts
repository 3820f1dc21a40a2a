import Type from "typebox";
import type { Timestamp } from "../clock.ts";
import { yearOf } from "../clock.ts";
import type { Issue } from "../issues.ts";
import { PageQuery } from "../page.ts";
import { flag, flagOrBit, type Input, id, integer, nullable, oneOf, patterned, requiredText, text } from "../schema.ts";
import { validator } from "../validation.ts";

/** States of a vehicle; any may follow any (specification 3). */
export const STATUSES = ["available", "sold", "pending"] as const;
export type Status = (typeof STATUSES)[number];

/** A vehicle as the service answers it (specification 2.1). */
export interface Vehicle {
  readonly id: number;
  readonly dealer_id: number;
  readonly make: string;
  readonly model: string;
  readonly year: number;
  readonly price: number;
  readonly title: string | null;
  readonly trim: string | null;
  readonly mileage: number | null;
  readonly exterior_color: string | null;
  readonly interior_color: string | null;
  readonly vin: string | null;
  readonly stock_number: string | null;
  readonly description: string | null;
  readonly features: string | null;
  readonly status: Status;
  readonly featured: 0 | 1;
  readonly fuel_type: string | null;
  readonly transmission: string | null;
  readonly engine: string | null;
  readonly drivetrain: string | null;
  readonly body_style: string | null;
  readonly condition: string | null;
  readonly seats: number | null;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
}

/** The first year a car was built; the last is two after the present. */
const FIRST_YEAR = 1886;
const YEARS_AHEAD = 2;
const MAX_PRICE = 100_000_000;

const price = Type.Refine(
  Type.Number({
    minimum: 0,
    maximum: MAX_PRICE,
    fault: `must be a number from 0 to ${MAX_PRICE} with up to 2 decimals`,
    description: "In the dealer's currency, at most 2 decimals, kept exactly.",
    examples: [25999.99],
  }),
  (value) => centsOf(value) / 100 === value,
);

/** A price in whole cents; exact for every price the schema accepts. */
export const centsOf = (amount: number): number => Math.round(amount * 100);

const required = {
  make: requiredText(100, { examples: ["Toyota"] }),
  model: requiredText(100, { examples: ["Camry"] }),
  year: integer(FIRST_YEAR, 9999, { description: "1886 to the current year + 2.", examples: [2024] }),
  price,
};

const dealerId = id({ description: "Owning dealer.", examples: [1] });

const optional = {
  title: nullable(text(0, 250, { description: "Made of year, make and model when left out on creation." })),
  trim: nullable(text(1, 100, { examples: ["XSE"] })),
  mileage: nullable(integer(0, 10_000_000, { examples: [12500] })),
  exterior_color: nullable(text(1, 100, { examples: ["Midnight Black"] })),
  interior_color: nullable(text(1, 100, { examples: ["Ash"] })),
  vin: nullable(
    patterned("^[A-Za-z0-9-]{1,32}$", 32, "must be 1 to 32 letters, digits or hyphens", {
      examples: ["4T1G11AK5LU123456"],
    }),
  ),
  stock_number: nullable(text(1, 64, { examples: ["A1042"] })),
  description: nullable(text(0, 20_000)),
  features: nullable(text(0, 5_000, { description: "Comma-separated list.", examples: ["Bluetooth,Backup Camera"] })),
  status: Type.Optional(oneOf(STATUSES, { default: "available" })),
  featured: Type.Optional(flagOrBit({ default: false, description: "Answered as 0 or 1." })),
  fuel_type: nullable(text(1, 100, { examples: ["gasoline"] })),
  transmission: nullable(text(1, 100, { examples: ["automatic"] })),
  engine: nullable(text(1, 100, { examples: ["2.5L I4"] })),
  drivetrain: nullable(text(1, 100, { examples: ["FWD"] })),
  body_style: nullable(text(1, 100, { examples: ["sedan"] })),
  condition: nullable(text(1, 100, { examples: ["used"] })),
  seats: nullable(integer(1, 200, { examples: [5] })),
};

/** Body of POST /api/vehicles. `dealer_id` is required of unbound keys and overridden for bound ones. */
export const NewVehicle = Type.Object({ dealer_id: nullable(dealerId), ...required, ...optional });

/** Body of PUT /api/vehicles/:id: any subset. */
export const VehicleChanges = Type.Object({
  ...Type.Partial(Type.Object(required)).properties,
  ...optional,
  dealer_id: Type.Optional(dealerId),
});

/** Fields the service computes: accepted in bodies and ignored, so that what was read can be sent back. */
export const VEHICLE_READ_ONLY = ["id", "created_at", "updated_at"] as const;

/** Filters of a dealer's inventory. */
const Filters = {
  status: Type.Optional(oneOf(STATUSES)),
  featured: Type.Optional(flag()),
  make: Type.Optional(requiredText(100, { description: "Whole value, without regard to case." })),
  model: Type.Optional(requiredText(100, { description: "Whole value, without regard to case." })),
  year: Type.Optional(integer(0, Number.MAX_SAFE_INTEGER)),
  min_price: Type.Optional(integer(0, Number.MAX_SAFE_INTEGER)),
  max_price: Type.Optional(integer(0, Number.MAX_SAFE_INTEGER)),
};

const cursor = Type.Optional(
  text(1, 500, { description: "`meta.next_cursor` of the page before; goes on exactly where that page ended." }),
);

/** Query of GET /api/dealers/:id/vehicles. */
export const InventoryQuery = Type.Object({ ...Filters, ...PageQuery, cursor });
export type InventoryQuery = Input<typeof InventoryQuery>;

/** Query of GET /api/vehicles (specification 4.1). */
export const VehicleQuery = Type.Object({
  dealer_id: Type.Optional(id({ description: "Only vehicles of this dealer. A bound key's dealer replaces it." })),
  ...InventoryQuery.properties,
});
export type VehicleQuery = Input<typeof VehicleQuery>;

/** Rules on one vehicle that a schema cannot hold: the year's upper end moves with the clock. */
export const vehicleRules =
  (now: Timestamp) =>
  (fields: { readonly year?: unknown }): Issue[] => {
    const last = yearOf(now) + YEARS_AHEAD;
    return typeof fields.year === "number" && fields.year > last
      ? [{ path: "year", message: `must be a whole number from ${FIRST_YEAR} to ${last}` }]
      : [];
  };

/** The title of a vehicle that is created without one. */
export const generatedTitle = (vehicle: { year: number; make: string; model: string }): string =>
  `${vehicle.year} ${vehicle.make} ${vehicle.model}`;

export const newVehicle = validator(NewVehicle, VEHICLE_READ_ONLY);
export const vehicleChanges = validator(VehicleChanges, VEHICLE_READ_ONLY);
