/** The formats that are read. JSON is an array of objects, NDJSON an object a line. */
export const FILE_FORMATS = ["csv", "tsv", "ndjson", "json", "xml"] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

export const CHARSETS = ["utf-8", "utf-16le", "utf-16be", "windows-1252", "iso-8859-15"] as const;
export type Charset = (typeof CHARSETS)[number];

export const DELIMITERS = [",", ";", "\t", "|"] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/**
 * A value of a row: text as the file has it, or a number of JSON. Text is empty where the cell is, also for `null` in
 * JSON. `null` where the row has no such cell: it is too short, or its object lacks the key.
 */
export type Cell = string | number | null;

/** Why a row fails whatever its values are. */
export interface RowProblem {
  readonly code: "too_many_cells" | "quote_unclosed" | "row_unreadable" | "file_cut_off" | "not_in_charset";
  readonly message: string;
}

/** Where a reader goes on: plain JSON. */
export interface FilePosition {
  /** Bytes from the start of the unpacked file. */
  readonly offset: number;
  /** The line at this place, from 1. */
  readonly line: number;
  /** How many rows came before. */
  readonly row: number;
}

/** A row of the file. */
export interface FileRow {
  /** 1 for the first row behind the heading. */
  readonly row: number;
  /** The line where the row begins, from 1. */
  readonly line: number;
  /** In the order of the heading; those at the end may be missing. There are more only if the problem says so. */
  readonly cells: readonly Cell[];
  readonly problem: RowProblem | null;
  /** Where the next row is read. */
  readonly next: FilePosition;
}

/** What a scan of the whole file found: plain JSON, and all that a reader needs. */
export interface FoundFile {
  readonly format: FileFormat;
  readonly charset: Charset;
  /** `null` unless the format is CSV or TSV. */
  readonly delimiter: Delimiter | null;
  /** As written. Of JSON and XML all keys of the file, in the order in which they first appear. */
  readonly heading: readonly string[];
  /** Of XML: the names of the elements from the root to the row. */
  readonly rowPath: readonly string[] | null;
  /** Rows behind the heading, those with a problem as well. */
  readonly rows: number;
  /** The size, unpacked. */
  readonly bytes: number;
}

/** Why a file is refused as a whole. */
export type FileFault =
  | { readonly code: "import_file_unreadable"; readonly message: string }
  | { readonly code: "too_large"; readonly limit: LimitName; readonly line: number | null; readonly message: string };

/** How large a file may be; sizes in bytes, unpacked. */
export interface FileLimits {
  readonly rows: number;
  readonly columns: number;
  /** Characters of a heading, of which each issue of a row says one. */
  readonly heading: number;
  /** One row, without the end of its line. */
  readonly rowBytes: number;
  readonly unpackedBytes: number;
  /** The same of XML. */
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
