/** Pages of 4 KiB after which the log is copied back: rarer, larger copies cost a writer less in total. */
const CHECKPOINT_PAGES = 4000;
const LOG_SIZE_LIMIT = 64 * 1024 * 1024;
/** The page cache of each connection, in KiB. SQLite's default of 2 MiB is too small for 50 000 vehicles. */
const CACHE_KIB = 32 * 1024;

/** The setting of the page cache. */
export const CACHE_SIZE = `cache_size = -${CACHE_KIB}`;

/** PRAGMA settings of each connection to a database file: durable, with foreign keys enforced, and fast. */
export const SQLITE_SETTINGS: readonly string[] = [
  "journal_mode = WAL",
  "synchronous = FULL",
  "foreign_keys = ON",
  CACHE_SIZE,
  `wal_autocheckpoint = ${CHECKPOINT_PAGES}`,
  `journal_size_limit = ${LOG_SIZE_LIMIT}`,
];

/**
 * Settings of the one connection that writes, besides. What a write would take back is kept in memory: of more than 16
 * pages SQLite makes a file otherwise, and goes on with it until the group of writes is over.
 */
export const WRITER_SETTINGS: readonly string[] = ["temp_store = MEMORY"];
