import { VEHICLE_FIELDS, type VehicleField } from "../vehicles/fields.ts";
import type { Channel } from "./channel.ts";
import * as image from "./image-values.ts";
import * as value from "./values.ts";

/** Every field of a vehicle by our own name, for sites that read what we write. Nothing but `publish` keeps one out. */
const fields: Channel["fields"] = [
  ...(Object.keys(VEHICLE_FIELDS) as VehicleField[]).map(
    (name) => ({ heading: name, need: "optional", value: value.plain(name) }) as const,
  ),
  { heading: "link", need: "optional", value: value.LINK },
  { heading: "images", need: "optional", value: image.ALL_IMAGES },
];

/** A table of vehicles. */
export const csv: Channel = {
  reader: "The reader",
  format: "csv",
  listSeparator: " ",
  words: {},
  unique: [],
  fields,
};

/** A line of JSON for each vehicle. */
export const ndjson: Channel = { ...csv, format: "ndjson" };
