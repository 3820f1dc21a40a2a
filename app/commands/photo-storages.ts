import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { folderStorage } from "../../adapters/photos/folder.ts";
import { bucketStorage } from "../../adapters/photos/s3.ts";
import {
  type CopiedPhotos,
  copyPhotos,
  type HeldPhotos,
  type PhotoCopy,
  type PhotoFault,
} from "../../core/photos/photo-copies.ts";
import { type PhotoStorage, StorageAway, StorageFull } from "../../core/photos/photo-storage.ts";
import { ConfigError } from "../config-error.ts";
import { type PhotoStorageConfig, photosOf } from "../photo-config.ts";
import { readyFolder } from "../photos.ts";
import { CommandError, EXIT, usageError } from "./exit.ts";
import { print } from "./output.ts";
import { showProgress } from "./progress.ts";
import { plural } from "./table.ts";

/** A storage of photos with its name for people. */
export interface NamedStorage {
  readonly name: string;
  /** What IMAGE_STORAGE is set to for it. */
  readonly setting: string;
  readonly storage: PhotoStorage;
}

const SHOWN = 5;

const hash = (bytes: Uint8Array): string => Bun.SHA256.hash(bytes, "hex");

const namedOf = (config: PhotoStorageConfig, isMade: boolean): NamedStorage | null => {
  if (config.kind === "folder") {
    const folder = isMade ? readyFolder(config.folder) : config.folder;
    return { name: `the folder ${folder}`, setting: folder, storage: folderStorage(folder) };
  }
  if (config.kind !== "bucket") return null;
  const { bucket, prefix } = config.access;
  const setting = prefix === "" ? `s3://${bucket}` : `s3://${bucket}/${prefix}`;
  return { name: setting, setting, storage: bucketStorage(config.access) };
};

/** The storage that the service uses. Its folder is made only for photos that are to be put there. */
export const ownStorage = ({ isMade }: { readonly isMade: boolean }): NamedStorage => {
  const named = namedOf(photosOf(process.env).storage, isMade);
  if (named === null) throw new CommandError("this installation holds no photos; IMAGE_STORAGE says where they are");
  return named;
};

const isSame = (one: string, other: string): boolean => {
  const pathOf = (setting: string): string => (existsSync(setting) ? realpathSync(setting) : resolve(setting));
  return pathOf(one) === pathOf(other);
};

/** Another storage than the service's, by the value of an option: a folder, which is made, or a bucket. */
export const otherStorage = (option: string, text: string, own: NamedStorage): NamedStorage => {
  try {
    const config = photosOf({ ...process.env, IMAGE_STORAGE: text }).storage;
    const named = namedOf(config, false);
    if (named === null) throw usageError(`${option}: must be a folder or s3://<bucket>[/<prefix>]`);
    if (isSame(named.setting, own.setting)) throw usageError(`${option}: ${named.name} is where the photos are`);
    if (config.kind === "folder") readyFolder(config.folder);
    return named;
  } catch (error) {
    if (error instanceof ConfigError && error.variable === "IMAGE_STORAGE")
      throw usageError(`${option}: ${error.fault}`);
    throw error;
  }
};

/** Work on storages. If one is out of reach or full, the error is one line that begins with these words. */
export const withStorageErrors = async <Result>(words: string, work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StorageAway || error instanceof StorageFull)
      throw new CommandError(`${words}: ${error.message}`);
    throw error;
  }
};

/** Work on so many photos, with their hashes, whose progress is shown. */
export const withPhotoProgress = async <Result>(
  total: number,
  work: (listener: { readonly hash: typeof hash; readonly reached: (photos: number) => void }) => Promise<Result>,
): Promise<Result> => {
  if (total === 0) return work({ hash, reached: () => {} });
  const progress = showProgress("photos", total);
  try {
    return await work({ hash, reached: (photos) => progress.reach(photos) });
  } finally {
    progress.end();
  }
};

/** Copies photos, and shows how far it is. */
export const copied = (
  { count, all }: { readonly count: number; readonly all: HeldPhotos },
  copy: PhotoCopy,
): Promise<CopiedPhotos> => withPhotoProgress(count, (listener) => copyPhotos(all, copy, listener));

const lineOf = ({ fault, photoId, vehicleId }: PhotoFault): string =>
  `${fault}: photo ${photoId} of ${vehicleId === null ? "a removed vehicle" : `vehicle ${vehicleId}`}`;

/** Prints a line for each photo that is missing or damaged. */
export const printFaults = (faults: readonly PhotoFault[]): void => {
  for (const fault of faults) print(lineOf(fault));
};

/** Ends the command with this exit code if photos are missing or damaged. The error names the first of them. */
export const refuseFaults = (faults: readonly PhotoFault[], total: number, exitCode: number = EXIT.partly): void => {
  if (faults.length === 0) return;
  const more = faults.length > SHOWN ? ` and ${faults.length - SHOWN} more` : "";
  const shown = faults.slice(0, SHOWN).map(({ photoId }) => photoId);
  throw new CommandError(
    `of ${plural(total, "photo")}, ${faults.length} are missing or damaged: ${shown.join(", ")}${more}`,
    exitCode,
  );
};
