import Type from "typebox";
import { type Image, NewImage, VARIANTS } from "../../../core/images/image.ts";
import { id } from "../../../core/schema.ts";
import { answerFields, count, dateTime, type FieldsOf, recordSchema } from "./answers.ts";

/** The addresses of the variants of an image. */
export const VariantsAnswer = Type.Object(
  Object.fromEntries(VARIANTS.map((variant) => [variant, Type.String({ format: "uri" })])),
);

/** An image as it is answered. */
export const ImageAnswer = recordSchema("Image", {
  id: id(),
  vehicle_id: id(),
  ...answerFields(NewImage),
  is_primary: Type.Boolean(),
  display_order: count,
  created_at: dateTime,
  width: Type.Optional(
    Type.Integer({
      description: "Of `public`, in pixels. Present if this service holds the photo, like the next two.",
    }),
  ),
  height: Type.Optional(Type.Integer()),
  placeholder: Type.Optional(
    Type.String({ description: "A data URL of a small blurred picture, to be shown until the photo is there." }),
  ),
  delivery_id: Type.Optional(Type.String({ description: "Present if the image is on the image delivery service." })),
  variants: Type.Optional(VariantsAnswer),
} satisfies FieldsOf<Image>);
