import Type from "typebox";
import type { Timestamp } from "../clock.ts";
import type { Issue } from "../issues.ts";
import { PageQuery } from "../page.ts";
import { flag, type Input, id, integer, nullable, url } from "../schema.ts";
import { validator } from "../validation.ts";

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
}

/** The fields of a stored image, in the order of the answer. Each has a column, which is selected and inserted. */
export const IMAGE_FIELDS = [
  "id",
  "vehicle_id",
  "image_url",
  "is_primary",
  "display_order",
  "created_at",
] as const satisfies (keyof StoredImage)[];

/** An image as answered. It has the last two fields only if it is on the delivery service. */
export interface Image extends StoredImage {
  readonly delivery_id?: string;
  readonly variants?: Readonly<Record<Variant, string>>;
}

export const MAX_DISPLAY_ORDER = 2_147_483_647;
const MAX_REORDERED = 10_000;

const fields = {
  image_url: url({ examples: ["https://images.example.com/camry/front.jpg"] }),
  is_primary: Type.Optional(flag({ description: "Default: true for a vehicle's first image." })),
  display_order: Type.Optional(integer(0, MAX_DISPLAY_ORDER, { description: "Default: one past the highest." })),
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

export const IMAGE_READ_ONLY = ["id", "vehicle_id", "created_at", "delivery_id", "variants"] as const;

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
}

const segmentsBehind = (delivery: ImageDelivery | null, imageUrl: string): string[] | null =>
  delivery !== null && (imageUrl === delivery.base || imageUrl.startsWith(`${delivery.base}/`))
    ? imageUrl.slice(delivery.base.length + 1).split("/")
    : null;

const SEGMENT = /^[^?#\s]+$/;
const isVariant = (segment: string | undefined): segment is Variant => VARIANTS.some((variant) => variant === segment);

/** An address on the delivery service must consist of the account, an image and a known variant, and nothing else. */
export const deliveryIssues = (delivery: ImageDelivery | null, imageUrl: unknown): Issue[] => {
  const segments = typeof imageUrl === "string" ? segmentsBehind(delivery, imageUrl) : null;
  if (segments === null) return [];
  const [account = "", image = "", variant] = segments;
  return segments.length === 3 && SEGMENT.test(account) && SEGMENT.test(image) && isVariant(variant)
    ? []
    : [
        {
          path: "image_url",
          message: `must be ${delivery?.base}/<account_hash>/<image_id>/<variant> with a variant of ${VARIANTS.join(", ")}`,
        },
      ];
};

/** The image with its delivery id and the addresses of its variants, if it is on the delivery service. */
export const presentImage = (delivery: ImageDelivery | null, image: StoredImage): Image => {
  const segments = segmentsBehind(delivery, image.image_url);
  const [account, deliveryId] = segments ?? [];
  if (segments?.length !== 3 || account === undefined || deliveryId === undefined) return image;
  const stem = `${delivery?.base}/${account}/${deliveryId}`;
  return {
    ...image,
    delivery_id: deliveryId,
    variants: {
      public: `${stem}/public`,
      thumbnail: `${stem}/thumbnail`,
      medium: `${stem}/medium`,
      large: `${stem}/large`,
    },
  };
};
