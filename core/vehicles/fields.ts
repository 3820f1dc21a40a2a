import type { Timestamp } from "../clock.ts";
import { type NamesOf, namesOf } from "../fields.ts";

/** The statuses of a vehicle. Each may follow any other (interface 3.1). */
export const STATUSES = ["available", "sold", "pending"] as const;
export type Status = (typeof STATUSES)[number];

/** The stages within each status. A vehicle has one of the stages of its status, or none. */
export const STAGES = {
  available: ["due_in", "in_transit", "in_prep"],
  pending: ["reserved", "deposit", "on_hold"],
  sold: ["delivered", "wholesale"],
} as const satisfies Readonly<Record<Status, readonly string[]>>;
export type Stage = (typeof STAGES)[Status][number];

/** What the OpenAPI document says about a field. */
interface Notes {
  readonly description?: string;
  readonly examples?: readonly unknown[];
}

/** The value of each kind of field, as answered. */
interface KindValues {
  /** Set by the service. */
  readonly id: number;
  readonly moment: Timestamp;
  /** Set by the service; `null` if there is no previous price. */
  readonly "past-price": number | null;
  readonly "past-moment": Timestamp | null;
  /** The dealer that owns the vehicle. Required unless the caller is bound to a dealer. */
  readonly dealer: number;
  /** Required. Names are not blank, prices have at most two decimals. */
  readonly name: string;
  readonly year: number;
  readonly price: number;
  /** Has a default. */
  readonly status: Status;
  readonly flag: 0 | 1;
  /** Set by the service unless the caller does. */
  readonly date: Timestamp | null;
  readonly stage: Stage | null;
  /** `null` if unset. Codes match a pattern; long texts may have several lines. */
  readonly text: string | null;
  readonly code: string | null;
  readonly long: string | null;
  readonly whole: number | null;
  /** A measure or an amount of money, with at most two decimals. `null` if unset. */
  readonly decimal: number | null;
  readonly money: number | null;
  /** A day of the calendar, such as `2021-03-15`. `null` if unset. */
  readonly day: string | null;
}
export type Kind = keyof KindValues;

/** The limits of each kind's values; lengths in characters. */
interface KindLimits extends Readonly<Record<Kind, object>> {
  readonly name: { readonly max: number };
  readonly text: { readonly min: 0 | 1; readonly max: number };
  readonly code: { readonly pattern: string; readonly max: number; readonly fault: string };
  readonly long: { readonly max: number };
  readonly whole: { readonly min: number; readonly max: number };
  readonly decimal: { readonly min: number; readonly max: number };
  /** The value if none is sent. */
  readonly flag: { readonly initial: 0 | 1 };
}

/** A field of one of these kinds. */
export type Field<Some extends Kind = Kind> = { [Key in Kind]: { readonly kind: Key } & KindLimits[Key] & Notes }[Some];

/**
 * THE list: every field of a vehicle, in the order of answers (interface 2.1). Types, schemas, columns, the stored
 * document, entity tags and the portal's forms follow from it. CONTRIBUTING.md says how to add a field.
 */
export const VEHICLE_FIELDS = {
  id: { kind: "id" },
  dealer_id: { kind: "dealer", description: "The dealer that owns the vehicle.", examples: [1] },
  make: { kind: "name", max: 100, examples: ["Toyota"] },
  model: { kind: "name", max: 100, examples: ["Camry"] },
  year: { kind: "year", description: "From 1886 to two years after the current one.", examples: [2024] },
  price: {
    kind: "price",
    description: "In the installation's currency (see the settings), with at most 2 decimals. It is stored exactly.",
    examples: [25999.99],
  },
  title: { kind: "text", min: 0, max: 250, description: "Default on creation: made of the year, make and model." },
  trim: { kind: "text", min: 1, max: 100, examples: ["XSE"] },
  mileage: { kind: "whole", min: 0, max: 10_000_000, examples: [12500] },
  exterior_color: { kind: "text", min: 1, max: 100, examples: ["Midnight Black"] },
  interior_color: { kind: "text", min: 1, max: 100, examples: ["Ash"] },
  vin: {
    kind: "code",
    pattern: "^[A-Za-z0-9-]{1,32}$",
    max: 32,
    fault: "must be 1 to 32 letters, digits or hyphens",
    examples: ["4T1G11AK6LU123456"],
  },
  stock_number: { kind: "text", min: 1, max: 64, examples: ["A1042"] },
  description: { kind: "long", max: 20_000 },
  features: {
    kind: "long",
    max: 5_000,
    description: "A list separated by commas.",
    examples: ["Bluetooth,Backup Camera"],
  },
  status: { kind: "status" },
  featured: { kind: "flag", initial: 0, description: "Answered as 0 or 1." },
  fuel_type: { kind: "text", min: 1, max: 100, examples: ["gasoline"] },
  transmission: { kind: "text", min: 1, max: 100, examples: ["automatic"] },
  engine: { kind: "text", min: 1, max: 100, examples: ["2.5L I4"] },
  drivetrain: { kind: "text", min: 1, max: 100, examples: ["FWD"] },
  body_style: { kind: "text", min: 1, max: 100, examples: ["sedan"] },
  condition: { kind: "text", min: 1, max: 100, examples: ["used"] },
  seats: { kind: "whole", min: 1, max: 200, examples: [5] },
  doors: { kind: "whole", min: 1, max: 20, examples: [4] },
  owners: { kind: "whole", min: 0, max: 100, description: "How many owners it had before. 0 for none.", examples: [1] },
  date_first_registered: {
    kind: "day",
    description: "The day of the first registration. If only the month is known, its first day.",
    examples: ["2021-03-15"],
  },
  warranty: { kind: "text", min: 1, max: 250, examples: ["24 months"] },
  msrp: {
    kind: "money",
    description:
      "The manufacturer's suggested retail price in the installation's currency, with at most 2 decimals. It is stored exactly.",
    examples: [31500],
  },
  electric_range: {
    kind: "whole",
    min: 0,
    max: 5000,
    description: "How far it drives on its battery alone, in the installation's unit of distance (see the settings).",
    examples: [310],
  },
  battery_capacity: { kind: "decimal", min: 0, max: 5000, description: "In kWh.", examples: [77.4] },
  charge_port: { kind: "text", min: 1, max: 100, examples: ["CCS"] },
  fuel_consumption: {
    kind: "decimal",
    min: 0,
    max: 1000,
    description: "In l/100 km, combined, whatever the installation's unit of distance.",
    examples: [6.2],
  },
  energy_consumption: {
    kind: "decimal",
    min: 0,
    max: 1000,
    description: "In kWh/100 km, combined, whatever the installation's unit of distance.",
    examples: [17.9],
  },
  co2_emissions: { kind: "whole", min: 0, max: 5000, description: "In g/km, combined.", examples: [142] },
  emissions_standard: { kind: "text", min: 1, max: 100, examples: ["Euro 6d"] },
  stage: {
    kind: "stage",
    description: "A more detailed status. Changing the status clears it, unless the request also sets a stage.",
    examples: ["in_prep"],
  },
  listed_at: {
    kind: "date",
    description: "When the vehicle came to the lot. Default: when it was created, or moved to this dealer.",
  },
  sold_at: {
    kind: "date",
    description:
      "When a sold vehicle was sold. It is set when the status becomes `sold`, unless the request sends another time.",
  },
  publish: {
    kind: "flag",
    initial: 1,
    description: "Whether feeds for listing sites may contain the vehicle. Answered as 0 or 1.",
  },
  previous_price: { kind: "past-price", description: "The price before its last change." },
  price_changed_at: { kind: "past-moment" },
  created_at: { kind: "moment" },
  updated_at: { kind: "moment" },
} as const satisfies Readonly<Record<string, Field>>;
type Fields = typeof VEHICLE_FIELDS;

/** A vehicle as the service answers it. */
export type Vehicle = { readonly [Name in keyof Fields]: KindValues[Fields[Name]["kind"]] };
export type VehicleField = keyof Vehicle;

/** The names of the fields of these kinds. */
export type FieldOf<Some extends Kind> = NamesOf<Fields, Some>;

/** The names of the fields of these kinds, in the order of the list. */
export const fieldsOf = <const Some extends Kind>(...kinds: readonly Some[]): readonly FieldOf<Some>[] =>
  namesOf(VEHICLE_FIELDS, ...kinds);
