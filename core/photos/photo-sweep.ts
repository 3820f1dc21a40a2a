import type { KeptPhoto, PhotoStorage } from "./photo-storage.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** The number of photos that are looked up at once. */
const PER_STEP = 100;
const PHOTO_ID = /^[0-9a-f]{32}$/;

/** The photos that may have to go, in the database. Each method is one step, and throws if another process sweeps. */
export interface SweptPhotos {
  /**
   * Decides on some photos whose images were removed: those that no image and no restorable vehicle names are marked as
   * gone. Returns how many were decided on.
   */
  decideSome(): Promise<number>;
  /** Some photos that are gone, but whose files may still be there. */
  gone(): Promise<readonly string[]>;
  /** Forgets a photo whose files are removed. */
  forget(photoId: string): Promise<void>;
  /** Those of these ids that the database knows. */
  known(photoIds: readonly string[]): Promise<ReadonlySet<string>>;
}

interface Sweep {
  readonly photos: SweptPhotos;
  readonly storage: PhotoStorage;
  /** True if the work is to go on later. */
  readonly isStopping: () => boolean;
}

/** Removes the files of photos that nothing needs any more: first the decision is committed, then the files go. */
export const sweepRemoved = async ({ photos, storage, isStopping }: Sweep): Promise<void> => {
  while (!isStopping() && (await photos.decideSome()) > 0);
  for (let gone = await photos.gone(); gone.length > 0 && !isStopping(); gone = await photos.gone())
    for (const photoId of gone) {
      await storage.remove(photoId);
      await photos.forget(photoId);
    }
};

/** Removes files that no photo of the database has, once they are a day old. */
export const sweepOrphans = async ({ photos, storage, isStopping }: Sweep, nowMs: number): Promise<void> => {
  const removeUnknown = async (old: readonly KeptPhoto[]): Promise<void> => {
    const known = await photos.known(old.map(({ photoId }) => photoId).filter((id) => PHOTO_ID.test(id)));
    for (const { photoId } of old) if (!known.has(photoId)) await storage.remove(photoId);
  };
  let old: KeptPhoto[] = [];
  for await (const photo of storage.list()) {
    if (isStopping()) return;
    if (photo.storedMs > nowMs - DAY_MS) continue;
    old.push(photo);
    if (old.length < PER_STEP) continue;
    await removeUnknown(old);
    old = [];
  }
  if (old.length > 0) await removeUnknown(old);
};
