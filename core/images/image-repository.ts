import type { DealerScope } from "../access/decide.ts";
import type { Actor } from "../access/principal.ts";
import type { Timestamp } from "../clock.ts";
import type { Listing, Page } from "../page.ts";
import type { ImageChanges, StoredImage } from "./image.ts";
import type { WantedImages } from "./image-plan.ts";

/** An image to store. The missing fields get defaults that depend on the vehicle's existing images. */
export type ImageDraft = Readonly<ImageChanges & Required<Pick<ImageChanges, "image_url">>>;

/** The image does not belong to the vehicle. */
export const NO_SUCH_IMAGE = Symbol("no such image");

/** The vehicle has as many images as it may have. */
export const IMAGES_FULL = Symbol("as many images as a vehicle may have");

/** The list does not contain exactly the vehicle's images, each once. */
export const NOT_THE_IMAGES = Symbol("not the vehicle's images");

/** The image that was asked for. It is not new if the vehicle had an image with this address already. */
interface AddedImage {
  readonly image: StoredImage;
  readonly isNew: boolean;
}

/**
 * The images of vehicles in the database. Every statement has the scope in its WHERE, and every method returns `null`
 * if the vehicle is out of scope. A vehicle has at most one primary image: a change that makes another image primary
 * also unsets the old one, in the same transaction. In that transaction, too, the vehicle's `updated_at` becomes `now`,
 * or one millisecond after its previous value if that is later. Its history does not change.
 */
export interface ImageRepository {
  /** Ordered by display order, then by id. */
  list(vehicleId: number, scope: DealerScope, page: Page): Promise<Listing<StoredImage> | null>;
  /**
   * If the vehicle has an image with this address, that one gets the primary mark and the place of the draft; if that
   * changes nothing, the vehicle stays as it is.
   */
  add(image: {
    readonly vehicleId: number;
    readonly scope: DealerScope;
    readonly draft: ImageDraft;
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<AddedImage | null | typeof IMAGES_FULL>;
  update(change: {
    readonly vehicleId: number;
    readonly imageId: number;
    readonly scope: DealerScope;
    readonly changes: Partial<ImageDraft>;
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<StoredImage | null | typeof NO_SUCH_IMAGE>;
  /**
   * Gives the vehicle these images, as `imagePlan` says. Returns whether that changed any. With `isTouched`, the same
   * transaction creates or changes the vehicle, so that its `updated_at` stays as it is. With `versions`, the vehicle
   * must have one of them; `null` otherwise.
   */
  set(list: {
    readonly vehicleId: number;
    readonly scope: DealerScope;
    readonly wanted: WantedImages;
    readonly isTouched: boolean;
    readonly versions?: readonly Timestamp[] | null;
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<boolean | null | typeof IMAGES_FULL>;
  /** Numbers the images in this order. The order must contain all of the vehicle's images. */
  reorder(order: {
    readonly vehicleId: number;
    readonly scope: DealerScope;
    readonly imageIds: readonly number[];
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<readonly StoredImage[] | null | typeof NOT_THE_IMAGES>;
  /** Removes one image. If it was primary, the first of the remaining images becomes primary. */
  remove(removal: {
    readonly vehicleId: number;
    readonly imageId: number;
    readonly scope: DealerScope;
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<true | null | typeof NO_SUCH_IMAGE>;
}
