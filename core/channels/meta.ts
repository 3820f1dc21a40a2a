import type { Channel, ChannelField, ChannelWords } from "./channel.ts";
import * as image from "./image-values.ts";
import * as value from "./values.ts";
import { VIN } from "./vin-value.ts";

const WORDS = {
  condition: { words: { new: "New", used: "Used", certified: "CPO" }, other: null },
  body: {
    words: {
      convertible: "CONVERTIBLE",
      coupe: "COUPE",
      crossover: "CROSSOVER",
      estate: "ESTATE",
      grandtourer: "GRANDTOURER",
      hatchback: "HATCHBACK",
      minibus: "MINIBUS",
      minivan: "MINIVAN",
      mpv: "MPV",
      pickup: "PICKUP",
      roadster: "ROADSTER",
      saloon: "SALOON",
      sedan: "SEDAN",
      small_car: "SMALL_CAR",
      sportscar: "SPORTSCAR",
      supercar: "SUPERCAR",
      supermini: "SUPERMINI",
      suv: "SUV",
      truck: "TRUCK",
      van: "VAN",
      wagon: "WAGON",
    },
    other: "OTHER",
  },
  transmission: { words: { automatic: "AUTOMATIC", manual: "MANUAL" }, other: "OTHER" },
  fuel: {
    words: {
      gasoline: "GASOLINE",
      diesel: "DIESEL",
      electric: "ELECTRIC",
      hybrid: "HYBRID",
      plugin_hybrid: "PLUGIN_HYBRID",
      flex: "FLEX",
      petrol: "PETROL",
      other: "OTHER",
    },
    other: "OTHER",
  },
  drivetrain: { words: { fwd: "FWD", rwd: "RWD", awd: "AWD", four_wd: "FOUR_WD", two_wd: "TWO_WD" }, other: "OTHER" },
} satisfies ChannelWords;

const MAX_IMAGES = 20;

const images = (first: number): ChannelField[] =>
  Array.from({ length: MAX_IMAGES - first }, (_, later) => ({
    heading: `image[${first + later}].url`,
    need: "optional",
    value: image.imageAt(first + later),
  }));

/** https://developers.facebook.com/docs/marketing-api/auto-ads/reference */
export const meta: Channel = {
  reader: "Meta",
  format: "csv",
  listSeparator: " ",
  words: WORDS,
  unique: ["vin"],
  takesHttpImages: false,
  fields: [
    { heading: "vehicle_id", need: "required", value: value.ID },
    { heading: "title", need: "required", value: value.titleOf(500) },
    { heading: "description", need: "required", value: value.descriptionNotInCapitals(5000) },
    { heading: "url", need: "required", value: value.LINK },
    { heading: "make", need: "required", value: value.textOf("make") },
    { heading: "model", need: "required", value: value.textOf("model") },
    { heading: "year", need: "required", value: value.plain("year") },
    { heading: "mileage.value", need: "required", value: value.MILEAGE },
    { heading: "mileage.unit", need: "required", value: value.MILEAGE_UNIT },
    { heading: "image[0].url", need: "required", value: image.IMAGE },
    ...images(1),
    { heading: "body_style", need: "required", value: value.BODY },
    { heading: "price", need: "required", value: value.PRICE },
    { heading: "exterior_color", need: "required", value: value.textOf("exterior_color") },
    { heading: "state_of_vehicle", need: "required", value: value.CONDITION },
    { heading: "trim", need: "optional", value: value.textOf("trim", 50) },
    { heading: "vin", need: "optional", value: VIN },
    { heading: "transmission", need: "optional", value: value.word("transmission") },
    { heading: "fuel_type", need: "optional", value: value.word("fuel") },
    { heading: "drivetrain", need: "optional", value: value.word("drivetrain") },
    {
      heading: "availability",
      need: "optional",
      value: value.availability({ available: "AVAILABLE", pending: "PENDING", sold: "NOT_AVAILABLE" }),
    },
    { heading: "date_first_on_lot", need: "optional", value: value.DAY_LISTED },
  ],
};

/**
 * The fields are those of Meta.
 * https://ads.tiktok.com/help/article/available-fields-for-automotive-ads-inventory-catalogs
 */
export const tiktok: Channel = { ...meta, reader: "TikTok" };
