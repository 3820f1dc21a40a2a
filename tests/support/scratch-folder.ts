import { mkdtempSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Files in memory, on Linux. */
const MEMORY = "/dev/shm";
/** More than the databases of all tests need together; containers often offer very little. */
const ENOUGH_BYTES = 4 * 1024 ** 3;

const hasRoom = (folder: string): boolean => {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
};

/** The folder of the run's test databases, if a run has made one: it is gone after the run, whatever happened. */
const { TEST_SCRATCH } = process.env;

/**
 * Creates a folder for test databases, in memory if there is room: creating a database on a disk costs ten times as
 * much. The caller removes it. Programs may not be run from it.
 */
export const scratchFolder = (prefix: string): string =>
  mkdtempSync(join(TEST_SCRATCH ?? (hasRoom(MEMORY) ? MEMORY : tmpdir()), prefix));
