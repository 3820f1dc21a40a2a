import type { Channel, ChannelWords } from "./channel.ts";
import { EUROPE, VIN_OPTIONAL } from "./countries.ts";
import * as dealer from "./dealer-values.ts";
import * as energy from "./energy-values.ts";
import * as image from "./image-values.ts";
import * as value from "./values.ts";
import { VIN, YEAR_OF_VIN } from "./vin-value.ts";

/** Google knows only new and used vehicles. Whether a vehicle is certified is in a field of its own. */
const WORDS = {
  condition: { words: { new: "new", used: "used", certified: "used" }, other: null },
} satisfies ChannelWords;

const MAX_OTHER_IMAGES = 19;

/** https://developers.google.com/vehicle-listings/reference/feed-specification */
export const googleVehicleListings: Channel = {
  reader: "Google",
  format: "csv",
  listSeparator: ",",
  words: WORDS,
  unique: ["vin", "stock_number"],
  takesHttpImages: true,
  fields: [
    { heading: "store_code", need: "required", value: dealer.STORE_CODE },
    { heading: "id", need: "optional", value: value.textOf("stock_number") },
    { heading: "vin", need: "required", value: VIN },
    { heading: "year", need: "required", value: value.plain("year") },
    { heading: "make", need: "required", value: value.textOf("make") },
    { heading: "model", need: "required", value: value.textOf("model") },
    { heading: "trim", need: "recommended", value: value.textOf("trim") },
    { heading: "mileage", need: "required_if_used", value: value.MILEAGE_TEXT },
    { heading: "condition", need: "required", value: value.CONDITION },
    { heading: "price", need: "required", value: value.PRICE },
    { heading: "dealership_name", need: "required", value: dealer.DEALER_NAME },
    { heading: "dealership_address", need: "required", value: dealer.DEALER_ADDRESS },
    { heading: "tracking_phone_number", need: "optional", value: dealer.DEALER_PHONE },
    { heading: "link", need: "recommended", value: value.LINK },
    { heading: "image_link", need: "recommended", value: image.IMAGE },
    { heading: "additional_image_link", need: "optional", value: image.otherImages(MAX_OTHER_IMAGES) },
    { heading: "date_in_stock", need: "optional", value: value.DAY_LISTED },
    { heading: "certified_pre_owned", need: "optional", value: value.CERTIFIED },
  ],
};

/** https://support.google.com/merchants/answer/11192663 */
export const googleVehicleAds: Channel = {
  reader: "Google",
  format: "tsv",
  listSeparator: ",",
  words: WORDS,
  unique: ["vin"],
  takesHttpImages: true,
  fields: [
    { heading: "VIN", need: (country) => (VIN_OPTIONAL.has(country) ? "optional" : "required"), value: VIN },
    { heading: "store_code", need: "required", value: dealer.STORE_CODE },
    { heading: "link_template", need: "required", value: value.LINK_FOR_STORES },
    { heading: "make", need: "required", value: value.textOf("make") },
    { heading: "model", need: "required", value: value.textOf("model") },
    { heading: "trim", need: "recommended", value: value.textOf("trim") },
    { heading: "year", need: "required", value: YEAR_OF_VIN },
    { heading: "mileage", need: "required", value: value.MILEAGE_OF_ALL },
    { heading: "price", need: "required", value: value.PRICE },
    { heading: "condition", need: "required", value: value.CONDITION },
    { heading: "certified_pre-owned", need: "optional", value: value.CERTIFIED },
    { heading: "vehicle_option", need: "optional", value: value.FEATURES },
    { heading: "engine", need: "optional", value: value.textOf("engine") },
    { heading: "body_style", need: "recommended", value: value.textOf("body_style") },
    { heading: "color", need: "recommended", value: value.textOf("exterior_color") },
    { heading: "image_link", need: "required", value: image.IMAGE },
    { heading: "additional_image_link", need: "optional", value: image.otherImages(MAX_OTHER_IMAGES) },
    { heading: "vehicle_fulfillment", need: "required", value: dealer.IN_STORE },
    { heading: "vehicle_price_type", need: "optional", value: value.PRICE_TYPE },
    { heading: "id", need: (country) => (EUROPE.has(country) ? "required" : "optional"), value: value.ID_IN_EUROPE },
    { heading: "vehicle_msrp", need: "optional", value: energy.MSRP },
    { heading: "date_first_registered", need: "optional", value: energy.FIRST_REGISTERED },
    { heading: "electric_range", need: "optional", value: energy.ELECTRIC_RANGE },
    { heading: "fuel_consumption", need: "optional", value: energy.FUEL_CONSUMPTION },
    { heading: "energy_consumption", need: "optional", value: energy.ENERGY_CONSUMPTION },
    { heading: "co2_emissions", need: "optional", value: energy.CO2_EMISSIONS },
    { heading: "emissions_standard", need: "optional", value: energy.EMISSIONS_STANDARD },
  ],
};
