import type { SteadyClock } from "../clock.ts";
import type { OwnAddress } from "../images/own-address.ts";
import { andThen, type MaybePromise } from "../maybe-promise.ts";
import type { PhotoRepository } from "./photo-repository.ts";
import type { PhotoStorage, StoredFile } from "./photo-storage.ts";

/** How long a photo that was found is delivered without another look at the database. */
const KNOWN_MS = 30_000;
const MAX_KNOWN = 50_000;

/** Delivers photos to whoever knows their addresses. */
export interface PhotoDelivery {
  /**
   * True if an image names the photo. What was found is remembered for 30 s, so that a removed photo is delivered no
   * longer than that.
   */
  isShown(address: OwnAddress): MaybePromise<boolean>;
  /** The file of a variant; `null` if it is missing. Throws StorageAway. */
  open(photoId: string, file: string): MaybePromise<StoredFile | null>;
}

/** Delivery from this storage. */
export const makePhotoDelivery = (
  photos: Pick<PhotoRepository, "isShown">,
  storage: Pick<PhotoStorage, "open">,
  clock: SteadyClock,
): PhotoDelivery => {
  const known = new Map<string, number>();
  return {
    isShown(address) {
      const key = `${address.accountHash}/${address.photoId}`;
      const until = known.get(key);
      if (until !== undefined && clock.steadyMs() < until) return true;
      known.delete(key);
      const foundMs = clock.steadyMs();
      return andThen(photos.isShown(address), (isShown) => {
        if (!isShown) return false;
        known.set(key, foundMs + KNOWN_MS);
        const oldest = known.size > MAX_KNOWN ? known.keys().next().value : undefined;
        if (oldest !== undefined) known.delete(oldest);
        return true;
      });
    },
    open: (photoId, file) => storage.open(photoId, file),
  };
};
