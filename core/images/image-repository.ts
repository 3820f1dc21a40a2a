import type { DealerScope } from "../access/decide.ts";
import type { Actor } from "../access/principal.ts";
import type { Timestamp } from "../clock.ts";
import type { Listing, Page } from "../page.ts";
import type { ImageChanges, StoredImage } from "./image.ts";

/** An image to store; absent fields get defaults from the vehicle's present images. */
export type ImageDraft = Readonly<ImageChanges & Required<Pick<ImageChanges, "image_url">>>;

/** The image does not belong to the vehicle. */
export const NO_SUCH_IMAGE = Symbol("no such image");

/** The vehicle has reached its quota of images. */
export const IMAGES_FULL = Symbol("as many images as a vehicle may have");

/** The list is not exactly the vehicle's images, each once. */
export const NOT_THE_IMAGES = Symbol("not the vehicle's images");

/**
 * Images of vehicles. Every statement has the scope in its WHERE, and a method answers `null` when the vehicle is not
 * in scope. At most one image of a vehicle is primary: a change that makes another one primary unsets the old one in
 * the same transaction.
 */
export interface ImageRepository {
  /** By display order, then id. */
  list(vehicleId: number, scope: DealerScope, page: Page): Promise<Listing<StoredImage> | null>;
  add(image: {
    readonly vehicleId: number;
    readonly scope: DealerScope;
    readonly draft: ImageDraft;
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<StoredImage | null | typeof IMAGES_FULL>;
  update(change: {
    readonly vehicleId: number;
    readonly imageId: number;
    readonly scope: DealerScope;
    readonly changes: Partial<ImageDraft>;
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<StoredImage | null | typeof NO_SUCH_IMAGE>;
  /** Numbers the images in this order, which must be all of them. */
  reorder(order: {
    readonly vehicleId: number;
    readonly scope: DealerScope;
    readonly imageIds: readonly number[];
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<readonly StoredImage[] | null | typeof NOT_THE_IMAGES>;
  /** Removes one image; if it was primary, the first of the rest becomes primary. */
  remove(removal: {
    readonly vehicleId: number;
    readonly imageId: number;
    readonly scope: DealerScope;
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<true | null | typeof NO_SUCH_IMAGE>;
}
