import Type from "typebox";
import { oneOf } from "../schema.ts";

/** The parameter with which records carry the names of those that they name by id. */
export const IncludeQuery = {
  include: Type.Optional(
    oneOf(["names"], {
      description: "Beside each id of a dealer or user, its name: `null` where the caller may not read that record.",
    }),
  ),
};

/** Query of reading one record that names others. */
export const IncludeNames = Type.Object(IncludeQuery);
