import { PHOTO_FILES } from "./photo.ts";
import { type PhotoStorage, StorageAway } from "./photo-storage.ts";

const PHOTO_ID = /^[0-9a-f]{32}$/;

/** A photo that the database names. */
export interface HeldPhoto {
  readonly photoId: string;
  /** A vehicle with an image of it; `null` if only a removed vehicle has it, which can be restored. */
  readonly vehicleId: number | null;
  /** The SHA-256 of each file by its name. */
  readonly files: Readonly<Record<string, string>>;
}

/** A photo that is not in a storage as it should be. */
export interface PhotoFault extends Pick<HeldPhoto, "photoId" | "vehicleId"> {
  readonly fault: "missing" | "damaged";
}

/** Photos, one after another. */
export type HeldPhotos = AsyncIterable<HeldPhoto> | Iterable<HeldPhoto>;

/** What is told of the work on many photos. */
export interface PhotoCopyListener {
  readonly hash: (content: Uint8Array) => string;
  /** So many photos are done. */
  readonly reached: (photos: number) => void;
}

type Read = ReadonlyMap<string, Uint8Array> | PhotoFault["fault"];

/** Names of files are paths in a folder: a database that somebody else made must not choose which. */
const isNamedByTheService = ({ photoId, files }: HeldPhoto): boolean =>
  PHOTO_ID.test(photoId) && Object.keys(files).every((name) => PHOTO_FILES.includes(name));

/** All files of a photo, or what is wrong with them. */
const readWhole = async (storage: PhotoStorage, photo: HeldPhoto, hash: PhotoCopyListener["hash"]): Promise<Read> => {
  if (!isNamedByTheService(photo)) return "damaged";
  const { photoId, files } = photo;
  const read = await Promise.all(
    Object.entries(files).map(async ([name, sha256]) => {
      const bytes = await storage.read(photoId, name);
      return { name, bytes, isIntact: bytes !== null && hash(bytes) === sha256 };
    }),
  );
  const found = new Map<string, Uint8Array>();
  for (const { name, bytes, isIntact } of read) {
    if (bytes === null) return "missing";
    if (!isIntact) return "damaged";
    found.set(name, bytes);
  }
  return found;
};

/** True if a photo has all its files, which are not read. */
const isPresent = async (storage: PhotoStorage, photo: HeldPhoto): Promise<boolean> => {
  if (!isNamedByTheService(photo)) return false;
  const { photoId, files } = photo;
  const found = await Promise.all(Object.keys(files).map((name) => storage.open(photoId, name)));
  return found.every((file) => file !== null);
};

/** Reads every photo, and returns those that are missing or damaged. Throws StorageAway. */
export const verifyPhotos = async (
  photos: HeldPhotos,
  storage: PhotoStorage,
  { hash, reached }: PhotoCopyListener,
): Promise<{ readonly photos: number; readonly faults: readonly PhotoFault[] }> => {
  const faults: PhotoFault[] = [];
  let done = 0;
  for await (const photo of photos) {
    const read = await readWhole(storage, photo, hash);
    if (typeof read === "string") faults.push({ photoId: photo.photoId, vehicleId: photo.vehicleId, fault: read });
    reached(++done);
  }
  return { photos: done, faults };
};

/** What was copied from one storage to another. */
export interface CopiedPhotos {
  readonly photos: number;
  readonly copied: number;
  /** Photos that are in neither storage whole. */
  readonly faults: readonly PhotoFault[];
}

/** The storages of a copy, and how far what is in the target already is trusted. */
export interface PhotoCopy {
  readonly from: PhotoStorage;
  readonly to: PhotoStorage;
  /** `presence` trusts files that are there, as they never change; `content` reads them. */
  readonly trusts: "presence" | "content";
}

/**
 * Copies photos that the target does not have, and checks each by its hashes before and after. What was interrupted is
 * continued by another run. Throws StorageAway and StorageFull.
 */
export const copyPhotos = async (
  photos: HeldPhotos,
  { from, to, trusts }: PhotoCopy,
  { hash, reached }: PhotoCopyListener,
): Promise<CopiedPhotos> => {
  const faults: PhotoFault[] = [];
  let [done, copied] = [0, 0];

  const isThere = async (photo: HeldPhoto): Promise<boolean> =>
    trusts === "presence" ? isPresent(to, photo) : typeof (await readWhole(to, photo, hash)) !== "string";

  const copy = async (photo: HeldPhoto): Promise<void> => {
    const { photoId, vehicleId } = photo;
    const files = await readWhole(from, photo, hash);
    if (typeof files === "string") {
      faults.push({ photoId, vehicleId, fault: files });
      return;
    }
    await to.remove(photoId);
    await to.put(photoId, files);
    const written = await readWhole(to, photo, hash);
    if (typeof written === "string") throw new StorageAway(`photo ${photoId} is ${written} after it was written`);
    copied++;
  };

  for await (const photo of photos) {
    if (!(await isThere(photo))) await copy(photo);
    reached(++done);
  }
  return { photos: done, copied, faults };
};
