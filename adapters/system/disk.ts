import { statfs } from "node:fs/promises";

/** The size and free space of a file system, in bytes. */
export interface DiskSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

type DiskState = "ok" | "low" | "unknown";

/** Watches the free space of a disk. */
export interface DiskWatch {
  readonly state: DiskState;
  /** The result of the last check, or `null` if it failed. */
  readonly space: DiskSpace | null;
  stop(): void;
}

/** `low` is called once when space gets low, `recovered` once when there is enough again. */
export interface DiskListener {
  low(space: DiskSpace): void;
  recovered(space: DiskSpace): void;
}

const CHECK_MS = 10_000;
const MIN_FREE_BYTES = 200_000_000;
const MIN_FREE_SHARE = 0.05;

/** True if less than 5 % of a disk, or less than 200 MB, is free. */
export const isLow = ({ freeBytes, totalBytes }: DiskSpace): boolean =>
  freeBytes < MIN_FREE_BYTES || freeBytes < totalBytes * MIN_FREE_SHARE;

const spaceOf = async (folder: string): Promise<DiskSpace> => {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
};

/**
 * Checks the disk of a folder from time to time, and never while somebody waits, so that a file system that hangs
 * blocks nothing. Resolves after the first check.
 */
export const watchDisk = async (
  folder: string,
  listener: DiskListener,
  readSpace: (folder: string) => Promise<DiskSpace> = spaceOf,
): Promise<DiskWatch> => {
  let state: DiskState = "unknown";
  let space: DiskSpace | null = null;
  let isLooking = false;
  const check = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      const found = await readSpace(folder);
      const before = state;
      space = found;
      state = isLow(found) ? "low" : "ok";
      if (state === "low" && before !== "low") listener.low(found);
      if (state === "ok" && before === "low") listener.recovered(found);
    } catch {
      state = "unknown";
      space = null;
    } finally {
      isLooking = false;
    }
  };
  await check();
  const timer = setInterval(() => void check(), CHECK_MS);
  timer.unref();
  return {
    get state() {
      return state;
    },
    get space() {
      return space;
    },
    stop: () => clearInterval(timer),
  };
};
