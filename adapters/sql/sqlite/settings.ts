const LOG_SIZE_LIMIT = 64 * 1024 * 1024;
/** The page cache of a connection that reads, in KiB. SQLite's default of 2 MiB is too small for 50 000 vehicles. */
const CACHE_KIB = 32 * 1024;
/** The page cache of the connection that reads while another one writes, in KiB. Every commit empties it. */
const ASIDE_CACHE_KIB = 4 * 1024;
/**
 * The page cache of a connection that walks through a table once, as an export does, in KiB. A larger one takes longer
 * to fill and to free.
 */
const WALK_CACHE_KIB = 2 * 1024;
/**
 * The page cache of a thread that reads aside, in KiB. A long read goes through more pages than would fit anyway, and
 * each processor may have such a thread.
 */
const THREAD_CACHE_KIB = 8 * 1024;
/** The number of 4 KiB pages that a write may change before SQLite writes them to disk, which delays its statements. */
const SPILL_PAGES = 8192;
/**
 * The length of the log, in pages of 4 KiB, at which the writing connection copies the log itself, because the thread
 * has failed or is late.
 */
const CHECKPOINT_PAGES = 4000;

/** The setting of the page cache. */
export const CACHE_SIZE = `cache_size = -${CACHE_KIB}`;
export const ASIDE_CACHE_SIZE = `cache_size = -${ASIDE_CACHE_KIB}`;
export const THREAD_CACHE_SIZE = `cache_size = -${THREAD_CACHE_KIB}`;
export const WALK_CACHE_SIZE = `cache_size = -${WALK_CACHE_KIB}`;

/** PRAGMA settings of every connection to a database file. They make it durable and fast, and enforce foreign keys. */
export const SQLITE_SETTINGS: readonly string[] = [
  "journal_mode = WAL",
  "synchronous = FULL",
  "foreign_keys = ON",
  CACHE_SIZE,
  `journal_size_limit = ${LOG_SIZE_LIMIT}`,
];

/**
 * Additional settings of the writing connection. They keep the undo data of savepoints in memory. For more than 16
 * pages SQLite would otherwise use a file until the group of writes has ended.
 */
export const WRITER_SETTINGS: readonly string[] = [
  "temp_store = MEMORY",
  `cache_spill = ${SPILL_PAGES}`,
  `wal_autocheckpoint = ${CHECKPOINT_PAGES}`,
];
