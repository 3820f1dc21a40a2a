import type { DealerScope } from "../access/decide.ts";
import type { Actor } from "../access/principal.ts";
import type { Timestamp } from "../clock.ts";
import type { Outcome } from "../failure.ts";
import type { Listing, Page } from "../page.ts";
import type { ImageChanges, StoredImage } from "./image.ts";

/** An image as it is sent. What is missing is decided by the vehicle's present images. */
export type ImageDraft = Readonly<ImageChanges & Required<Pick<ImageChanges, "image_url">>>;

/** An image to be added. */
type NewImage = Required<Omit<ImageDraft, "alt">> & Pick<ImageDraft, "alt">;

/**
 * One step of a change of a vehicle's images. Each is recorded in the audit log, except a mark. An image that becomes
 * primary takes the mark from the one that had it.
 */
export type ImageStep =
  /** Later steps name the image by this negative id. */
  | { readonly does: "add"; readonly id: number; readonly image: NewImage }
  | { readonly does: "change"; readonly id: number; readonly changes: Partial<ImageDraft> }
  | { readonly does: "remove"; readonly id: number }
  /** Makes it primary, as a consequence of another step. */
  | { readonly does: "mark"; readonly id: number }
  /** All images of the vehicle in their new order. */
  | { readonly does: "order"; readonly images: readonly Pick<StoredImage, "id" | "display_order">[] };

/** What becomes of a vehicle's images. */
export interface ImageDecision {
  /** None if nothing changes. */
  readonly steps: readonly ImageStep[];
  /** The image that is answered. */
  readonly named?: number;
}

/** The images of a vehicle that were changed. */
export interface ImageChange {
  readonly vehicleId: number;
  readonly scope: DealerScope;
  /** The vehicle must have one of these versions. */
  readonly versions?: readonly Timestamp[] | null;
  /** The field of the request that names the addresses; `image_url` by default. */
  readonly field?: "images";
  /** True if the same transaction creates or changes the vehicle, so that its `updated_at` stays as it is. */
  readonly isTouched?: boolean;
  readonly now: Timestamp;
  readonly by: Actor;
}

/** A vehicle's images after a change. */
export interface ChangedImages {
  /** All of them in their order. */
  readonly images: readonly StoredImage[];
  readonly isChanged: boolean;
  /** The image that the decision names, and whether the change added it. */
  readonly named: StoredImage | null;
  readonly isNew: boolean;
}

/** Changes the images of a vehicle as `decide` says of the present ones, which stay locked until the end. */
export type ChangeImages = (
  change: ImageChange,
  decide: (present: readonly StoredImage[]) => Outcome<ImageDecision>,
) => Promise<Outcome<ChangedImages> | null>;

/**
 * The images of vehicles in the database. Every statement has the scope in its WHERE, and every method returns `null`
 * if the vehicle is out of scope. A vehicle has at most one primary image. In the transaction of a change, the vehicle's
 * `updated_at` becomes `now`, or one millisecond after its previous value if that is later. Its history does not change.
 */
export interface ImageRepository {
  /** Ordered by display order, then by id. */
  list(vehicleId: number, scope: DealerScope, page: Page): Promise<Listing<StoredImage> | null>;
  /** `null` also if the vehicle has none of the versions. */
  readonly change: ChangeImages;
}
