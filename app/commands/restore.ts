import { existsSync } from "node:fs";
import type { Command } from "commander";
import { withPhotosOf } from "../../adapters/sql/photos/photos-of-file.ts";
import { restore } from "../../adapters/sql/sqlite/restore.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import type { PhotoStorage } from "../../core/photos/photo-storage.ts";
import { CommandError } from "./exit.ts";
import { fileArgument } from "./options.ts";
import { print } from "./output.ts";
import { copied, otherStorage, ownStorage, printFaults, refuseFaults, withStorageErrors } from "./photo-storages.ts";
import { databaseFile, withFileErrors } from "./sqlite-files.ts";

/** The current time as a part of a file name, such as 2026-11-20T09-11-00-000Z. */
const fileTimestamp = (): string => systemClock.now().replaceAll(/[:.]/g, "-");

/** The folder with the photos of a backup, and where they belong. */
interface Kept {
  readonly folder: string;
  readonly from: PhotoStorage;
  readonly to: PhotoStorage;
}

/** Takes back the photos that the restored database names, and names those that are nowhere whole. */
const restorePhotos = async (database: string, { folder, from, to }: Kept): Promise<void> => {
  const photos = await withStorageErrors("the database is restored, but not all photos; run the command again", () =>
    withPhotosOf(database, ({ count, all }) => copied({ count, all: all() }, { from, to, trusts: "content" })),
  );
  print(
    `Its photos are there: ${photos.photos - photos.faults.length}, of which ${photos.copied} came from ${folder}.`,
  );
  printFaults(photos.faults);
  refuseFaults(photos.faults, photos.photos);
};

const restoreFrom = async (file: string, { images }: { readonly images?: string }): Promise<void> => {
  const database = databaseFile("restored");
  const photos = await withStorageErrors("nothing was restored", async () => {
    if (images === undefined) return null;
    if (!existsSync(images)) throw new CommandError(`there is no folder ${images}`);
    const own = ownStorage({ isMade: true });
    const { storage } = otherStorage("--images", images, own);
    await Promise.all([own.storage.check(), storage.check()]);
    return { folder: images, from: storage, to: own.storage };
  });
  const kept = withFileErrors("restored", () => restore(file, database, `before-restore-${fileTimestamp()}`));
  print(`Restored ${database} from ${file}.`);
  if (kept !== null) print(`The database that was there is kept as ${kept}.`);
  if (photos !== null) await restorePhotos(database, photos);
};

/** Adds the command `restore`, which is for SQLite only. */
export const addRestore = (program: Command): void => {
  program
    .command("restore")
    .description(
      "replace the SQLite database with a backup, keeping the old database next to it; stop the service first",
    )
    .addArgument(fileArgument("a file that the backup command wrote"))
    .option("--images <folder>", "also take the photos back from the folder of backup --images")
    .action(restoreFrom);
};
