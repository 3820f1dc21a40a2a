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

/** Returns when what was written to a file, or the names in a folder, are on the disk. */
const sync = (path: string): void => {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

/** Returns when a file's content is on the disk. */
export const syncFile = sync;

/** Returns when the name of a file is on the disk. */
export const syncName = (file: string): void => sync(dirname(file));

const codeOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "code" in error ? error.code : undefined;

/** Gives a file a second name, unless another file has it; on a file system without second names, a copy gets it. */
const nameAlso = (file: string, name: string): void => {
  try {
    linkSync(file, name);
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw error;
    copyFileSync(file, name, constants.COPYFILE_EXCL);
    syncFile(name);
  }
};

/** Gives a finished temporary file its name. Never replaces a file: throws with code EEXIST. */
export const publish = (temporary: string, file: string): void => {
  nameAlso(temporary, file);
  unlinkSync(temporary);
  syncName(file);
};

/**
 * Puts a finished temporary file in the place of another, which keeps its content under the name `kept`. At no moment
 * is there no file in that place, and whatever fails, both contents remain under one name or another.
 */
export const replace = (file: string, temporary: string, kept: string): void => {
  if (existsSync(file)) nameAlso(file, kept);
  syncName(file);
  renameSync(temporary, file);
  syncName(file);
};
