import Type from "typebox";
import { commaList, oneOf } from "./schema.ts";

/** The parameter that adds names to the ids in a record: the name of its dealer, its user, its key. */
export const IncludeQuery = {
  include: Type.Optional(
    oneOf(["names"], {
      description:
        "`names` adds the name to each id of a dealer or user. It is `null` if the caller may not read that record.",
    }),
  ),
};

/** The same for keys, which may carry the figures of their usage, too. */
export const IncludeOfKeys = {
  include: Type.Optional(
    commaList(["names", "usage"], {
      description:
        "Additional fields, repeated or separated by commas. `names` adds the name to each id of a dealer or user; it is `null` if the caller may not read that record. `usage` adds `requests_24h`, `refused_24h` and `refused_mostly`, of the present hour and the 23 before.",
    }),
  ),
};

/** Query of reading one key. */
export const IncludeInKey = Type.Object(IncludeOfKeys);

/** The same for vehicles, which may carry their images, too. */
export const IncludeOfVehicles = {
  include: Type.Optional(
    commaList(["names", "primary_image", "images"], {
      description:
        "Additional fields, repeated or separated by commas. `names` adds the name to each id of a dealer; it is `null` if the caller may not read that record. `primary_image` adds the vehicle's primary image, or `null`, and `image_count`. `images` adds all images of the vehicle in their order.",
    }),
  ),
};

/** Query of reading one vehicle. */
export const IncludeInVehicle = Type.Object(IncludeOfVehicles);

/** Query of reading one record that names others. */
export const IncludeNames = Type.Object(IncludeQuery);
