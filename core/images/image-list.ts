import Type from "typebox";
import { Failure } from "../failure.ts";
import type { Issue } from "../issues.ts";
import { ignoredFields } from "../schema.ts";
import { IMAGE_READ_ONLY, NewImage, newImage } from "./image.ts";
import type { WantedImage } from "./image-plan.ts";

/** The maximum number of images in the body of a vehicle. */
const MAX_LISTED = 100;

const FAULT = `must be a list of up to ${MAX_LISTED} addresses of images`;

/** The limits of a vehicle's images. */
export interface ImageRules {
  readonly max: number;
  /** Returns what is wrong with an address. */
  readonly issuesOf: (address: string) => readonly Issue[];
  /** The form in which an address is stored. Without it, that is the address itself. */
  readonly storedForm?: (address: string) => string;
}

/** All images of a vehicle in its body, as documented. */
const ImageList = Type.Array(
  Type.Union([
    NewImage.properties.image_url,
    Type.Object(
      { ...NewImage.properties, ...ignoredFields(IMAGE_READ_ONLY) },
      { title: "ImageOfVehicle", additionalProperties: false },
    ),
  ]),
  {
    maxItems: MAX_LISTED,
    description:
      "All images of the vehicle in their order: addresses, or images as an answer has them. Images whose address stays keep their id. The first is the primary one, unless another has `is_primary`.",
    examples: [["https://images.example.com/camry/front.jpg", "https://images.example.com/camry/side.jpg"]],
  },
);

/** The field of a vehicle's body with its images. */
export const imagesField = { images: Type.Optional(Type.Union([ImageList, Type.Null()])) };

/** The images that a body asks for. `images` is `undefined` if it does not name them. */
export interface SentImages {
  readonly images: readonly WantedImage[] | undefined;
  readonly issues: readonly Issue[];
}

/** Reads one image of a list: its address, or an image as it is answered. */
const imageOf = (sent: unknown, place: number, rules: ImageRules): WantedImage | Issue[] => {
  const isAddress = typeof sent === "string";
  const read = newImage.parse(isAddress ? { image_url: sent } : sent, ({ image_url }) =>
    typeof image_url === "string" ? rules.issuesOf(image_url) : [],
  );
  if (read instanceof Failure)
    return (read.cause.kind === "invalid" ? read.cause.issues : []).map(({ path, message }) =>
      path === "" || isAddress
        ? { path: `images[${place}]`, message: path === "" ? "must be the address of an image" : message }
        : { path: `images[${place}].${path}`, message },
    );
  const image_url = rules.storedForm?.(read.image_url) ?? read.image_url;
  return {
    image_url,
    ...(read.alt !== undefined && { alt: read.alt }),
    ...(typeof read.is_primary === "boolean" && { is_primary: read.is_primary }),
  };
};

/** Reads the `images` of a vehicle's body. `null` stands for no images. */
export const sentImages = (sent: unknown, rules: ImageRules): SentImages => {
  if (sent === undefined) return { images: undefined, issues: [] };
  if (sent === null) return { images: [], issues: [] };
  if (!Array.isArray(sent) || sent.length > MAX_LISTED)
    return { images: undefined, issues: [{ path: "images", message: FAULT }] };
  const read = sent.map((one, place) => imageOf(one, place, rules));
  const issues = read.flatMap((one) => (Array.isArray(one) ? one : []));
  if (sent.length > rules.max) issues.push(tooManyImages(rules.max));
  return { images: read.flatMap((one) => (Array.isArray(one) ? [] : [one])), issues };
};

/** The issue of a list with more images than a vehicle may have. */
export const tooManyImages = (max: number): Issue => ({
  path: "images",
  message: `must be ${max} images at most, as a vehicle may have no more`,
});

/** A vehicle's body without its images, and those images. */
export const withoutImages = (input: unknown, rules: ImageRules): SentImages & { readonly fields: unknown } => {
  if (typeof input !== "object" || input === null || !("images" in input))
    return { fields: input, ...sentImages(undefined, rules) };
  const { images, ...fields } = input;
  return { fields, ...sentImages(images, rules) };
};
