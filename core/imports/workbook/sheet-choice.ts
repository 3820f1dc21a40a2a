import { HEADING_ROWS, hasHeadingMarks, knownHeadings } from "../file/heading-marks.ts";
import { headingReader, type OwnColumns } from "../headings/columns.ts";
import type { ImportField } from "../headings/headings.ts";
import type { SheetValue } from "./cell-values.ts";
import type { Sheet } from "./contents.ts";
import { WORKBOOK_LIMITS } from "./limits.ts";
import { type Parts, textOfPart } from "./parts.ts";
import { unreadable, WorkbookRefused } from "./refused.ts";
import { type CellContext, SheetReader, type SheetRow } from "./sheet-reader.ts";

/** What the sender says about a workbook. */
export interface SheetWanted {
  /** The name of the sheet. By default it is the first one with a heading. */
  readonly sheet?: string;
  /** The row of the sheet that is its heading. By default it is found. */
  readonly headingRow?: number;
  readonly own: OwnColumns;
}

/** The sheet that is read. */
export interface ChosenSheet {
  readonly sheet: Sheet;
  readonly heading: SheetRow;
  /** The number of rows above the heading, and the first of them. */
  readonly above: number;
  /** The first rows that have values, those above the heading among them. */
  readonly rows: readonly SheetRow[];
  /** The names of other sheets with a heading. */
  readonly others: readonly string[];
}

/** A text of a cell, as a heading. */
const headingText = (value: SheetValue | undefined): string => String(value ?? "").trim();

/** The texts of a row's cells. */
export const textsOf = ({ values }: SheetRow): readonly string[] => Array.from(values, headingText);

const hasValues = ({ values }: SheetRow): boolean => values.some((value) => headingText(value) !== "");

/** The first rows of a sheet that have values: 30, or all up to the one that is wanted. */
const firstRowsOf = async (
  parts: Parts,
  { sheet, context }: { readonly sheet: Sheet; readonly context: CellContext },
  last: number | null,
): Promise<readonly SheetRow[]> => {
  const reader = new SheetReader(context);
  const rows: SheetRow[] = [];
  let read = 0;
  const what = `the sheet "${sheet.name.slice(0, 50)}"`;
  for await (const chunk of textOfPart(parts, { name: sheet.part, most: WORKBOOK_LIMITS.sheet, what })) {
    for (const row of reader.push(chunk)) {
      if (hasValues(row)) rows.push(row);
      if (last === null ? rows.length === HEADING_ROWS : row.line >= last) return rows;
    }
    read += chunk.length;
    if (read > WORKBOOK_LIMITS.sheetStart) return rows;
  }
  return rows;
};

/** A sheet with the row that may be its heading. */
interface Candidate extends Omit<ChosenSheet, "others"> {
  /** True if it is certainly one. */
  readonly isMarked: boolean;
}

const candidateOf = (
  sheet: Sheet,
  rows: readonly SheetRow[],
  {
    headingRow,
    fieldOf,
  }: { readonly headingRow: number | null; readonly fieldOf: (text: string) => ImportField | null },
): Candidate | null => {
  const [first] = rows;
  if (first === undefined) return null;
  const marked = rows.findIndex((row) =>
    headingRow === null ? hasHeadingMarks(textsOf(row), fieldOf) : row.line === headingRow,
  );
  const heading = rows[marked];
  if (heading === undefined)
    return headingRow === null ? { sheet, heading: first, above: 0, rows, isMarked: false } : null;
  const isMarked = headingRow === null || knownHeadings(textsOf(heading), fieldOf) > 0;
  return { sheet, heading, above: marked, rows, isMarked };
};

const namesOf = (sheets: readonly Sheet[]): string => sheets.map(({ name }) => `"${name}"`).join(", ");

/** The sheets among which the one to read is found. */
const eligible = (sheets: readonly Sheet[], wanted: string | undefined): readonly Sheet[] => {
  if (wanted === undefined) {
    const visible = sheets.filter(({ isHidden }) => !isHidden);
    return visible.length > 0 ? visible : sheets;
  }
  const name = wanted.trim().toLowerCase();
  const found = sheets.filter((sheet) => sheet.name.trim().toLowerCase() === name);
  if (found.length > 0) return found;
  const message = `must be a sheet of the workbook, which has ${namesOf(sheets).slice(0, 1000)}`;
  throw new WorkbookRefused({ code: "sheet_unknown", message });
};

/** Finds the sheet to read, and its heading: that of the wanted name, or the first visible one with a heading. */
export const chooseSheet = async (
  parts: Parts,
  { sheets, context }: { readonly sheets: readonly Sheet[]; readonly context: CellContext },
  { sheet: wanted, headingRow: named, own }: SheetWanted,
): Promise<ChosenSheet> => {
  const headingRow = named ?? null;
  const hints = { headingRow, fieldOf: headingReader(own) };
  const candidates: Candidate[] = [];
  for (const sheet of eligible(sheets, wanted)) {
    const candidate = candidateOf(sheet, await firstRowsOf(parts, { sheet, context }, headingRow), hints);
    if (candidate !== null) candidates.push(candidate);
  }
  const chosen = candidates.find(({ isMarked }) => isMarked) ?? candidates[0];
  if (chosen === undefined)
    throw unreadable(
      headingRow === null
        ? "The workbook has no sheet with a row. Its first row must name the columns, such as VIN, Make and Price."
        : `No row of the sheet is row ${headingRow}, which heading_row names, or it is empty.`,
    );
  const { isMarked: _, ...rest } = chosen;
  const others = candidates.filter((one) => one !== chosen && one.isMarked).map(({ sheet }) => sheet.name);
  return { ...rest, others };
};
