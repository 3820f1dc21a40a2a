import type { Content } from "../../../core/imports/file/content-survey.ts";
import type { Cell, Charset, Delimiter, FileFormat } from "../../../core/imports/file/file.ts";
import { isDelimited } from "../../../core/imports/file/reading-plan.ts";
import { binaryKindOf, isGzip, isZip } from "../../../core/imports/file/signature.ts";

/** The part of a file that the browser previews. */
const PREVIEW_BYTES = 64 * 1024;
const MAX_ROWS = 5;
/** The largest workbook that is read. */
const WORKBOOK_BYTES = 32 * 1024 * 1024;
const SIGNATURE_BYTES = 8;

/** How to parse a file; "" detects it. */
export interface ParseOptions {
  readonly charset: Charset | "";
  readonly delimiter: Delimiter | "";
  /** The line of the heading, as it is typed. */
  readonly heading_row?: string;
  /** The sheet of a workbook. */
  readonly sheet: string;
}

/** The headings and first rows of a file; empty if they cannot be shown. */
export interface FirstRows {
  readonly heading: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** What the cells of each column look like; nothing if it is not known. */
  readonly contents?: readonly (Content | null)[];
  /** The detected charset and delimiter; `null` if not detected, or if the format has no delimiter. */
  readonly charset: Charset | null;
  readonly delimiter: Delimiter | null;
  /** The sheet that is read, and the names of all sheets; `null` and none if the file is no workbook. */
  readonly sheet: string | null;
  readonly sheets: readonly string[];
}

/** What is shown of a file that cannot be read. */
export const NO_ROWS: FirstRows = { heading: [], rows: [], charset: null, delimiter: null, sheet: null, sheets: [] };

type SentFormat = FileFormat | "xlsx";

const MEDIA_TYPES: Readonly<Record<SentFormat, string>> = {
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  ndjson: "application/x-ndjson",
  json: "application/json",
  xml: "application/xml",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

/** Formats by file extension, apart from `.gz`. */
const FORMATS_BY_EXTENSION: Readonly<Record<string, SentFormat>> = {
  tsv: "tsv",
  tab: "tsv",
  ndjson: "ndjson",
  jsonl: "ndjson",
  json: "json",
  xml: "xml",
  xlsx: "xlsx",
  xlsm: "xlsx",
};

const formatOf = (name: string): SentFormat =>
  FORMATS_BY_EXTENSION[name.toLowerCase().replace(/\.gz$/, "").split(".").at(-1) ?? ""] ?? "csv";

/** True if the file's extension means cells with delimiters between them. */
export const hasDelimiter = (name: string): boolean => {
  const format = formatOf(name);
  return format !== "xlsx" && isDelimited(format);
};

/** True if the file's extension is that of a workbook. */
export const isWorkbook = (name: string): boolean => formatOf(name) === "xlsx";

/** The names of files that can be chosen. */
export const FILE_NAMES = ".csv,.txt,.tsv,.tab,.json,.ndjson,.jsonl,.xml,.xlsx,.xlsm,.gz";

/** The media type to send for a file of this name. Browsers do not know all of them, or report CSV as a spreadsheet. */
export const mediaTypeOf = (name: string): string => MEDIA_TYPES[formatOf(name)];

/** The first bytes of a stream, and whether they are all. */
const beginningOf = async (stream: ReadableStream<Uint8Array>): Promise<{ bytes: Uint8Array; isAll: boolean }> => {
  const reader = stream.getReader();
  const bytes = new Uint8Array(PREVIEW_BYTES);
  let filled = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { bytes: bytes.subarray(0, filled), isAll: true };
    const some = value.subarray(0, PREVIEW_BYTES - filled);
    bytes.set(some, filled);
    filled += some.length;
    if (filled < PREVIEW_BYTES) continue;
    await reader.cancel();
    return { bytes, isAll: false };
  }
};

/** A line that can be the one of the heading. */
const LINE = /^[1-9]\d{0,3}$/;
const lineIn = (typed: string): number | null => (LINE.test(typed.trim()) ? Number(typed) : null);

const LINE_FEED = 0x0a;
const FIRST_BEYOND_ASCII = 0x80;

/** The bytes without an incomplete last line or character. */
const wholeLines = (bytes: Uint8Array): Uint8Array => {
  const isWide = bytes.includes(0);
  if (isWide) return bytes.subarray(0, bytes.length - (bytes.length % 2));
  const end = bytes.lastIndexOf(LINE_FEED) + 1;
  if (end > 0) return bytes.subarray(0, end);
  return bytes.subarray(0, bytes.findLastIndex((byte) => byte < FIRST_BEYOND_ASCII) + 1);
};

/** The first rows of a workbook. Its table of contents is at its end, so that all of it is needed. */
const firstRowsOfWorkbook = async (
  file: File,
  isCompressed: boolean,
  { sheet, heading_row: headingRow = "" }: ParseOptions,
): Promise<FirstRows | string> => {
  if (file.size > WORKBOOK_BYTES)
    return "The workbook is larger than 32 MB. Save the sheet as CSV, and choose that file.";
  const stream = isCompressed ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  // Most files are no workbooks.
  const { firstSheetOf } = await import("./first-sheet.ts");
  const found = await firstSheetOf(bytes, { sheet, headingRow: lineIn(headingRow), most: MAX_ROWS });
  return typeof found === "string" ? found : { ...NO_ROWS, ...found };
};

/** The first rows of a file, parsed in the browser as the service parses them; a message if the file cannot be read. */
export const firstRowsOf = async (
  file: File,
  written: ParseOptions = { charset: "", delimiter: "", sheet: "" },
): Promise<FirstRows | string> => {
  const isCompressed = isGzip(new Uint8Array(await file.slice(0, SIGNATURE_BYTES).arrayBuffer()));
  const stream = isCompressed ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
  const read = await beginningOf(stream).catch(() => null);
  if (read === null)
    return "The file cannot be read. If it is still open elsewhere, save and close it, then choose it again.";
  const first = read.bytes.subarray(0, SIGNATURE_BYTES);
  if (isZip(first)) return firstRowsOfWorkbook(file, isCompressed, written);
  const kind = binaryKindOf(first);
  if (kind !== null)
    return `The file is ${kind}. Open it in a spreadsheet, save it as .xlsx or CSV, and choose that file.`;
  const format = formatOf(file.name);
  if (format === "xlsx") return "The file is no workbook (.xlsx). Open it in a spreadsheet and save it anew.";
  const bytes = read.isAll ? read.bytes : wholeLines(read.bytes);
  const { charset, delimiter, heading_row = "" } = written;
  const headingRow = lineIn(heading_row);
  // Loaded when a file is chosen.
  const [{ isFault, scanFile }, { readerOf }] = await Promise.all([
    import("../../../core/imports/file/scan.ts"),
    import("../../../core/imports/file/reader.ts"),
  ]);
  const scan = scanFile({
    format,
    ...(charset !== "" && { charset }),
    ...(delimiter !== "" && { delimiter }),
    ...(headingRow !== null && { headingRow }),
  });
  const fault = scan.push(bytes);
  const found = fault ?? scan.end();
  // For a complete file the fault is final. In a longer file the rest may resolve it, and the service will decide.
  if (isFault(found)) return read.isAll ? found.message : NO_ROWS;
  const reader = readerOf(found);
  const rows = [...reader.push(bytes), ...reader.end()].filter(({ problem }) => problem === null);
  return {
    heading: found.heading,
    ...(found.contents !== undefined && { contents: found.contents }),
    rows: rows.slice(0, MAX_ROWS).map(({ cells }) => cells),
    charset: found.charset,
    delimiter: found.delimiter,
    sheet: null,
    sheets: [],
  };
};
