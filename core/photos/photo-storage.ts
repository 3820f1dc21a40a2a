import type { MaybePromise } from "../maybe-promise.ts";

/** A stored file, as it is delivered. */
export interface StoredFile {
  readonly bytes: number;
  /** The bytes of a range, in the form that the runtime sends quickest. `to` is the end, exclusive. */
  content(from: number, to: number): unknown;
}

/** A photo that is in the storage. */
export interface KeptPhoto {
  /** Its id, or the name of what is left of a photo that was never stored whole. Either can be removed. */
  readonly photoId: string;
  /** When it was stored, in milliseconds. */
  readonly storedMs: number;
}

/** The storage is out of reach or too slow. */
export class StorageAway extends Error {
  override readonly name = "StorageAway";
}

/** The storage is full. */
export class StorageFull extends Error {
  override readonly name = "StorageFull";
}

/**
 * Where the files of photos are. Files never change: a photo that looks different has another id. Methods throw
 * StorageAway if the storage is out of reach, or does not answer within 5 s.
 */
export interface PhotoStorage {
  /** Stores the files of a photo. When it resolves, all of them will survive a loss of power. */
  put(photoId: string, files: ReadonlyMap<string, Uint8Array>): Promise<void>;
  /** The whole file; `null` if there is none. */
  read(photoId: string, file: string): Promise<Uint8Array | null>;
  /** The file for delivery; `null` if there is none. */
  open(photoId: string, file: string): MaybePromise<StoredFile | null>;
  /** Removes all files of a photo. Nothing happens if there are none. */
  remove(photoId: string): Promise<void>;
  /** Every photo that is there, and what is left of one that was never stored whole. Files of other names are left out. */
  list(): AsyncIterable<KeptPhoto>;
  /** Resolves if the storage is in reach. */
  check(): Promise<void>;
}
