import { codingOf } from "./coding.ts";
import { cellsOf, delimitedDivider, isBlankRow } from "./delimited.ts";
import type { Divider } from "./divider.ts";
import { type Cell, FILE_LIMITS, type FilePosition, type FileRow, type FoundFile, type RowProblem } from "./file.ts";
import { lineDivider, listDivider } from "./json.ts";
import { keyedCells } from "./keyed.ts";
import { isDelimited, openingFrom } from "./layout.ts";
import { type FileRecord, Records } from "./records.ts";
import { elementCells, elementDivider } from "./xml.ts";

/** Reads the rows of a file that was scanned, from its unpacked bytes in pieces of any size. */
export interface FileReader {
  /** The whole rows of what was pushed. */
  push(bytes: Uint8Array): readonly FileRow[];
  /** The rows that were left, after the last bytes. */
  end(): readonly FileRow[];
}

type CellsOrProblem = { readonly cells: readonly Cell[]; readonly problem: RowProblem | null };

/** What a record says under the headings; `null` if it is no row. */
type RowOf = (record: FileRecord) => CellsOrProblem | null;

const rowOfCells =
  ({ heading, delimiter }: FoundFile): RowOf =>
  ({ text, hasQuotes, problem }) => {
    const cells = cellsOf(text, delimiter ?? ",", hasQuotes);
    if (problem !== null) return { cells, problem };
    if (isBlankRow(cells)) return null;
    if (cells.length <= heading.length) return { cells, problem };
    if (isBlankRow(cells.slice(heading.length))) return { cells: cells.slice(0, heading.length), problem };
    const message = `has ${cells.length} cells under ${heading.length} headings`;
    return { cells, problem: { code: "too_many_cells", message } };
  };

const rowOfKeys =
  (heading: readonly string[], read: (text: string) => ReadonlyMap<string, Cell> | RowProblem): RowOf =>
  ({ text, problem }) => {
    if (problem !== null) return { cells: [], problem };
    const cells = read(text);
    if ("code" in cells) return { cells: [], problem: cells };
    return { cells: heading.map((key) => cells.get(key) ?? null), problem: null };
  };

const rowReader = (file: FoundFile): RowOf => {
  if (isDelimited(file.format)) return rowOfCells(file);
  if (file.format !== "xml") return rowOfKeys(file.heading, keyedCells);
  const headings = new Set(file.heading);
  return rowOfKeys(file.heading, (text) => elementCells(text, headings));
};

/** Divides what is behind a row. */
const dividerBehind = ({ format, delimiter, rowPath }: FoundFile): Divider => {
  if (format === "xml") return elementDivider(rowPath ?? [], true);
  if (format === "json") return listDivider(true);
  return format === "ndjson" ? lineDivider : delimitedDivider(delimiter ?? ",");
};

/**
 * Reads a scanned file from its start, or behind the row that has this position as its `next`. The bytes that are
 * pushed begin at the position's offset.
 */
export const readerOf = (file: FoundFile, from?: FilePosition): FileReader => {
  const rowOf = rowReader(file);
  const start = openingFrom(file, elementDivider(file.rowPath ?? [], false), () => undefined);
  const behind = () => ({
    coding: codingOf(file.charset),
    markBytes: 0,
    divider: () => ({ divider: dividerBehind(file), from: 0, lines: 0 }),
  });
  const records = new Records(from === undefined ? start : behind, FILE_LIMITS.rowBytes, from);
  let row = from?.row ?? 0;
  let isHeadingAhead = from === undefined && isDelimited(file.format);

  const rowsOf = (read: readonly FileRecord[]): readonly FileRow[] => {
    const rows: FileRow[] = [];
    for (const record of read) {
      const found = rowOf(record);
      if (found === null) continue;
      if (isHeadingAhead) {
        isHeadingAhead = false;
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
