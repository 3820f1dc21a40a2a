import { rmSync } from "node:fs";
import type { Command } from "commander";
import { withPhotosOf } from "../../adapters/sql/photos/photos-of-file.ts";
import { backUp } from "../../adapters/sql/sqlite/backup.ts";
import type { CopiedPhotos, PhotoCopy } from "../../core/photos/photo-copies.ts";
import { keyFileFor } from "../secret-key.ts";
import { fileArgument } from "./options.ts";
import { note, print } from "./output.ts";
import { copied, otherStorage, ownStorage, printFaults, refuseFaults, withStorageErrors } from "./photo-storages.ts";
import { databaseFile, withFileErrors } from "./sqlite-files.ts";

const MEBIBYTE = 1024 * 1024;
/** How often a backup is begun anew because photos that it names were removed before they were copied. */
const TRIES = 3;

/**
 * A note about the secret key: without it, the second factors in a backup are useless, and it must not be stored beside
 * the backup.
 */
const keyAdvice = (database: string): string => {
  const key = process.env.SECRET_KEY === undefined ? keyFileFor(database) : "SECRET_KEY";
  return `The key of second factors (${key}) is not in it: keep it, apart from the backup.`;
};

interface WithPhotos {
  readonly bytes: number;
  readonly photos: CopiedPhotos;
}

/**
 * Writes a backup and copies the photos that it names. Most of them are copied before it is written: the service may
 * remove some between the two. If that happens, it is written anew.
 */
const backUpWithPhotos = async (database: string, file: string, copy: PhotoCopy): Promise<WithPhotos> => {
  const photosOf = (one: string): Promise<CopiedPhotos> =>
    withPhotosOf(one, ({ count, all }) => copied({ count, all: all() }, copy));
  let copiedNow = 0;
  for (let attempt = 1; ; attempt++) {
    copiedNow += (await photosOf(database)).copied;
    const bytes = withFileErrors("backed up", () => backUp(database, file));
    try {
      const photos = await photosOf(file);
      copiedNow += photos.copied;
      const isStillSo = await withPhotosOf(database, async ({ isHeld }) =>
        photos.faults.every(({ photoId }) => isHeld(photoId)),
      );
      if (isStillSo || attempt === TRIES) return { bytes, photos: { ...photos, copied: copiedNow } };
    } catch (error) {
      rmSync(file);
      throw error;
    }
    rmSync(file);
  }
};

const backup = async (file: string, { images }: { readonly images?: string }): Promise<void> => {
  const database = databaseFile("backed up");
  const say = (bytes: number): void => {
    print(`Backed up ${database} to ${file} (${(bytes / MEBIBYTE).toFixed(1)} MiB).`);
    note(keyAdvice(database));
  };
  if (images === undefined) return say(withFileErrors("backed up", () => backUp(database, file)));
  const own = ownStorage({ isMade: false });
  const { bytes, photos } = await withStorageErrors("nothing was backed up", async () => {
    const to = otherStorage("--images", images, own);
    await own.storage.check();
    return backUpWithPhotos(database, file, { from: own.storage, to: to.storage, trusts: "presence" });
  });
  say(bytes);
  print(
    `Its photos are in ${images}: ${photos.photos - photos.faults.length}, of which ${photos.copied} were copied now.`,
  );
  printFaults(photos.faults);
  refuseFaults(photos.faults, photos.photos);
};

/** Adds the command `backup`, which is for SQLite only. */
export const addBackup = (program: Command): void => {
  program
    .command("backup")
    .description("write a verified copy of the SQLite database; the service may be running")
    .addArgument(fileArgument("the file to write, which must not exist yet"))
    .option(
      "--images <folder>",
      "also copy the photos that the backup names into a folder, which may have earlier ones",
    )
    .action(backup);
};
