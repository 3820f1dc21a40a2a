import Type from "typebox";
import { Failure, type Outcome } from "../failure.ts";
import { IMAGE_READ_ONLY, ImageChanges, NewImage } from "../images/image.ts";
import type { ImageDraft } from "../images/image-repository.ts";
import { validator } from "../validation.ts";
import { TURNS, type Turn } from "./photo.ts";

/** A photo that has arrived. */
export interface SentPhoto {
  readonly bytes: Uint8Array;
  /** The other fields of a form, as they were sent. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The fields of an image that are sent with a photo. */
export type PhotoFields = Omit<ImageDraft, "image_url">;

const { image_url: _, ...FIELDS } = NewImage.properties;
const sentFields = validator(Type.Object(FIELDS));

/** The names of the fields that a form may have beside the file. */
export const PHOTO_FIELDS: readonly string[] = Object.keys(FIELDS);

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);
const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,15})$/;

/** The value that the text of a form stands for. Any other text stays, and is refused by the schema. */
const typedValue = (name: string, text: string): unknown => {
  if (name === "is_primary") return BOOLEANS.get(text) ?? text;
  return name === "display_order" && WHOLE_NUMBER.test(text) ? Number(text) : text;
};

/** Reads the fields of a form. */
export const photoFields = (sent: SentPhoto["fields"]): Outcome<PhotoFields> => {
  const read = sentFields.parse(
    Object.fromEntries(Object.entries(sent).map(([name, text]) => [name, typedValue(name, text)])),
  );
  if (read instanceof Failure) return read;
  const { is_primary, display_order, alt } = read;
  return {
    ...(typeof is_primary === "boolean" && { is_primary }),
    ...(typeof display_order === "number" && { display_order }),
    ...(alt !== undefined && { alt }),
  };
};

/** Body of PUT /api/vehicles/:id/images/:image_id, with what only photos take. */
export const ImageUpdate = Type.Object({
  ...ImageChanges.properties,
  rotate: Type.Optional(
    Type.Union(
      TURNS.map((turn) => Type.Literal(turn)),
      {
        fault: `must be ${TURNS.join(", ")}`,
        description:
          "Turns a photo that this service holds to the right, by so many degrees. It is made anew and gets another `delivery_id`.",
      },
    ),
  ),
});
const imageUpdate = validator(ImageUpdate, [...IMAGE_READ_ONLY, "image_url"]);

/** True if a body asks for a photo to be turned. */
export const isTurn = (input: unknown): boolean => typeof input === "object" && input !== null && "rotate" in input;

/** Reads a body that turns a photo. The address in it is ignored, as the photo gets another one. */
export const turnedImage = (
  input: unknown,
): Outcome<{ readonly rotate: Turn; readonly changes: Partial<PhotoFields> }> => {
  const body = imageUpdate.parse(input);
  if (body instanceof Failure) return body;
  const { rotate, image_url: _address, ...changes } = body;
  return { rotate: rotate as unknown as Turn, changes };
};
