import { headingReader, type OwnColumns } from "../headings/columns.ts";
import type { ImportField } from "../headings/headings.ts";
import { decoderOf } from "./charset-decoder.ts";
import { type Content, ContentSurvey, SAMPLE_ROWS } from "./content-survey.ts";
import { type ColumnDates, DateSurvey } from "./date-survey.ts";
import { cellsOf, isBlankRow } from "./delimited.ts";
import {
  type Charset,
  type Delimiter,
  FILE_LIMITS,
  type FileFault,
  type FileFormat,
  type FileLimits,
  type ScannedFile,
  unreadable,
} from "./file.ts";
import { HEADING_ROWS, hasHeadingMarks } from "./heading-marks.ts";
import { jsonCells } from "./json-cells.ts";
import { isDelimited, readingPlan } from "./reading-plan.ts";
import { type FileRecord, RecordReader } from "./records.ts";
import { surveyXml } from "./xml.ts";

/** What is known about a file, and its limits. */
export interface ScanOptions {
  readonly format: FileFormat;
  /** `charset` and `delimiter` are detected if they are not given. A byte order mark overrides `charset`. */
  readonly charset?: Charset;
  readonly delimiter?: Delimiter;
  readonly limits?: FileLimits;
  /** What the caller says about columns. A row with these headings may be the heading. */
  readonly own?: OwnColumns;
  /** The line on which the heading begins. By default it is found. */
  readonly headingRow?: number;
}

/** A first pass over a whole file. It detects how the file is written. */
export interface FileScan {
  /** Takes the next uncompressed bytes. After a fault, the scan must not be continued. */
  push(bytes: Uint8Array): FileFault | null;
  /** Ends the scan after the last bytes. */
  end(): ScannedFile | FileFault;
}

/** True for a fault. */
export const isFault = (found: ScannedFile | FileFault | null): found is FileFault => found !== null && "code" in found;

/** Counts the rows of a file and collects its headings. */
interface RowCounter {
  readonly rows: number;
  /** Ends the count after the last record. */
  end(): FileFault | null;
  /** Counts a record. After a fault, the scan must not be continued. */
  add(record: FileRecord): FileFault | null;
  /** The headings. They are known only after everything was read. */
  heading(charset: Charset): readonly string[];
  /** What the columns say about the order of day and month. */
  dates(): readonly (ColumnDates | null)[];
  /** What the cells of the columns look like in the first rows. */
  contents(): readonly (Content | null)[];
  /** True if the last row has fewer cells than every other one below the heading. */
  readonly endsWithShortestRow: boolean;
  /** The rows above the heading. */
  readonly above?: ScannedFile["above"];
}

const NO_HEADING = unreadable(
  "The file has no heading that can be read. Its first row must name the columns, such as VIN, Make and Price.",
);
const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;

const NO_ROW = unreadable("The file has no row.");
const NO_LIST = unreadable("The file is no list of JSON objects: it must begin with [.");

/** Writes a limit in the unit in which it is documented. */
const sizeInWords = (bytes: number): string => {
  if (bytes % MEBIBYTE === 0) return `${bytes / MEBIBYTE} MiB`;
  return bytes % KIBIBYTE === 0 ? `${bytes / KIBIBYTE} KiB` : `${bytes} bytes`;
};

/** Faults of a file that is too large. */
const limitFaults = (limits: FileLimits) => ({
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
type LimitFaults = ReturnType<typeof limitFaults>;

/** True if one of the headings is too long. */
const isTooLong = (headings: readonly string[], { heading }: FileLimits): boolean =>
  headings.some(({ length }) => length > heading);

/** A row that may be the heading, as it is stored in the file. */
type PossibleHeading = Pick<FileRecord, "bytes" | "hasQuotes" | "problem" | "line"> & { readonly rowsBefore: number };

const MAX_SHOWN = 60;
const LINE_ENDS: ReadonlySet<number> = new Set([0x0a, 0x0d]);

interface TableOptions {
  readonly delimiterNow: () => Delimiter;
  readonly limits: FileLimits;
  readonly faults: LimitFaults;
  readonly fieldOf: (heading: string) => ImportField | null;
  readonly headingRow: number | null;
}

/** Finds the heading of a table, which is among its first rows, and counts the rows behind it. */
const delimitedRowCounter = ({ delimiterNow, limits, faults, fieldOf, headingRow }: TableOptions): RowCounter => {
  let first: (PossibleHeading & { readonly text: string }) | null = null;
  let heading: PossibleHeading | null = null;
  let dates = new DateSurvey<number>();
  let contents = new ContentSurvey<number>();
  let read = 0;
  let columns = 0;
  /** The numbers of cells of the last row, and of the shortest of those between it and the heading. */
  let last = Number.POSITIVE_INFINITY;
  let shortest = Number.POSITIVE_INFINITY;

  /** Takes a row as the heading. */
  const take = (row: PossibleHeading, cells: readonly string[], text: string): FileFault | null => {
    heading = row;
    columns = cells.length;
    dates = new DateSurvey();
    contents = new ContentSurvey();
    if (row.problem !== null || text.includes("\0")) return NO_HEADING;
    if (cells.length > limits.columns) return faults.columns(row.line);
    return isTooLong(cells, limits) ? faults.heading(row.line) : null;
  };
  const isHeading = (cells: readonly string[], { line, problem }: FileRecord): boolean =>
    headingRow === null ? problem === null && hasHeadingMarks(cells, fieldOf) : line === headingRow;
  const survey = (cells: readonly string[], isFirst = false): void => {
    for (let place = 0; place < cells.length; place++) dates.add(place, cells[place]);
    // The first row may turn out to be the heading.
    if (isFirst || read - (heading?.rowsBefore ?? 0) > SAMPLE_ROWS + 1) return;
    for (let place = 0; place < cells.length; place++) contents.add(place, cells[place]);
  };
  /** Takes the first row as the heading if no other one is. */
  const settle = (): FileFault | null => {
    if (heading !== null || first === null) return null;
    if (headingRow !== null)
      return unreadable(`No row of the file begins on line ${headingRow}, which heading_row names.`);
    const found = { dates, contents };
    const fault = take(first, cellsOf(first.text, delimiterNow(), first.hasQuotes), first.text);
    ({ dates, contents } = found);
    return fault;
  };
  return {
    get rows() {
      return read - 1 - (heading?.rowsBefore ?? 0);
    },
    add(record) {
      const { text, bytes, hasQuotes, problem, line } = record;
      const cells = cellsOf(text, delimiterNow(), hasQuotes);
      if (problem === null && isBlankRow(cells)) return null;
      const rowsBefore = read++;
      if (heading !== null) {
        shortest = Math.min(shortest, last);
        last = cells.length;
        survey(cells);
        return null;
      }
      const row = () => ({ bytes: bytes.slice(), hasQuotes, problem, line, rowsBefore });
      const isFound = isHeading(cells, record);
      const isFirst = first === null;
      if (first === null) first = { ...row(), text };
      if (isFound) return take(row(), cells, text);
      survey(cells, isFirst);
      return read === HEADING_ROWS && headingRow === null ? settle() : null;
    },
    // The charset is known for certain only now.
    heading(charset) {
      if (heading === null) return [];
      const decoder = decoderOf(charset);
      const { text } = decoder.rowText(decoder.units(heading.bytes), heading.bytes);
      return cellsOf(text, delimiterNow(), heading.hasQuotes);
    },
    end: settle,
    get endsWithShortestRow() {
      return shortest < Number.POSITIVE_INFINITY && last < shortest;
    },
    dates: () => Array.from({ length: columns }, (_, place) => dates.of(place)),
    contents: () => Array.from({ length: columns }, (_, place) => contents.of(place)),
    get above() {
      const rows = heading?.rowsBefore ?? 0;
      return rows === 0 ? undefined : { rows, text: (first?.text ?? "").slice(0, MAX_SHOWN).toWellFormed() };
    },
  };
};

const keyedRowCounter = (limits: FileLimits, faults: LimitFaults): RowCounter => {
  const keys = new Set<string>();
  const dates = new DateSurvey<string>();
  const contents = new ContentSurvey<string>();
  let rows = 0;
  return {
    get rows() {
      return rows;
    },
    add({ text, problem, line }) {
      rows++;
      const cells = problem === null ? jsonCells(text) : null;
      if (!(cells instanceof Map)) return null;
      for (const [key, cell] of cells) {
        keys.add(key);
        dates.add(key, cell);
        if (rows <= SAMPLE_ROWS) contents.add(key, cell);
      }
      return keys.size > limits.columns ? faults.columns(line) : null;
    },
    heading: () => [...keys],
    end: () => null,
    endsWithShortestRow: false,
    dates: () => [...keys].map((key) => dates.of(key)),
    contents: () => [...keys].map((key) => contents.of(key)),
  };
};

/** Reads a whole file once, and detects its charset, delimiter, heading and number of rows. */
export const scanFile = ({
  format,
  charset,
  delimiter,
  limits = FILE_LIMITS,
  own = {},
  headingRow,
}: ScanOptions): FileScan => {
  const fieldOf = headingReader(own);
  const faults = limitFaults(limits);
  const elements = surveyXml();
  let found: Delimiter | null = null;
  const counter = isDelimited(format)
    ? delimitedRowCounter({
        ...{ delimiterNow: () => found ?? ",", limits, faults, fieldOf },
        headingRow: headingRow ?? null,
      })
    : keyedRowCounter(limits, faults);
  const plan = readingPlan(
    { format, charset: charset ?? null, delimiter: delimiter ?? null, fieldOf },
    elements.splitter,
    (shown) => {
      found = shown;
    },
  );
  const records = new RecordReader(plan, limits.rowBytes);
  const most = format === "xml" ? Math.min(limits.xmlBytes, limits.unpackedBytes) : limits.unpackedBytes;
  let bytes = 0;
  let fault: FileFault | null = null;
  let lastLine = 1;
  let lastBytes: readonly number[] = [];
  const endsLine = (): boolean =>
    lastBytes.slice(-(records.decoder?.unitBytes ?? 1)).some((byte) => LINE_ENDS.has(byte));

  const count = (read: readonly FileRecord[]): FileFault | null => {
    for (const record of read) {
      lastLine = record.line;
      const wrong = counter.add(record);
      if (wrong !== null) return wrong;
      if (counter.rows > limits.rows) return faults.rows(record.line);
    }
    if (elements.fault !== null) return unreadable(`${elements.fault.message}, at line ${elements.fault.line}.`);
    if (records.end === "row-too-long") return faults.row(records.line);
    return records.end === "problem" && records.hasLaterQuote ? faults.row(lastLine) : null;
  };

  const scannedXml = (): ScannedFile | FileFault => {
    const rows = elements.rows();
    if (rows === null) return unreadable("The file has no elements that could be rows.");
    if (rows.heading.length > limits.columns) return faults.columns(null);
    if (isTooLong(rows.heading, limits)) return faults.heading(null);
    if (rows.count > limits.rows) return faults.rows(rows.line);
    if (rows.units * (records.decoder?.unitBytes ?? 1) > limits.rowBytes) return faults.row(rows.line);
    return {
      ...{ format, charset: records.decoder?.charset ?? "utf-8", delimiter: null, bytes },
      ...{ heading: rows.heading, rowPath: rows.path, rows: rows.count + (elements.isCutOff ? 1 : 0) },
      dates: rows.dates,
    };
  };

  const scannedRows = (): ScannedFile | FileFault => {
    const known = records.decoder?.charset ?? "utf-8";
    if (counter.rows <= 0 && !isDelimited(format)) return NO_ROW;
    const heading = counter.heading(known);
    if (heading.every((name) => name.trim() === "")) return format === "json" ? NO_LIST : NO_HEADING;
    if (counter.rows <= 0) return NO_ROW;
    const { above } = counter;
    return {
      ...{ format, charset: known, delimiter: found, heading, rowPath: null, rows: counter.rows, bytes },
      dates: counter.dates(),
      contents: counter.contents(),
      ...(above !== undefined && { above }),
      ...(counter.endsWithShortestRow && !endsLine() && { mayBeCutOff: true }),
    };
  };

  return {
    push(next) {
      if (fault !== null) return fault;
      bytes += next.length;
      lastBytes = [...lastBytes, ...next.subarray(-2)].slice(-2);
      fault = bytes > most ? faults.unpacked(most) : count(records.push(next));
      return fault;
    },
    end() {
      fault ??= count(records.finish()) ?? counter.end();
      if (fault !== null) return fault;
      return format === "xml" ? scannedXml() : scannedRows();
    },
  };
};
