import { mkdtempSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Files in memory, on Linux. */
const MEMORY = "/dev/shm";
/** More than the databases of all tests together; in a container there is often next to nothing. */
const ENOUGH_BYTES = 4 * 1024 ** 3;

const hasRoom = (folder: string): boolean => {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
};

/**
 * Makes a folder for databases of the tests: in memory where there is room, because making a database on a disk costs
 * ten times as much. Whoever asks for it removes it. Programs may not be run from it.
 */
export const scratchFolder = (prefix: string): string => mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), prefix));
