import Type from "typebox";
import { commaList, oneOf } from "../schema.ts";

/** The parameter with which records carry the names of those that they name by id. */
export const IncludeQuery = {
  include: Type.Optional(
    oneOf(["names"], {
      description: "Beside each id of a dealer or user, its name: `null` where the caller may not read that record.",
    }),
  ),
};

/** The same for vehicles, which may carry their primary images, too. */
export const IncludeOfVehicles = {
  include: Type.Optional(
    commaList(["names", "primary_image"], {
      description:
        "`names`: beside each id of a dealer, its name; `null` where the caller may not read that record. `primary_image`: the vehicle's primary image or `null`, and `image_count`. Separated by commas.",
    }),
  ),
};

/** Query of reading one record that names others. */
export const IncludeNames = Type.Object(IncludeQuery);
