import { withoutFormulaMarks } from "../csv.ts";
import type { Cell, FileRow, ScannedFile } from "./file/file.ts";

/** The columns that a file of failed rows has after those of the imported file. */
export const ERROR_COLUMNS = ["import_line", "import_error"] as const;

/** True for a table of failed rows that this service wrote: apostrophes before formulas are not part of its texts. */
const isErrorsFile = ({ delimiter, heading }: Pick<ScannedFile, "delimiter" | "heading">): boolean =>
  delimiter !== null && ERROR_COLUMNS.every((column) => heading.includes(column));

const plainCell = (cell: Cell): Cell => (typeof cell === "string" ? withoutFormulaMarks(cell) : cell);

/** The headings of a file as they were in the file that its failed rows come from. */
export const plainHeadings = (file: Pick<ScannedFile, "delimiter" | "heading">): readonly string[] =>
  isErrorsFile(file) ? file.heading.map(withoutFormulaMarks) : file.heading;

/** Reads the rows of a file as they were in the file that they come from. */
export const plainRows = (file: Pick<ScannedFile, "delimiter" | "heading">): ((row: FileRow) => FileRow) =>
  isErrorsFile(file) ? (row) => ({ ...row, cells: row.cells.map(plainCell) }) : (row) => row;
