import { VEHICLE_FIELDS, type VehicleField } from "../vehicles/fields.ts";
import type { Channel } from "./channel.ts";
import * as image from "./image-values.ts";
import * as value from "./values.ts";

/**
 * Every field of a vehicle by its name in the API, for sites that read this format. Only unpublished vehicles are left
 * out.
 */
const fields: Channel["fields"] = [
  ...(Object.keys(VEHICLE_FIELDS) as VehicleField[]).map(
    (name) => ({ heading: name, need: "optional", value: value.plain(name) }) as const,
  ),
  { heading: "link", need: "optional", value: value.LINK },
  { heading: "images", need: "optional", value: image.ALL_IMAGES },
];

/** A CSV file of vehicles. */
export const csv: Channel = {
  reader: "The reader",
  format: "csv",
  listSeparator: " ",
  words: {},
  unique: [],
  takesHttpImages: false,
  fields,
};

/** A file with a line of JSON for each vehicle. */
export const ndjson: Channel = { ...csv, format: "ndjson" };
