import Type from "typebox";
import { oneOf } from "../schema.ts";
import { type FieldOwners, OWNED_FIELDS, OWNERS } from "./field-owners.ts";

/** The schema of `field_owners`. */
export const fieldOwnersSchema = (description: string) =>
  Type.Unsafe<FieldOwners>(
    Type.Object(Object.fromEntries(OWNED_FIELDS.map((name) => [name, Type.Optional(oneOf(OWNERS))])), {
      additionalProperties: false,
      title: "FieldOwners",
      fault: "must be an object of fields of vehicles, each with file or hand",
      description,
      examples: [{ description: "file", price: "hand" }],
    }),
  );
