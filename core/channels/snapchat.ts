import type { Channel } from "./channel.ts";
import * as image from "./image-values.ts";
import * as value from "./values.ts";

/**
 * The catalogue fields that all Snapchat products share.
 * https://businesshelp.snapchat.com/s/article/product-catalog-specs
 */
export const snapchat: Channel = {
  reader: "Snapchat",
  format: "csv",
  listSeparator: ",",
  words: { condition: { words: { new: "new", used: "used", certified: "used" }, other: null } },
  unique: [],
  takesHttpImages: false,
  fields: [
    { heading: "id", need: "required", value: value.ID },
    { heading: "title", need: "required", value: value.titleOf(375) },
    { heading: "description", need: "required", value: value.descriptionOf(5000) },
    { heading: "link", need: "required", value: value.LINK },
    { heading: "image_link", need: "required", value: image.IMAGE },
    {
      heading: "availability",
      need: "required",
      value: value.availability({ available: "in stock", pending: "available for order", sold: "out of stock" }),
    },
    { heading: "price", need: "required", value: value.PRICE },
    { heading: "condition", need: "required", value: value.CONDITION },
    { heading: "brand", need: "required", value: value.textOf("make", 70) },
    { heading: "color", need: "optional", value: value.textOf("exterior_color") },
  ],
};
