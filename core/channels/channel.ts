import type { Dealer } from "../dealers/fields.ts";
import type { Vehicle } from "../vehicles/fields.ts";
import type { Meaning, Subject } from "../vehicles/synonyms.ts";
import type { Finding } from "./issue.ts";

/** The file formats of a feed. Every channel can be fetched in each of them. */
export const FEED_FORMATS = ["csv", "tsv", "ndjson"] as const;
export type FeedFormat = (typeof FEED_FORMATS)[number];

/** The units that mileages may have. Mileages are not converted. */
export const MILEAGE_UNITS = ["mi", "km"] as const;
type MileageUnit = (typeof MILEAGE_UNITS)[number];

/** The settings that apply to all vehicles of a feed. */
export interface FeedSettings {
  /** See link-template.ts. `null` means that the feed has no links. */
  readonly link_template: string | null;
  /** The currency by its ISO 4217 code, such as `USD`. */
  readonly currency: string;
  /** The country by its ISO 3166 code, such as `US`. */
  readonly country: string;
  /** The store codes of dealers, by the dealer's id as text. */
  readonly store_codes: Readonly<Record<string, string>>;
  readonly mileage_unit: MileageUnit;
  /** What the prices include, in the channel's word, such as `all_in_price`; `null` if nobody said it. */
  readonly price_type: string | null;
  /** The filters of the list of vehicles, as they were sent. */
  readonly filters: object;
}

/** The fields of a dealer that a feed contains. */
export type FeedDealer = Pick<Dealer, "id" | "name" | "address" | "city" | "state" | "zip" | "phone" | "codes">;

/** A vehicle with everything that a feed needs to know about it. */
export interface FeedVehicle {
  readonly vehicle: Vehicle;
  /** The addresses of its images, in their order. */
  readonly images: readonly string[];
  /** The dealer of the vehicle. */
  readonly dealer: FeedDealer;
}

/** The value of one field for a channel. In CSV and TSV, a list becomes a single cell. */
export type Cell = string | number | null | readonly string[];

/** The words that a channel uses for the meanings of free texts. */
export type ChannelWords = {
  readonly [About in Subject]?: {
    readonly words: Readonly<Record<Meaning<About>, string>>;
    /** The word for unknown meanings. `null` means that they are errors. */
    readonly other: string | null;
  };
};

/** What it means if a field is empty: an error, an error for used vehicles only, a warning, or nothing. */
export type FieldNeed = "required" | "required_if_used" | "recommended" | "optional";

/** A vehicle with everything that the values of its row are made from. */
export interface FeedEntry extends FeedVehicle {
  readonly settings: FeedSettings;
  readonly channel: Channel;
  /** The images that the channel takes, in their order: those with https, and with http where it takes these too. */
  readonly taken: readonly string[];
}

/** Where the value of a field comes from, and how it is written. */
export interface Value {
  /** The field of the vehicle, or the setting of the feed, that a person would correct. */
  readonly field: string;
  /** Returns the cell, and reports what is wrong with it. An empty cell need not be reported. */
  write(source: FeedEntry, severity: Finding["severity"], report: (finding: Finding) => void): Cell;
}

/** A field of a channel's file. */
export interface ChannelField {
  readonly heading: string;
  readonly value: Value;
  /** What it means if the field is empty. It may depend on the feed's country. */
  readonly need: FieldNeed | ((country: string) => FieldNeed);
}

/** A site that lists vehicles and reads them from a file. */
export interface Channel {
  /** The name of the site in messages, such as `Google`. */
  readonly reader: string;
  /** The format in which this channel is usually fetched. */
  readonly format: FeedFormat;
  /** The separator between the items of a list within a cell. Within an item it is percent-encoded. */
  readonly listSeparator: string;
  readonly words: ChannelWords;
  /** Fields whose values may occur only once in a feed. */
  readonly unique: readonly ("vin" | "stock_number")[];
  /** Whether it takes images whose addresses begin with http. */
  readonly takesHttpImages: boolean;
  /** The fields in the order of the columns. */
  readonly fields: readonly ChannelField[];
}
