import type { Content } from "./content-survey.ts";
import type { ColumnDates } from "./date-survey.ts";

/** The formats that can be read. JSON is an array of objects; NDJSON is one object per line. */
export const FILE_FORMATS = ["csv", "tsv", "ndjson", "json", "xml"] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

export const CHARSETS = ["utf-8", "utf-16le", "utf-16be", "windows-1252", "iso-8859-15"] as const;
export type Charset = (typeof CHARSETS)[number];

export const DELIMITERS = [",", ";", "\t", "|"] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/**
 * A value of a row: text as it is in the file, or a JSON number. An empty cell, and `null` in JSON, are an empty text.
 * The cell is `null` if the row does not have it, because the row is too short or its object lacks the key.
 */
export type Cell = string | number | null;

/** A problem because of which a row fails, whatever its values are. */
export interface RowProblem {
  readonly code: "too_many_cells" | "quote_unclosed" | "row_unreadable" | "file_cut_off" | "not_in_charset";
  readonly message: string;
}

/** The position at which a reader can continue. It is stored as JSON. */
export interface FilePosition {
  /** Bytes from the start of the unpacked file. */
  readonly offset: number;
  /** The line at this position, from 1. */
  readonly line: number;
  /** The number of rows before it. */
  readonly row: number;
}

/** A row of the file. */
export interface FileRow {
  /** 1 for the first row after the heading. */
  readonly row: number;
  /** The line where the row begins, from 1. */
  readonly line: number;
  /**
   * The cells in the order of the heading. The last ones may be missing. There are more cells than headings only if
   * `problem` says so.
   */
  readonly cells: readonly Cell[];
  readonly problem: RowProblem | null;
  /** The position of the next row. */
  readonly next: FilePosition;
}

/** The result of scanning the whole file. A reader needs nothing else to read the file. It is stored as JSON. */
export interface ScannedFile {
  readonly format: FileFormat;
  readonly charset: Charset;
  /** `null` unless the format is CSV or TSV. */
  readonly delimiter: Delimiter | null;
  /**
   * The headings as they are written. For JSON and XML, all keys in the file in the order of their first appearance.
   */
  readonly heading: readonly string[];
  /** The names of the elements from the root to the row; `null` unless the format is XML. */
  readonly rowPath: readonly string[] | null;
  /** The number of rows after the heading, including those with a problem. */
  readonly rows: number;
  /** The uncompressed size. */
  readonly bytes: number;
  /**
   * What the cells of each column say about the order of day and month, by the places of the columns. This and `above`
   * are absent in files that an earlier version received.
   */
  readonly dates?: readonly (ColumnDates | null)[];
  /** What the cells of each column look like in the first rows. Absent in files of an earlier version, and in XML. */
  readonly contents?: readonly (Content | null)[];
  /** True if a CSV or TSV file may end within its last row: that is the shortest, and no end of line follows it. */
  readonly mayBeCutOff?: true;
  /** The rows above the heading of a CSV or TSV file, which are skipped, and the text of the first of them. */
  readonly above?: { readonly rows: number; readonly text: string };
}

/** The reason why a whole file is refused. */
export type FileFault =
  | { readonly code: "import_file_unreadable"; readonly message: string }
  | { readonly code: "too_large"; readonly limit: LimitName; readonly line: number | null; readonly message: string };

/** The maximum sizes of a file. Bytes are uncompressed. */
export interface FileLimits {
  readonly rows: number;
  readonly columns: number;
  /** The length of one heading in characters. It is limited because each issue of a row repeats a heading. */
  readonly heading: number;
  /** The length of one row, without its line end. */
  readonly rowBytes: number;
  readonly unpackedBytes: number;
  /** The limit of `unpackedBytes` for XML files. */
  readonly xmlBytes: number;
}

/** The limit that a file exceeded. */
type LimitName = "rows" | "columns" | "heading" | "row" | "unpacked";

export const FILE_LIMITS: FileLimits = {
  rows: 200_000,
  columns: 200,
  heading: 200,
  rowBytes: 256 * 1024,
  unpackedBytes: 128 * 1024 * 1024,
  xmlBytes: 16 * 1024 * 1024,
};

/** A fault of a file that cannot be read. */
export const unreadable = (message: string): FileFault => ({ code: "import_file_unreadable", message });
