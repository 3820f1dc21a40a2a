import { daysOfMoment } from "../day-numbers.ts";

/** A column of a sheet. */
export interface SheetColumn {
  readonly name: string;
  /** The number of characters for which there is room. */
  readonly width: number;
  /** `moment` and `day` for columns of dates, whose texts are ISO 8601. */
  readonly kind: "plain" | "moment" | "day";
}

/** The values of a row, in the order of the columns. `null` is an empty cell. */
type SheetCells = readonly (string | number | null)[];

/** A sheet as XML: what stands before its rows, each row, and what stands behind them. */
interface SheetFile {
  readonly heading: string;
  /** The rows must be written in their order. */
  readonly line: (cells: SheetCells) => string;
  readonly end: string;
}

/** The styles of cells, as the workbook lists them. */
const STYLES = { plain: 0, moment: 1, day: 2, heading: 3 } as const;

/** The list of these styles. */
export const SHEET_STYLES = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

/** The most rows of a sheet, and the most characters of a cell, that spreadsheets open. */
const MAX_ROWS = 1_048_576;
export const MAX_CELL_LENGTH = 32_767;

/** The length of a day as text, such as 2026-10-16. */
const DAY_LENGTH = 10;

const LETTERS = 26;
const lettersOf = (column: number): string =>
  (column < LETTERS ? "" : lettersOf(Math.floor(column / LETTERS) - 1)) + String.fromCharCode(65 + (column % LETTERS));

const MARKUP: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
// XML has no signs for control characters and for U+FFFE and U+FFFF; a text may look as if one was written so.
const SPECIAL = /[&<>\ufffe\uffff]|(?![\t\n])\p{Cc}|_(?=x[0-9A-Fa-f]{4}_)/gu;

const escaped = (sign: string): string =>
  MARKUP[sign] ?? `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`;

const textCell = (place: string, style: number, text: string): string =>
  `<c r="${place}"${style === 0 ? "" : ` s="${style}"`} t="inlineStr"><is><t xml:space="preserve">${text.toWellFormed().replaceAll(SPECIAL, escaped)}</t></is></c>`;

/** The number of days that a date stands for; `null` if a number would not say exactly the same. */
const daysIn = (text: string, kind: "moment" | "day"): number | null => {
  const ms = new Date(text).getTime();
  if (Number.isNaN(ms)) return null;
  const iso = new Date(ms).toISOString();
  return text === (kind === "day" ? iso.slice(0, DAY_LENGTH) : iso) ? daysOfMoment(ms) : null;
};

const cellOf = (place: string, kind: SheetColumn["kind"], value: string | number | null): string => {
  if (value === null || value === "") return "";
  if (typeof value === "number") return `<c r="${place}"><v>${value}</v></c>`;
  const days = kind === "plain" ? null : daysIn(value, kind);
  if (days !== null) return `<c r="${place}" s="${STYLES[kind]}"><v>${days}</v></c>`;
  return value.length > MAX_CELL_LENGTH ? "" : textCell(place, STYLES.plain, value);
};

/**
 * Writes a sheet whose heading is frozen. All texts are texts, so that nothing is calculated. A text that is longer than
 * a cell may be is an empty cell.
 */
export const sheetFile = (columns: readonly SheetColumn[]): SheetFile => {
  const letters = columns.map((_, column) => lettersOf(column));
  const widths = columns.map(
    ({ width }, column) => `<col min="${column + 1}" max="${column + 1}" width="${width}" customWidth="1"/>`,
  );
  const headings = columns.map(({ name }, column) => textCell(`${letters[column]}1`, STYLES.heading, name));
  let row = 1;
  return {
    heading: `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews><sheetView tabSelected="1" workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join("")}</cols><sheetData><row r="1">${headings.join("")}</row>`,
    line(cells) {
      if (row === MAX_ROWS) throw new Error(`a sheet has at most ${MAX_ROWS} rows`);
      row++;
      let text = `<row r="${row}">`;
      for (const [column, { kind }] of columns.entries())
        text += cellOf(`${letters[column]}${row}`, kind, cells[column] ?? null);
      return `${text}</row>`;
    },
    end: "</sheetData></worksheet>",
  };
};
