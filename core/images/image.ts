import Type from "typebox";
import type { Timestamp } from "../clock.ts";
import type { Issue } from "../issues.ts";
import { PageQuery } from "../page.ts";
import { flag, type Input, id, integer, nullable, text, url } from "../schema.ts";
import { validator } from "../validation.ts";
import { isOwnPath, shownAddress, storedForm } from "./own-address.ts";

/** The variants in which an image is delivered. The last segment of an image's address is a variant (interface 2.3). */
export const VARIANTS = ["public", "thumbnail", "medium", "large"] as const;
type Variant = (typeof VARIANTS)[number];

/** An image as stored. */
export interface StoredImage {
  readonly id: number;
  readonly vehicle_id: number;
  readonly image_url: string;
  readonly is_primary: boolean;
  readonly display_order: number;
  readonly created_at: Timestamp;
  readonly alt: string | null;
  /** Of the variant `public`, in pixels; `null` if the image is only an address, like the next two. */
  readonly width: number | null;
  readonly height: number | null;
  readonly placeholder: string | null;
}

/** The fields of a stored image, in the order of the answer. Each has a column, which is selected and inserted. */
export const IMAGE_FIELDS = [
  "id",
  "vehicle_id",
  "image_url",
  "is_primary",
  "display_order",
  "created_at",
  "alt",
  "width",
  "height",
  "placeholder",
] as const satisfies (keyof StoredImage)[];

/** The fields that only photos of the delivery service have. */
export const PHOTO_FACTS = ["width", "height", "placeholder"] as const;

/**
 * An image as answered. It has the last two fields only if it is on the delivery service, and those before only if this
 * service holds it.
 */
export interface Image extends Omit<StoredImage, (typeof PHOTO_FACTS)[number]> {
  readonly width?: number;
  readonly height?: number;
  readonly placeholder?: string;
  readonly delivery_id?: string;
  readonly variants?: Readonly<Record<Variant, string>>;
}

export const MAX_DISPLAY_ORDER = 2_147_483_647;
const MAX_REORDERED = 10_000;

const MAX_ALT = 250;
const ALT = text(0, MAX_ALT, {
  description: "What the photo shows, for people who cannot see it.",
  examples: ["A red car from the front"],
});

const fields = {
  image_url: url({ examples: ["https://images.example.com/camry/front.jpg"] }),
  is_primary: Type.Optional(flag({ description: "Default: true for a vehicle's first image." })),
  display_order: Type.Optional(integer(0, MAX_DISPLAY_ORDER, { description: "Default: one past the highest." })),
  alt: nullable(ALT),
};

/** Body of POST /api/vehicles/:id/images. */
export const NewImage = Type.Object({
  ...fields,
  is_primary: nullable(flag({ description: "Default: true for a vehicle's first image." })),
  display_order: nullable(integer(0, MAX_DISPLAY_ORDER, { description: "Default: one past the highest." })),
});
export type NewImage = Input<typeof NewImage>;

/** Body of PUT /api/vehicles/:id/images/:image_id. All fields are optional. */
export const ImageChanges = Type.Object({ ...fields, image_url: Type.Optional(fields.image_url) });
export type ImageChanges = Input<typeof ImageChanges>;

/** Body of PUT /api/vehicles/:id/images: all images of the vehicle, each once, in their new order. */
export const ImageOrder = Type.Object({
  image_ids: Type.Array(id(), {
    maxItems: MAX_REORDERED,
    fault: "must be the list of all the vehicle's image ids, each once",
    examples: [[3, 1, 2]],
  }),
});

/** Query of GET /api/vehicles/:id/images. */
export const ImageQuery = Type.Object(PageQuery);
export type ImageQuery = Input<typeof ImageQuery>;

export const IMAGE_READ_ONLY = ["id", "vehicle_id", "created_at", "delivery_id", "variants", ...PHOTO_FACTS] as const;

export const newImage = validator(NewImage, IMAGE_READ_ONLY);
export const imageChanges = validator(ImageChanges, IMAGE_READ_ONLY);
export const imageOrder = validator(ImageOrder);

/** The configured image delivery service. `null` stands for none. */
export interface ImageDelivery {
  /**
   * The address, without a slash at the end. Every delivered image has the address
   * `<base>/<account_hash>/<image_id>/<variant>`.
   */
  readonly base: string;
  /** True if this service is the delivery service, and holds the photos. */
  readonly isOwn?: boolean;
}

/** The form in which an address is stored: without the base, if this service holds the photo. */
export const storedAddress = (delivery: ImageDelivery | null, address: string): string =>
  delivery?.isOwn === true ? storedForm(delivery.base, address) : address;

// The core's types know no web API.
declare const URL: { parse(text: string): { readonly href: string } | null };

/** What every address of an own photo has, however the rest is spelled. Most other addresses do not have it. */
const OWN_ACCOUNT = /[0-9a-f]{32}[/\\]/;

/** True for another spelling of an address under the base: nobody adopts another dealer's photo by `HTTP://` or a port. */
const isOtherSpelling = (base: string, imageUrl: string): boolean =>
  OWN_ACCOUNT.test(imageUrl) && (URL.parse(imageUrl)?.href.startsWith(URL.parse(`${base}/`)?.href ?? base) ?? false);

const segmentsBehind = (delivery: ImageDelivery | null, imageUrl: string): string[] | null => {
  if (delivery === null) return null;
  const { base, isOwn } = delivery;
  if (imageUrl === base || imageUrl.startsWith(`${base}/`)) return imageUrl.slice(base.length + 1).split("/");
  return isOwn === true && isOtherSpelling(base, imageUrl) ? [] : null;
};

const SEGMENT = /^[^?#\s]+$/;
const isVariant = (segment: string | undefined): segment is Variant => VARIANTS.some((variant) => variant === segment);

/** An address on the delivery service must consist of the account, an image and a known variant, and nothing else. */
export const deliveryIssues = (delivery: ImageDelivery | null, imageUrl: unknown): Issue[] => {
  const segments = typeof imageUrl === "string" ? segmentsBehind(delivery, imageUrl) : null;
  if (segments === null) return [];
  const [account = "", image = "", variant] = segments;
  const isForm = SEGMENT.test(account) && SEGMENT.test(image) && isVariant(variant);
  return segments.length === 3 && isForm && (delivery?.isOwn !== true || isOwnPath(segments.join("/")))
    ? []
    : [
        {
          path: "image_url",
          message: `must be ${delivery?.base}/<account_hash>/<image_id>/<variant> with a variant of ${VARIANTS.join(", ")}`,
        },
      ];
};

/** The facts of a photo, without those that an image does not have. */
const factsOf = ({ width, height, placeholder }: StoredImage): Pick<Image, (typeof PHOTO_FACTS)[number]> =>
  width === null || height === null || placeholder === null ? {} : { width, height, placeholder };

/** The delivery id of an image, and the addresses of its variants; `null` if it is not on the delivery service. */
export const deliveredFrom = (
  delivery: ImageDelivery | null,
  imageUrl: string,
): Required<Pick<Image, "delivery_id" | "variants">> | null => {
  const segments = segmentsBehind(delivery, imageUrl);
  const [account, deliveryId] = segments ?? [];
  if (segments?.length !== 3 || account === undefined || deliveryId === undefined) return null;
  const stem = `${delivery?.base}/${account}/${deliveryId}`;
  return {
    delivery_id: deliveryId,
    variants: {
      public: `${stem}/public`,
      thumbnail: `${stem}/thumbnail`,
      medium: `${stem}/medium`,
      large: `${stem}/large`,
    },
  };
};

/** The image with its delivery id and the addresses of its variants, if it is on the delivery service. */
export const presentImage = (delivery: ImageDelivery | null, image: StoredImage): Image => {
  const { width: _width, height: _height, placeholder: _placeholder, ...plain } = image;
  const image_url = delivery === null ? image.image_url : shownAddress(delivery.base, image.image_url);
  return { ...plain, image_url, ...factsOf(image), ...deliveredFrom(delivery, image_url) };
};
