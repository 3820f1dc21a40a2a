import { constants, statfsSync } from "node:fs";
import { access, mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type PhotoStorage, StorageAway, StorageFull, type StoredFile } from "../../core/photos/photo-storage.ts";
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

const storedFile = (file: Bun.BunFile, bytes: number): StoredFile => ({
  bytes,
  content: (from, to) => (from === 0 && to === bytes ? file : file.slice(from, to)),
});

/** Kinds of file systems on disks of this machine, by their numbers: ext, XFS, Btrfs, ZFS, tmpfs, and overlays of these. */
const LOCAL: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0x01021994, 0x794c7630]);
/** True if looking for a file takes microseconds. Over a network it may take seconds, in which nobody would be answered. */
const isOnLocalDisk = (folder: string): boolean => {
  try {
    return LOCAL.has(statfsSync(folder).type >>> 0);
  } catch {
    return false;
  }
};

/**
 * Photos in a folder, which must exist. Each has a folder of its own, which gets its name when all files in it are
 * written and synced: `<first two letters of the id>/<id>/<file>`.
 */
export const folderStorage = (root: string): PhotoStorage => {
  const isLocal = isOnLocalDisk(root);
  // An id has no dots or slashes, and joining paths would take longer than looking for a file.
  const shelfOf = (photoId: string): string => `${root}/${photoId.slice(0, SHELF_LENGTH)}`;
  const folderOf = (photoId: string): string => `${shelfOf(photoId)}/${photoId}`;

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
    open(photoId, file) {
      const path = `${folderOf(photoId)}/${file}`;
      const stored = Bun.file(path);
      // The size of what is not there is 0. It takes a fifth of a `stat`.
      const bytes = isLocal ? stored.size : 0;
      if (bytes > 0) return storedFile(stored, bytes);
      return within(ifThere(stat(path)).then((found) => (found === null ? nothing() : storedFile(stored, found.size))));
    },
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
