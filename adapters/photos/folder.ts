import { constants } from "node:fs";
import { access, mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type PhotoStorage, StorageAway, StorageFull } from "../../core/photos/photo-storage.ts";
import { inTime } from "./in-time.ts";

/** The folder of a photo, also of one that is being written. */
const FOLDER_OF_PHOTO = /^[0-9a-f]{32}(?:\.[0-9a-f]{8}\.tmp)?$/;
const SHELF = /^[0-9a-f]{2}$/;
const SHELF_LENGTH = 2;
const FULL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/** Work on the folder, with its errors in the words of the port. */
const inWords = async <Result>(work: Promise<Result>): Promise<Result> => {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof StorageAway) throw cause;
    const code = codeOf(cause);
    if (FULL.has(code)) throw new StorageFull("the folder of photos is on a full disk", { cause });
    throw new StorageAway(`the folder of photos cannot be used (${code})`, { cause });
  }
};

/** The same for work on one file, which may not take long. */
const within = <Result>(work: Promise<Result>): Promise<Result> => inWords(inTime(work));

/** Nothing instead of a file that is not there. */
const ifThere = async <Result>(work: Promise<Result>): Promise<Result | null> => {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return null;
    throw error;
  }
};

const sync = async (path: string): Promise<void> => {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
};

const write = async (path: string, bytes: Uint8Array): Promise<void> => {
  const file = await open(path, "wx", 0o644);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
};

/**
 * Photos in a folder, which must exist. Each has a folder of its own, which gets its name when all files in it are
 * written and synced: `<first two letters of the id>/<id>/<file>`.
 */
export const folderStorage = (root: string): PhotoStorage => {
  const shelfOf = (photoId: string): string => join(root, photoId.slice(0, SHELF_LENGTH));
  const folderOf = (photoId: string): string => join(shelfOf(photoId), photoId);

  /** Makes the shelf, but never the root: if that is gone, its disk is. */
  const makeShelf = async (shelf: string): Promise<void> => {
    try {
      await mkdir(shelf);
      await sync(root);
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  };

  const put = async (photoId: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> => {
    const shelf = shelfOf(photoId);
    const unfinished = `${folderOf(photoId)}.${crypto.randomUUID().slice(0, 8)}.tmp`;
    try {
      await inTime(makeShelf(shelf).then(() => mkdir(unfinished)));
      await Promise.all([...files].map(([name, bytes]) => inTime(write(join(unfinished, name), bytes))));
      await inTime(sync(unfinished));
      await inTime(rename(unfinished, folderOf(photoId)));
      await inTime(sync(shelf));
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true }).catch(() => {});
      throw error;
    }
  };

  /** Nothing, if the folder itself is there. */
  const nothing = async (): Promise<null> => {
    await access(root, constants.R_OK);
    return null;
  };

  const namesIn = async (folder: string): Promise<readonly string[]> => (await ifThere(readdir(folder))) ?? [];

  return {
    put: (photoId, files) => inWords(put(photoId, files)),
    read: (photoId, file) =>
      within(ifThere(readFile(join(folderOf(photoId), file))).then((bytes) => bytes ?? nothing())),
    open: (photoId, file) =>
      within(
        ifThere(stat(join(folderOf(photoId), file))).then((found) => {
          if (found === null) return nothing();
          const { size } = found;
          const stored = Bun.file(join(folderOf(photoId), file));
          return { bytes: size, content: (from, to) => (from === 0 && to === size ? stored : stored.slice(from, to)) };
        }),
      ),
    remove: (photoId) => within(rm(folderOf(photoId), { recursive: true, force: true })),
    async *list() {
      for (const shelf of await within(readdir(root))) {
        if (!SHELF.test(shelf)) continue;
        for (const name of await within(namesIn(join(root, shelf)))) {
          const path = join(root, shelf, name);
          const found = FOLDER_OF_PHOTO.test(name) ? await within(ifThere(stat(path))) : null;
          if (found !== null) yield { photoId: name, storedMs: found.mtimeMs };
        }
      }
    },
    check: () => within(access(root, constants.R_OK | constants.W_OK)),
  };
};
