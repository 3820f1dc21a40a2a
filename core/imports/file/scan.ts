import { codingOf } from "./coding.ts";
import { cellsOf, isBlankRow } from "./delimited.ts";
import {
  type Charset,
  type Delimiter,
  FILE_LIMITS,
  type FileFault,
  type FileFormat,
  type FileLimits,
  type FoundFile,
  unreadable,
} from "./file.ts";
import { keyedCells } from "./keyed.ts";
import { isDelimited, openingFrom } from "./layout.ts";
import { type FileRecord, Records } from "./records.ts";
import { surveyXml } from "./xml.ts";

/** What is known of a file, and the limits that it must keep. */
export interface ScanWish {
  readonly format: FileFormat;
  /** Found out unless they are given. A byte order mark is believed before the caller. */
  readonly charset?: Charset;
  readonly delimiter?: Delimiter;
  readonly limits?: FileLimits;
}

/** A first pass over a whole file, which finds out how it is written. */
export interface FileScan {
  /** Takes the next unpacked bytes, of any number. A fault is final. */
  push(bytes: Uint8Array): FileFault | null;
  /** After the last bytes. */
  end(): FoundFile | FileFault;
}

/** True for a fault. */
export const isFault = (found: FoundFile | FileFault | null): found is FileFault => found !== null && "code" in found;

/** What a format counts: its headings and its rows. */
interface RowCounter {
  rows: number;
  /** Takes a record; a fault is final. */
  take(record: FileRecord): FileFault | null;
  /** Once all is read. */
  heading(charset: Charset): readonly string[];
}

const NO_HEADING = unreadable(
  "The file has no heading that can be read. Its first row must name the columns, such as VIN, Make and Price.",
);
const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;

const NO_ROW = unreadable("The file has no row.");
const NO_LIST = unreadable("The file is no list of JSON objects: it must begin with [.");

/** A limit in the unit in which it is documented. */
const sizeInWords = (bytes: number): string => {
  if (bytes % MEBIBYTE === 0) return `${bytes / MEBIBYTE} MiB`;
  return bytes % KIBIBYTE === 0 ? `${bytes / KIBIBYTE} KiB` : `${bytes} bytes`;
};

/** Faults of a file that is too large. */
const exceeded = (limits: FileLimits) => ({
  rows: (line: number): FileFault => ({
    code: "too_large",
    limit: "rows",
    line,
    message: `The file has more than ${limits.rows} rows.`,
  }),
  columns: (line: number | null): FileFault => ({
    code: "too_large",
    limit: "columns",
    line,
    message: `The file has more than ${limits.columns} columns.`,
  }),
  heading: (line: number | null): FileFault => ({
    code: "too_large",
    limit: "heading",
    line,
    message: `The file has a heading of more than ${limits.heading} characters. Its first row must name the columns, such as VIN, Make and Price.`,
  }),
  row: (line: number): FileFault => ({
    code: "too_large",
    limit: "row",
    line,
    message: `The row at line ${line} is larger than ${sizeInWords(limits.rowBytes)}.`,
  }),
  unpacked: (most: number): FileFault => ({
    code: "too_large",
    limit: "unpacked",
    line: null,
    message: `The file is larger than ${sizeInWords(most)}, unpacked.`,
  }),
});
type Exceeded = ReturnType<typeof exceeded>;

/** True if one of the headings is longer than it may be. */
const isTooLong = (headings: readonly string[], { heading }: FileLimits): boolean =>
  headings.some(({ length }) => length > heading);

const counterOfCells = (delimiterNow: () => Delimiter, limits: FileLimits, faults: Exceeded): RowCounter => {
  let first: Pick<FileRecord, "bytes" | "hasQuotes"> | null = null;
  return {
    rows: 0,
    take({ text, bytes, hasQuotes, problem, line }) {
      const cells = cellsOf(text, delimiterNow(), hasQuotes);
      if (problem === null && isBlankRow(cells)) return null;
      if (first !== null) {
        this.rows++;
        return null;
      }
      first = { bytes: bytes.slice(), hasQuotes };
      if (problem !== null || text.includes("\0")) return NO_HEADING;
      if (cells.length > limits.columns) return faults.columns(line);
      return isTooLong(cells, limits) ? faults.heading(line) : null;
    },
    // Only now the charset is certain.
    heading(charset) {
      if (first === null) return [];
      const coding = codingOf(charset);
      const { text } = coding.rowText(coding.units(first.bytes), first.bytes);
      return cellsOf(text, delimiterNow(), first.hasQuotes);
    },
  };
};

const counterOfKeys = (limits: FileLimits, faults: Exceeded): RowCounter => {
  const keys = new Set<string>();
  return {
    rows: 0,
    take({ text, problem, line }) {
      this.rows++;
      const cells = problem === null ? keyedCells(text) : null;
      if (!(cells instanceof Map)) return null;
      for (const key of cells.keys()) keys.add(key);
      return keys.size > limits.columns ? faults.columns(line) : null;
    },
    heading: () => [...keys],
  };
};

/** Reads a whole file once, and finds out its charset, its delimiter, its heading and how many rows it has. */
export const scanOf = ({ format, charset, delimiter, limits = FILE_LIMITS }: ScanWish): FileScan => {
  const faults = exceeded(limits);
  const elements = surveyXml();
  let found: Delimiter | null = null;
  const counter = isDelimited(format)
    ? counterOfCells(() => found ?? ",", limits, faults)
    : counterOfKeys(limits, faults);
  const opening = openingFrom(
    { format, charset: charset ?? null, delimiter: delimiter ?? null },
    elements.divider,
    (shown) => {
      found = shown;
    },
  );
  const records = new Records(opening, limits.rowBytes);
  const most = format === "xml" ? Math.min(limits.xmlBytes, limits.unpackedBytes) : limits.unpackedBytes;
  let bytes = 0;
  let fault: FileFault | null = null;
  let lastLine = 1;

  const count = (read: readonly FileRecord[]): FileFault | null => {
    for (const record of read) {
      lastLine = record.line;
      const wrong = counter.take(record);
      if (wrong !== null) return wrong;
      if (counter.rows > limits.rows) return faults.rows(record.line);
    }
    if (elements.fault !== null) return unreadable(`${elements.fault.message}, at line ${elements.fault.line}.`);
    if (records.end === "row-too-long") return faults.row(records.line);
    return records.end === "problem" && records.hasQuoteBehind ? faults.row(lastLine) : null;
  };

  const foundElements = (): FoundFile | FileFault => {
    const rows = elements.rows();
    if (rows === null) return unreadable("The file has no elements that could be rows.");
    if (rows.heading.length > limits.columns) return faults.columns(null);
    if (isTooLong(rows.heading, limits)) return faults.heading(null);
    if (rows.count > limits.rows) return faults.rows(rows.line);
    if (rows.units * (records.coding?.unitBytes ?? 1) > limits.rowBytes) return faults.row(rows.line);
    return {
      ...{ format, charset: records.coding?.charset ?? "utf-8", delimiter: null, bytes },
      ...{ heading: rows.heading, rowPath: rows.path, rows: rows.count + (elements.isCutOff ? 1 : 0) },
    };
  };

  const foundRows = (): FoundFile | FileFault => {
    const known = records.coding?.charset ?? "utf-8";
    if (counter.rows === 0 && !isDelimited(format)) return NO_ROW;
    const heading = counter.heading(known);
    if (heading.every((name) => name.trim() === "")) return format === "json" ? NO_LIST : NO_HEADING;
    if (counter.rows === 0) return NO_ROW;
    return { format, charset: known, delimiter: found, heading, rowPath: null, rows: counter.rows, bytes };
  };

  return {
    push(next) {
      if (fault !== null) return fault;
      bytes += next.length;
      fault = bytes > most ? faults.unpacked(most) : count(records.push(next));
      return fault;
    },
    end() {
      fault ??= count(records.finish());
      if (fault !== null) return fault;
      return format === "xml" ? foundElements() : foundRows();
    },
  };
};
