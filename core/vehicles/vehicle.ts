import Type, { type TOptional, type TSchema, type TUnsafe } from "typebox";
import { type Clock, isDay, yearOf } from "../clock.ts";
import { IncludeOfVehicles } from "../include.ts";
import type { Issue } from "../issues.ts";
import { PageQuery } from "../page.ts";
import { flagOrBit, type Input, id, integer, nullable, oneOf, patterned, requiredText, text } from "../schema.ts";
import { validator } from "../validation.ts";
import {
  type Field,
  type FieldOf,
  fieldsOf,
  type Kind,
  STAGES,
  STATUSES,
  VEHICLE_FIELDS,
  type Vehicle,
} from "./fields.ts";
import { DEALER_FILTER, FILTERS } from "./vehicle-filter.ts";
import { SortQuery } from "./vehicle-order.ts";

export { STATUSES, type Status, type Vehicle } from "./fields.ts";

/** The first valid year. The last one is this number of years after the current year. */
const FIRST_YEAR = 1886;
const YEARS_AHEAD = 2;
/** The highest price. */
export const MAX_PRICE = 100_000_000;

const DATE_FAULT = "must be an ISO 8601 date and time with a zone, such as 2026-11-20T00:00:00Z";
/** The days that a vehicle may have been registered on. */
const FIRST_DAY = `${FIRST_YEAR}-01-01`;
const LAST_DAY = "2100-12-31";
const DAY_FAULT = `must be a day from ${FIRST_DAY} to ${LAST_DAY}, such as 2021-03-15`;
const DATE_FORMAT = { format: "date-time" };

/** A price in whole cents; exact for every price the schema accepts. */
export const centsOf = (amount: number): number => Math.round(amount * 100);

interface Notes {
  readonly description?: string;
  readonly examples?: readonly unknown[];
}

/** A number with at most two decimals. */
const decimalSchema = (min: number, max: number, notes: Notes) =>
  Type.Refine(
    Type.Number({
      minimum: min,
      maximum: max,
      fault: `must be a number from ${min} to ${max} with up to 2 decimals`,
      ...notes,
    }),
    (value) => centsOf(value) / 100 === value,
  );

/** A price of a vehicle. */
export const priceSchema = (notes: Notes) => decimalSchema(0, MAX_PRICE, notes);

/**
 * A date and time of a vehicle. It is text, which `dateIssues` validates and `withTimestamps` turns into a timestamp.
 */
export const dateSchema = (notes: Notes) =>
  patterned({ pattern: "^.{10,40}$", max: 40, fault: DATE_FAULT, documented: DATE_FORMAT, ...notes });

/** A day of the calendar. */
const daySchema = (notes: Notes) =>
  Type.Refine(
    patterned({
      pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
      max: 10,
      fault: DAY_FAULT,
      documented: { format: "date" },
      ...notes,
    }),
    (value) => isDay(value) && value >= FIRST_DAY && value <= LAST_DAY,
  );

/** The schema of each kind of field in a request body. Fields that may be unset also accept `null`. */
const SCHEMAS: { readonly [Key in Sendable]: (field: Field<Key>) => TSchema } = {
  dealer: ({ kind: _, ...notes }) => id(notes),
  name: ({ kind: _, max, ...notes }) => requiredText(max, notes),
  year: ({ kind: _, ...notes }) => integer(FIRST_YEAR, 9999, notes),
  price: ({ kind: _, ...notes }) => priceSchema(notes),
  status: ({ kind: _, ...notes }) => oneOf(STATUSES, { default: "available", ...notes }),
  flag: ({ kind: _, initial, ...notes }) => flagOrBit({ default: initial === 1, ...notes }),
  date: ({ kind: _, ...notes }) => nullable(dateSchema(notes)),
  stage: ({ kind: _, ...notes }) => nullable(oneOf(Object.values(STAGES).flat(), notes)),
  text: ({ kind: _, min, max, ...notes }) => nullable(text(min, max, notes)),
  code: ({ kind: _, ...wanted }) => nullable(patterned(wanted)),
  long: ({ kind: _, max, ...notes }) => nullable(text(0, max, notes)),
  whole: ({ kind: _, min, max, ...notes }) => nullable(integer(min, max, notes)),
  decimal: ({ kind: _, min, max, ...notes }) => nullable(decimalSchema(min, max, notes)),
  money: ({ kind: _, ...notes }) => nullable(priceSchema(notes)),
  day: ({ kind: _, ...notes }) => nullable(daySchema(notes)),
};

type ReadOnly = "id" | "moment" | "past-price" | "past-moment";
type Sendable = Exclude<Kind, ReadOnly>;
type SendableField = FieldOf<Sendable>;

/** The type of a field in a body. */
type Sent<Name extends SendableField> = Name extends FieldOf<"flag"> ? boolean | 0 | 1 : Vehicle[Name];

const SENDABLE = fieldsOf(...(Object.keys(SCHEMAS) as Sendable[]));

const schemaOf = <Key extends Sendable>(field: Field<Key>): TSchema => SCHEMAS[field.kind](field);

/** What a vehicle was sold for. It is no field of the vehicle: it is kept with the sale, and no list or feed has it. */
const SOLD_PRICE = {
  sold_price: Type.Optional(
    nullable(
      priceSchema({
        description:
          "What it was sold for, beside `status: sold`. It is kept with the sale and is not a field of the vehicle: `GET /api/vehicles/:id/sale` answers it. Without it, or with `null`, nothing is entered.",
      }),
    ),
  ),
} as const;

/** What becomes of the sale of a vehicle that comes back. It is no field of the vehicle. */
const UNDO_SALE = {
  undo_sale: Type.Optional(
    Type.Boolean({
      fault: "must be true or false",
      description:
        "Beside a status that ends a sale: `true` undoes the sale, `false` lets it stand in reports and begins the vehicle's second stay on the lot, listed now unless `listed_at` says when. Default: `true` for `resale_days` (a setting) after the sale, then `false`.",
    }),
  ),
} as const;

/** The schema of a body in which these fields are required and all others optional. */
const bodyWith = <Name extends SendableField>(required: readonly Name[]) =>
  Type.Object(
    Object.fromEntries(
      SENDABLE.map((name) => {
        const schema = schemaOf(VEHICLE_FIELDS[name]);
        return [name, required.some((one) => one === name) ? schema : Type.Optional(schema)];
      }),
    ) as {
      readonly [Key in SendableField]: Key extends Name ? TUnsafe<Sent<Key>> : TOptional<TUnsafe<Sent<Key>>>;
    },
  );

/** Body of POST /api/vehicles. `dealer_id` is required from unbound keys, and replaced for bound ones. */
export const NewVehicle = Type.Object({
  ...bodyWith(fieldsOf("name", "year", "price")).properties,
  dealer_id: nullable(SCHEMAS.dealer(VEHICLE_FIELDS.dealer_id) as TUnsafe<number>),
  ...SOLD_PRICE,
});

/** Body of PUT /api/vehicles/:id. Every field is optional. */
export const VehicleChanges = Type.Object({ ...bodyWith([]).properties, ...SOLD_PRICE, ...UNDO_SALE });

/**
 * Fields that the service computes, those that `include` adds last. In request bodies they are ignored, so that a client
 * can send an answer back.
 */
export const VEHICLE_READ_ONLY: readonly string[] = [
  ...fieldsOf("id", "moment", "past-price", "past-moment"),
  ...["dealer_name", "primary_image", "image_count", "change_id"],
];

const cursor = Type.Optional(
  text(1, 500, {
    description: "`meta.next_cursor` of the previous page. The list continues exactly where that page ended.",
  }),
);

const LIST_PARAMETERS = { ...FILTERS, ...SortQuery, ...IncludeOfVehicles, ...PageQuery, cursor };

/** Query of GET /api/dealers/:id/vehicles. */
export const InventoryQuery = Type.Object({
  dealer_id: Type.Optional(id({ description: "Has no effect: the path names the dealer." })),
  ...LIST_PARAMETERS,
});
export type InventoryQuery = Input<typeof InventoryQuery>;

/** Query of GET /api/vehicles (interface 6.1). */
export const VehicleQuery = Type.Object({ ...DEALER_FILTER, ...LIST_PARAMETERS });
export type VehicleQuery = Input<typeof VehicleQuery>;

const DATES = fieldsOf("date");

/** Returns an issue for each date that has no zone or does not exist. */
export const dateIssues =
  (clock: Pick<Clock, "parse">) =>
  (fields: Readonly<Record<string, unknown>>): Issue[] =>
    DATES.filter((path) => {
      const sent = fields[path];
      return typeof sent === "string" && clock.parse(sent) === null;
    }).map((path) => ({ path, message: DATE_FAULT }));

const lastYear = (clock: Pick<Clock, "now">): number => yearOf(clock.now()) + YEARS_AHEAD;

const yearFault = (clock: Pick<Clock, "now">): string =>
  `must be a whole number from ${FIRST_YEAR} to ${lastYear(clock)}`;

/** Rules that a schema cannot express: the last valid year depends on the clock, and dates must exist. */
export const vehicleRules =
  (clock: Pick<Clock, "now" | "parse">) =>
  (fields: Readonly<Record<string, unknown>>): Issue[] => {
    const issues = dateIssues(clock)(fields);
    return typeof fields.year === "number" && fields.year > lastYear(clock)
      ? [{ path: "year", message: yearFault(clock) }, ...issues]
      : issues;
  };

/** The messages for invalid fields that depend on the clock: an invalid year is told the range that holds now. */
export const vehicleFaults = (clock: Pick<Clock, "now">) => ({ year: yearFault(clock) });

/** The same fields with their dates as timestamps. `dateIssues` must have found no issue. */
export const withTimestamps = <Fields extends object>(clock: Pick<Clock, "parse">, fields: Fields): Fields => {
  const parsed = DATES.flatMap((name) => {
    const value = name in fields ? fields[name as keyof Fields] : null;
    return typeof value === "string" ? [[name, clock.parse(value)]] : [];
  });
  return parsed.length === 0 ? fields : { ...fields, ...Object.fromEntries(parsed) };
};

const unsetOf = (field: Field): "available" | 0 | 1 | null => {
  if (field.kind === "status") return "available";
  return field.kind === "flag" ? field.initial : null;
};

/** A vehicle with defaults and `null` in all fields, in the order in which they are stored. */
export const UNSET_VEHICLE = Object.fromEntries(
  Object.entries<Field>(VEHICLE_FIELDS)
    .filter(([, { kind }]) => kind !== "id")
    .map(([name, field]) => [name, unsetOf(field)]),
) as Pick<Vehicle, FieldOf<Exclude<Kind, "id" | "moment" | "dealer" | "name" | "year" | "price">>>;

/** The title of a vehicle that is created without one. */
export const generatedTitle = (vehicle: { year: number; make: string; model: string }): string =>
  `${vehicle.year} ${vehicle.make} ${vehicle.model}`;

export const newVehicle = validator(NewVehicle, VEHICLE_READ_ONLY);
export const vehicleChanges = validator(VehicleChanges, VEHICLE_READ_ONLY);
