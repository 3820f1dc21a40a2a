const LOG_SIZE_LIMIT = 64 * 1024 * 1024;
/** The page cache of each connection that reads, in KiB. SQLite's default of 2 MiB is too small for 50 000 vehicles. */
const CACHE_KIB = 32 * 1024;
/** The same of the one that writes: a larger one fills during an import, and saves no time that can be measured. */
const WRITER_CACHE_KIB = 8 * 1024;
/** The same of one that walks through a table once, as an export does: a larger one takes longer to fill and to free. */
const WALK_CACHE_KIB = 2 * 1024;
/** Pages of 4 KiB that a write may change before SQLite writes to the disk in its middle, where statements then wait. */
const SPILL_PAGES = 8192;
/** Pages of 4 KiB after which the log is copied back by whoever writes, as the thread for it is gone or held up. */
const CHECKPOINT_PAGES = 4000;

/** The setting of the page cache. */
export const CACHE_SIZE = `cache_size = -${CACHE_KIB}`;
export const WALK_CACHE_SIZE = `cache_size = -${WALK_CACHE_KIB}`;

/** PRAGMA settings of each connection to a database file: durable, with foreign keys enforced, and fast. */
export const SQLITE_SETTINGS: readonly string[] = [
  "journal_mode = WAL",
  "synchronous = FULL",
  "foreign_keys = ON",
  CACHE_SIZE,
  `journal_size_limit = ${LOG_SIZE_LIMIT}`,
];

/**
 * Settings of the one connection that writes, besides. What a write would take back is kept in memory: of more than 16
 * pages SQLite makes a file otherwise, and goes on with it until the group of writes is over.
 */
export const WRITER_SETTINGS: readonly string[] = [
  "temp_store = MEMORY",
  `cache_size = -${WRITER_CACHE_KIB}`,
  `cache_spill = ${SPILL_PAGES}`,
  `wal_autocheckpoint = ${CHECKPOINT_PAGES}`,
];
