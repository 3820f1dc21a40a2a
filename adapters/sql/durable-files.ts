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
import { privately } from "./private-files.ts";

const sync = (path: string, flags: "r" | "r+"): void => {
  const handle = openSync(path, flags);
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

/** Returns when a file's content is on the disk. */
export const syncFile = (file: string): void => sync(file, "r+");

/** Returns when the names in a file's folder are on the disk; Windows writes them by itself. */
const syncNames = (file: string): void => {
  if (process.platform !== "win32") sync(dirname(file), "r");
};

const codeOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "code" in error ? error.code : undefined;

/**
 * Gives a finished temporary file its name, and never replaces a file: throws with code EEXIST. Where the file system
 * has no second names, the last moment at which that is seen is the one before.
 */
export const publish = (temporary: string, file: string): void => {
  try {
    linkSync(temporary, file);
    unlinkSync(temporary);
  } catch (error) {
    if (codeOf(error) === "EEXIST" || existsSync(file)) throw error;
    renameSync(temporary, file);
  }
  syncNames(file);
};

/** Gives a file a second name, unless another file has it; on a file system without second names, a copy gets it. */
const keepAs = (file: string, name: string): void => {
  try {
    linkSync(file, name);
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw error;
    privately(() => copyFileSync(file, name, constants.COPYFILE_EXCL));
    syncFile(name);
  }
  syncNames(name);
};

/**
 * Puts a finished temporary file in the place of another, which keeps its content under the name `kept`. At no moment
 * is there no file in that place, and whatever fails, both contents remain under one name or another.
 */
export const replace = (file: string, temporary: string, kept: string): void => {
  if (existsSync(file)) keepAs(file, kept);
  renameSync(temporary, file);
  syncNames(file);
};
