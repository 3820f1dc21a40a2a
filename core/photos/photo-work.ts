import { Failure, type Outcome } from "../failure.ts";
import { badPhoto, type InspectedPhoto } from "./inspection.ts";
import type { PhotoMaker, Turn } from "./photo.ts";
import type { NewPhoto } from "./photo-repository.ts";
import { type PhotoStorage, StorageAway, StorageFull } from "./photo-storage.ts";
import type { UploadTurns } from "./turns.ts";

/** What photos need beside the database. */
export interface PhotoWork {
  readonly storage: PhotoStorage;
  readonly maker: PhotoMaker;
  readonly turns: UploadTurns;
  readonly hash: (content: Uint8Array | string) => string;
  /** An id that cannot be guessed. */
  readonly newId: () => string;
}

const TRY_LATER_SECONDS = 5;

/** A failure that passes by itself. */
export const tryLater = (reason: string, retrySeconds = TRY_LATER_SECONDS): Failure =>
  new Failure({ kind: "photos-unavailable", reason, retrySeconds });

/** The failure while the storage is out of reach. */
export const AWAY = tryLater("The storage of photos is out of reach; nothing was stored, try again soon");
const FULL = new Failure({
  kind: "storage-full",
  reason: "The storage of photos is full; nothing was stored",
});
const DAMAGED = badPhoto("is damaged: it cannot be decoded");

/** Makes a photo from an image when its turn comes, and stores its files. */
export const storedPhoto = async (
  { storage, maker, turns, hash, newId }: PhotoWork,
  image: InspectedPhoto,
  { sha256, turn }: { readonly sha256: string; readonly turn?: Turn },
): Promise<Outcome<NewPhoto>> => {
  const made = await turns.decode(() => maker.make(image, turn));
  if (made === null) return DAMAGED;
  const photoId = newId();
  try {
    await storage.put(photoId, made.files);
  } catch (error) {
    // What was written is removed now if possible, and by the sweep otherwise. The answer does not wait for it.
    void storage.remove(photoId).catch(() => {});
    if (error instanceof StorageFull) return FULL;
    if (error instanceof StorageAway) return AWAY;
    throw error;
  }
  const { width, height, placeholder, files } = made;
  return {
    sha256,
    photoId,
    width,
    height,
    placeholder,
    files: Object.fromEntries([...files].map(([name, bytes]) => [name, hash(bytes)])),
    bytes: [...files.values()].reduce((sum, { length }) => sum + length, 0),
  };
};
