import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  unlinkSync,
} from "node:fs";
import { dirname } from "node:path";
import { entryAt, withPrivateUmask } from "./private-files.ts";

const sync = (path: string, flags: "r" | "r+"): void => {
  const handle = openSync(path, flags);
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

/** Returns when the content of a file is on disk. */
export const syncFile = (file: string): void => sync(file, "r+");

/** Returns when the directory entries of a file's folder are on disk. Windows does this by itself. */
const syncNames = (file: string): void => {
  if (process.platform !== "win32") sync(dirname(file), "r");
};

/**
 * Renames a finished temporary file without ever replacing an existing one: then it throws. On file systems without hard
 * links, this is checked just before the rename.
 */
export const publish = (temporary: string, file: string): void => {
  try {
    linkSync(temporary, file);
    unlinkSync(temporary);
  } catch (error) {
    if (entryAt(file) !== undefined) throw error;
    renameSync(temporary, file);
  }
  syncNames(file);
};

/**
 * Links a file under a second name; throws if that name is taken. On file systems without hard links it is copied.
 */
const linkAs = (file: string, name: string): void => {
  try {
    linkSync(file, name);
  } catch {
    withPrivateUmask(() => copyFileSync(file, name, constants.COPYFILE_EXCL));
    syncFile(name);
  }
  syncNames(name);
};

/**
 * Replaces a file by a finished temporary file, and keeps the old content under the name `kept`. At every moment there
 * is a file under the name. Whatever fails, both contents still have a name.
 */
export const replace = (file: string, temporary: string, kept: string): void => {
  if (existsSync(file)) linkAs(file, kept);
  renameSync(temporary, file);
  syncNames(file);
};
