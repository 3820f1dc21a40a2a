const MEBIBYTE = 1024 * 1024;

/** The maximum sizes of a workbook and of its parts, in bytes. Parts are measured unpacked. */
export const WORKBOOK_LIMITS = {
  /** The workbook as it is sent. It is held in memory, as its table of contents is at its end. */
  packed: 32 * MEBIBYTE,
  /** The number of files in the archive. */
  entries: 10_000,
  /** The list of sheets, and other lists. */
  list: 2 * MEBIBYTE,
  styles: 16 * MEBIBYTE,
  /** The texts that cells share. They are held in memory. */
  texts: 64 * MEBIBYTE,
  textCount: 2_000_000,
  sheet: 256 * MEBIBYTE,
  /** The part of a sheet in which its heading is looked for. */
  sheetStart: 4 * MEBIBYTE,
  sheets: 200,
  merges: 100_000,
  /** The columns in which cells are read; those of the table must be among them. */
  columns: 1000,
  rows: 1_048_576,
} as const;

/** A size in words, such as `32 MiB`. */
export const inMebibytes = (bytes: number): string => `${bytes / MEBIBYTE} MiB`;
