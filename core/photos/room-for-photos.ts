import { Failure } from "../failure.ts";
import type { Storage } from "../storage.ts";
import type { PhotoRepository } from "./photo-repository.ts";

const MEBIBYTE = 1024 * 1024;

const overQuota = (mib: number): Failure =>
  new Failure({
    kind: "storage-quota",
    reason: `The photos of this dealer take the ${mib} MiB that they may take: remove some, or have IMAGE_QUOTA_MB raised`,
  });

interface Parts {
  readonly photos: Pick<PhotoRepository, "bytesOf">;
  /** The mebibytes that the photos of one dealer may take; `null` for no limit. */
  readonly quotaMib: number | null;
  readonly disk: Pick<Storage, "diskRefusal">;
}

/** Tells why there is no room for another photo of a dealer; `null` if there is. */
export const roomForPhotos =
  ({ photos, quotaMib, disk }: Parts) =>
  async (dealerId: number): Promise<Failure | null> => {
    const full = disk.diskRefusal();
    if (full !== null) return full;
    if (quotaMib === null || (await photos.bytesOf(dealerId)) < quotaMib * MEBIBYTE) return null;
    return overQuota(quotaMib);
  };
