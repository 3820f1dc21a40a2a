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

/** The same for dealers, which may carry how they stand. */
export const IncludeOfDealers = {
  include: Type.Optional(
    commaList(["figures"], {
      description:
        "Additional fields. `figures` adds how each dealer stands: its vehicles by age, their quality, what channels leave out, keys that are refused often, the last file and the last change. It needs `vehicles:read`.",
    }),
  ),
};

/** Query of reading one key. */
export const IncludeInKey = Type.Object(IncludeOfKeys);

const OF_VEHICLE = ["names", "primary_image", "images"] as const;
const DESCRIPTION =
  "Additional fields, repeated or separated by commas. `names` adds the name to each id of a dealer; it is `null` if the caller may not read that record. `primary_image` adds the vehicle's primary image, or `null`, and `image_count`. `images` adds all images of the vehicle in their order.";

/** The same for lists of vehicles, which may carry their images, and what the words of the search stand for. */
export const IncludeOfVehicles = {
  include: Type.Optional(
    commaList([...OF_VEHICLE, "understood"], {
      description: `${DESCRIPTION} \`understood\` adds to \`meta\` what each word of \`q\` stands for; if nothing is found, also how many vehicles there are without it.`,
    }),
  ),
};

/** Query of reading one vehicle. */
export const IncludeInVehicle = Type.Object({
  include: Type.Optional(commaList(OF_VEHICLE, { description: DESCRIPTION })),
});

/** Query of reading one record that names others. */
export const IncludeNames = Type.Object(IncludeQuery);
