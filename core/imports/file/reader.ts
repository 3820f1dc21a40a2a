import { decoderOf } from "./charset-decoder.ts";
import { cellsOf, csvSplitter, isBlankRow } from "./delimited.ts";
import { type Cell, FILE_LIMITS, type FilePosition, type FileRow, type RowProblem, type ScannedFile } from "./file.ts";
import { jsonListSplitter, lineSplitter } from "./json.ts";
import { jsonCells } from "./json-cells.ts";
import { isDelimited, readingPlan } from "./reading-plan.ts";
import type { RecordSplitter } from "./record-splitter.ts";
import { type FileRecord, RecordReader } from "./records.ts";
import { xmlCells, xmlElementSplitter } from "./xml.ts";

/** Reads the rows of a scanned file from its uncompressed bytes, in chunks of any size. */
export interface FileReader {
  /** The rows that are complete so far. */
  push(bytes: Uint8Array): readonly FileRow[];
  /** The remaining rows. It is called after the last bytes. */
  end(): readonly FileRow[];
}

type CellsOrProblem = { readonly cells: readonly Cell[]; readonly problem: RowProblem | null };

/** Parses a record into cells in the order of the headings; `null` if it is not a row. */
type RowParser = (record: FileRecord) => CellsOrProblem | null;

const delimitedRows =
  ({ heading, delimiter }: ScannedFile): RowParser =>
  ({ text, hasQuotes, problem }) => {
    const cells = cellsOf(text, delimiter ?? ",", hasQuotes);
    if (problem !== null) return { cells, problem };
    if (isBlankRow(cells)) return null;
    if (cells.length <= heading.length) return { cells, problem };
    if (isBlankRow(cells.slice(heading.length))) return { cells: cells.slice(0, heading.length), problem };
    const message = `has ${cells.length} cells under ${heading.length} headings`;
    return { cells, problem: { code: "too_many_cells", message } };
  };

const keyedRows =
  (heading: readonly string[], read: (text: string) => ReadonlyMap<string, Cell> | RowProblem): RowParser =>
  ({ text, problem }) => {
    if (problem !== null) return { cells: [], problem };
    const cells = read(text);
    if ("code" in cells) return { cells: [], problem: cells };
    return { cells: heading.map((key) => cells.get(key) ?? null), problem: null };
  };

const rowParserOf = (file: ScannedFile): RowParser => {
  if (isDelimited(file.format)) return delimitedRows(file);
  if (file.format !== "xml") return keyedRows(file.heading, jsonCells);
  const headings = new Set(file.heading);
  return keyedRows(file.heading, (text) => xmlCells(text, headings));
};

/** The splitter for the part of a file after a row. */
const splitterAfterRow = ({ format, delimiter, rowPath }: ScannedFile): RecordSplitter => {
  if (format === "xml") return xmlElementSplitter(rowPath ?? [], true);
  if (format === "json") return jsonListSplitter(true);
  return format === "ndjson" ? lineSplitter : csvSplitter(delimiter ?? ",");
};

/**
 * Reads a scanned file from its start, or from the `next` of a row. In that case, the first pushed byte must be the one
 * at that position.
 */
export const readerOf = (file: ScannedFile, from?: FilePosition): FileReader => {
  const rowOf = rowParserOf(file);
  const start = readingPlan(file, xmlElementSplitter(file.rowPath ?? [], false), () => undefined);
  const behind = () => ({
    decoder: decoderOf(file.charset),
    markBytes: 0,
    splitter: () => ({ splitter: splitterAfterRow(file), from: 0, lines: 0 }),
  });
  const records = new RecordReader(from === undefined ? start : behind, FILE_LIMITS.rowBytes, from);
  let row = from?.row ?? 0;
  let toHeading = from === undefined && isDelimited(file.format) ? (file.above?.rows ?? 0) + 1 : 0;

  const rowsOf = (read: readonly FileRecord[]): readonly FileRow[] => {
    const rows: FileRow[] = [];
    for (const record of read) {
      const found = rowOf(record);
      if (found === null) continue;
      if (toHeading > 0) {
        toHeading--;
        continue;
      }
      row++;
      rows.push({ row, line: record.line, ...found, next: { ...record.next, row } });
    }
    return rows;
  };
  return {
    push: (bytes) => rowsOf(records.push(bytes)),
    end: () => rowsOf(records.finish()),
  };
};
