import type { DealerScope } from "../access/decide.ts";
import type { Outcome } from "../failure.ts";
import type { StoredImage } from "../images/image.ts";
import type { ChangedImages, ImageChange, ImageDecision } from "../images/image-repository.ts";
import type { OwnAddress } from "../images/own-address.ts";
import type { PhotoFacts } from "./photo.ts";

/** The vehicle has no such image. */
export const NO_SUCH_IMAGE = Symbol("no such image");

/** The vehicle has lost the photo that it had. */
export const PHOTO_GONE = Symbol("the photo is gone");

/** What is known of a vehicle before a photo is added to it. */
export interface PhotoVehicle {
  readonly dealerId: number;
  /** The number of its images. */
  readonly images: number;
  /** True if one of its images is a photo with these bytes. */
  readonly hasPhoto: boolean;
}

/** A photo whose files are in the storage. */
export interface NewPhoto extends PhotoFacts {
  readonly photoId: string;
  /** Of the sent bytes, in hexadecimal. */
  readonly sha256: string;
  /** The SHA-256 of each file by its name. */
  readonly files: Readonly<Record<string, string>>;
  /** Of all files together. */
  readonly bytes: number;
}

/** Decides on the images of a vehicle, once the address of the photo is known. */
export type DecideOnPhoto = (present: readonly StoredImage[], address: string) => Outcome<ImageDecision>;

/** The images of a vehicle after a change, and whether the photo is stored for it. */
export interface ChangedPhoto extends ChangedImages {
  readonly isStored: boolean;
}

/**
 * Photos in the database. Every statement on a vehicle has the scope in its WHERE; methods return `null` if the vehicle
 * is out of scope.
 */
export interface PhotoRepository {
  vehicle(vehicleId: number, scope: DealerScope, sha256: string): Promise<PhotoVehicle | null>;
  /** The bytes of a dealer's photos. */
  bytesOf(dealerId: number): Promise<number>;
  /**
   * Changes the images of a vehicle by a photo. If an image of it has the same bytes, its address is what is decided on,
   * and the photo is not stored; otherwise the photo is stored with the change. `photo` is `null` if there is such an
   * image for sure: PHOTO_GONE if there is none any more.
   */
  change(
    change: ImageChange,
    sent: { readonly sha256: string; readonly photo: NewPhoto | null },
    decide: DecideOnPhoto,
  ): Promise<Outcome<ChangedPhoto> | null | typeof PHOTO_GONE>;
  /** An image of the vehicle. */
  image(vehicleId: number, imageId: number, scope: DealerScope): Promise<StoredImage | null | typeof NO_SUCH_IMAGE>;
  /** True if an image of the dealer with this account names the photo. */
  isShown(address: OwnAddress): Promise<boolean>;
}
