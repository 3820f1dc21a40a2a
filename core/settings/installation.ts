import Type from "typebox";
import type { Timestamp } from "../clock.ts";
import { type Input, integer, nullable, oneOf, patterned, requiredText } from "../schema.ts";
import { validator } from "../validation.ts";
import { DATE_ORDERS, type DateOrder } from "./date-order.ts";
import type { FieldOwners } from "./field-owners.ts";
import { fieldOwnersSchema } from "./field-owners-schema.ts";

/** The units in which distances are shown. Records hold numbers without a unit: these settings say what they mean. */
const DISTANCE_UNITS = ["mi", "km"] as const;

/** The settings of an installation, as answered. */
export interface Settings {
  readonly name: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly distance_unit: (typeof DISTANCE_UNITS)[number];
  /** The order of day and month in files in which nothing decides it. */
  readonly date_order: DateOrder;
  /** IANA; `null` for the zone of whoever looks. */
  readonly time_zone: string | null;
  /** The days after a sale within which a vehicle that comes back undoes the sale. */
  readonly resale_days: number;
  /** Who decides about which field when a file and a person have both changed it, where it is not the default. */
  readonly field_owners: FieldOwners;
  /** A picture as a data URL. */
  readonly logo: string | null;
  readonly updated_at: Timestamp;
}

/** What an installation has until somebody changes it. */
export const DEFAULT_SETTINGS: Settings = {
  name: "Vehicle Inventory",
  currency: "USD",
  distance_unit: "mi",
  date_order: "mdy",
  time_zone: null,
  resale_days: 14,
  field_owners: {},
  logo: null,
  updated_at: "1970-01-01T00:00:00.000Z",
};

const MAX_RESALE_DAYS = 3650;
const MAX_LOGO_BYTES = 65_536;
const MAX_LOGO = 4 * Math.ceil(MAX_LOGO_BYTES / 3) + "data:image/jpeg;base64,".length;

/**
 * How a picture of each type begins, in base64, so that nothing else is stored as one. No drawings: they can run
 * scripts.
 */
const BEGINNINGS = {
  png: "iVBORw0KGgo",
  jpeg: "/9j/",
  webp: "UklGR[A-Za-z0-9+/]{6}XRUJQ",
} as const;
const LOGO = `^data:image/(?:${Object.entries(BEGINNINGS)
  .map(([type, beginning]) => `${type};base64,${beginning}`)
  .join("|")})[A-Za-z0-9+/]*={0,2}$`;

/** Body of PUT /api/settings: any of the fields. */
export const SettingsChanges = Type.Object({
  name: Type.Optional(requiredText(100, { description: "The name of the installation.", examples: ["Harbor"] })),
  currency: Type.Optional(
    patterned({
      pattern: "^[A-Z]{3}$",
      max: 3,
      fault: "must be a currency of ISO 4217, such as EUR",
      description: "The currency of every price (ISO 4217).",
      examples: ["EUR"],
    }),
  ),
  distance_unit: Type.Optional(oneOf(DISTANCE_UNITS, { description: "The unit of every mileage and electric range." })),
  date_order: Type.Optional(
    oneOf(DATE_ORDERS, {
      description:
        "The order of day and month in dates of files, such as 05/06/2026, if no cell of a file decides it: `dmy` in most countries, `mdy` in the US.",
    }),
  ),
  time_zone: nullable(
    patterned({
      pattern: "^[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+)*$",
      max: 64,
      fault: "must be a time zone of the IANA database, such as Europe/Berlin",
      description:
        "The time zone (IANA) in which the portal shows times. `null` means the time zone of each viewer. Answers of the API are always in UTC.",
      examples: ["Europe/Berlin"],
    }),
  ),
  resale_days: Type.Optional(
    integer(0, MAX_RESALE_DAYS, {
      description:
        "A vehicle that comes back within so many days after its sale undoes the sale. Later the sale stands, and the vehicle's second stay on the lot begins.",
      examples: [DEFAULT_SETTINGS.resale_days],
    }),
  ),
  field_owners: Type.Optional(
    fieldOwnersSchema(
      "Who decides about a field when a file and a person have both changed it since the last file: `file` or `hand`. Without an entry, `description`, `title`, `trim`, `features`, `images`, colours, `publish` and `featured` belong to the hand, all others to the file. A source may have its own.",
    ),
  ),
  logo: nullable(
    patterned({
      pattern: LOGO,
      max: MAX_LOGO,
      fault: "must be a PNG, JPEG or WebP picture of up to 64 kB as a data URL, such as data:image/png;base64,…",
      description: "A PNG, JPEG or WebP image of up to 64 kB, as a data URL.",
    }),
  ),
});
export type SettingsChanges = Input<typeof SettingsChanges>;

export const SETTINGS_READ_ONLY = ["updated_at"] as const;

export const settingsChanges = validator(SettingsChanges, SETTINGS_READ_ONLY);
