import type { Dealer } from "../dealers/fields.ts";
import type { Finding } from "../readiness/issue.ts";
import type { Vehicle } from "../vehicles/fields.ts";
import type { Meaning, Subject } from "./synonyms.ts";

/** The forms of a feed; every channel can be fetched in each. */
export const FEED_FORMATS = ["csv", "tsv", "ndjson"] as const;
export type FeedFormat = (typeof FEED_FORMATS)[number];

/** In which the mileages of the vehicles are. Nothing is converted. */
export const MILEAGE_UNITS = ["mi", "km"] as const;
type MileageUnit = (typeof MILEAGE_UNITS)[number];

/** What a feed says for all its vehicles. */
export interface FeedSettings {
  /** See link-template.ts; `null`: there are no links. */
  readonly link_template: string | null;
  /** By ISO 4217, such as `USD`. */
  readonly currency: string;
  /** By ISO 3166, such as `US`. */
  readonly country: string;
  /** By the id of the dealer, as text. */
  readonly store_codes: Readonly<Record<string, string>>;
  readonly mileage_unit: MileageUnit;
}

/** What a feed contains of a dealer. */
type FeedDealer = Pick<Dealer, "id" | "name" | "address" | "city" | "state" | "zip" | "phone">;

/** What a feed knows about a vehicle. */
export interface FeedVehicle {
  readonly vehicle: Vehicle;
  /** The addresses of its images, in their order. */
  readonly images: readonly string[];
  /** The dealer of the vehicle. */
  readonly dealer: FeedDealer;
}

/** The value of one field for a channel. In a table, a list is a single cell. */
export type Cell = string | number | null | readonly string[];

/** A channel's words for what free texts mean. */
export type ChannelWords = {
  readonly [About in Subject]?: {
    readonly words: Readonly<Record<Meaning<About>, string>>;
    /** The word for unknown meanings; `null` if these are errors. */
    readonly other: string | null;
  };
};

/** What an empty field means: an error, an error for used vehicles only, a warning, or nothing. */
export type FieldNeed = "required" | "required_if_used" | "recommended" | "optional";

/** One vehicle, as values are made of it. */
export interface FeedEntry extends FeedVehicle {
  readonly settings: FeedSettings;
  readonly channel: Channel;
  /** The images that channels take, in their order: those with https. */
  readonly secureImages: readonly string[];
}

/** Where the value of a field comes from, and how it is written. */
export interface Value {
  /** What a person would correct: a field of the vehicle, or a setting of the feed. */
  readonly field: string;
  /** The cell; it reports what is wrong besides being empty. */
  write(source: FeedEntry, severity: Finding["severity"], report: (finding: Finding) => void): Cell;
}

/** A field of a channel's file. */
export interface ChannelField {
  readonly heading: string;
  readonly value: Value;
  readonly need: FieldNeed;
}

/** A site that lists vehicles, and takes them from a file. */
export interface Channel {
  /** The name of the site in messages: `Google`. */
  readonly reader: string;
  /** The form that it is usually fetched in. */
  readonly format: FeedFormat;
  /** Between the items of a list within a cell; it stands in no item. */
  readonly listSeparator: string;
  readonly words: ChannelWords;
  /** What may be in a feed only once. */
  readonly unique: readonly ("vin" | "stock_number")[];
  /** In the order of the columns. */
  readonly fields: readonly ChannelField[];
}
