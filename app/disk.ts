import { dirname } from "node:path";
import type { Logger } from "pino";
import type { Registry } from "../adapters/metrics/registry.ts";
import { type DiskSpace, type DiskWatch, watchDisk } from "../adapters/system/disk.ts";
import { fileOf } from "./database.ts";
import { isPostgresUrl } from "./database-url.ts";

/** The folder of the database file. With PostgreSQL, or with a database in memory, it is the working folder. */
const folderOf = (databaseUrl: string): string => {
  if (isPostgresUrl(databaseUrl)) return ".";
  const file = fileOf(databaseUrl);
  return file === ":memory:" ? "." : dirname(file);
};

/** True if the database is a file: its disk is the one that is watched. */
export const isOnThisDisk = (databaseUrl: string): boolean =>
  !isPostgresUrl(databaseUrl) && fileOf(databaseUrl) !== ":memory:";

const inMegabytes = ({ freeBytes, totalBytes }: DiskSpace) => ({
  free_mb: Math.round(freeBytes / 1e6),
  total_mb: Math.round(totalBytes / 1e6),
});

/** Watches the disk of the database. Its free space is reported in the log and in the metrics. */
export const composeDisk = async (databaseUrl: string, log: Logger, registry: Registry): Promise<DiskWatch> => {
  const watch = await watchDisk(folderOf(databaseUrl), {
    low: (space) =>
      log.warn(inMegabytes(space), "the disk is nearly full: on a full one changes are refused; make room on it"),
    recovered: (space) => log.info(inMegabytes(space), "the disk has enough room again"),
  });
  registry.gauge("inventory_disk_free_bytes", "Room left on the disk of the database's file.", () => {
    return watch.space?.freeBytes ?? null;
  });
  registry.gauge("inventory_disk_size_bytes", "Size of that disk.", () => watch.space?.totalBytes ?? null);
  return watch;
};
