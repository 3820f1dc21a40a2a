import type { FileRow } from "./file/file.ts";
import { headingOf } from "./headings/columns.ts";
import type { ImportIssue } from "./import-issue.ts";
import type { StoredImport, StoredRow } from "./import-repository.ts";
import { mayBeCutOff, NO_VEHICLE } from "./values/no-vehicle.ts";
import type { RowValues } from "./values/values.ts";

/** What is known of the file of a row. */
type File = Pick<StoredImport, "columns"> & {
  readonly found: Pick<StoredImport["found"], "delimiter" | "rows" | "heading" | "mayBeCutOff">;
};

/** Errors after which the cells of this row, or of the following rows, may be under the wrong headings. */
const MISALIGNING_ERRORS: ReadonlySet<string> = new Set(["quote_unclosed", "file_cut_off", "too_many_cells"]);

/** True if the last row of a file ends before its last column. The file may have been truncated. */
const isTruncated = ({ found }: File, { row, cells = [] }: Pick<StoredRow, "row" | "cells">): boolean =>
  found.delimiter !== null && row === found.rows && (cells.length < found.heading.length || cells.at(-1) === null);

/** The warning about the last row of a file that may end within it. */
const CUT_OFF: ImportIssue = {
  path: "",
  code: "file_may_be_cut_off",
  message: "is the last row, shorter than every other, and no end of line follows it: the file may have been cut off",
};

/**
 * The values of a row, which is a vehicle after all if the file may end within it. The last vehicle of a file that may
 * be cut off says so.
 */
export const withoutDoubt = (values: RowValues, row: Pick<FileRow, "row" | "cells">, file: File): RowValues => {
  const { skipped, ...others } = values;
  const { year, make } = values.fields;
  if (skipped === undefined)
    return file.found.mayBeCutOff && row.row === file.found.rows
      ? { ...values, warnings: [...values.warnings, CUT_OFF] }
      : values;
  if (skipped.code !== NO_VEHICLE.code || !isTruncated(file, row)) return values;
  return year !== undefined || make !== undefined || mayBeCutOff(row.cells) ? others : values;
};

/**
 * True for a failed row without a valid key, as it is unknown which vehicle the row is about, and for the last row of a
 * file that may be cut off, as others may be missing behind it.
 */
export const isUnidentified = (
  file: File,
  row: Pick<StoredRow, "row" | "cells" | "compared" | "outcome" | "errors" | "warnings">,
): boolean => {
  const { compared, outcome, errors, warnings } = row;
  if (warnings.some(({ code }) => code === CUT_OFF.code)) return true;
  if (outcome !== "failed") return false;
  const isGood = (field: "vin" | "stock_number"): boolean =>
    compared[field] !== null && !errors.some(({ path }) => path === headingOf(file.columns, field));
  const isMisplaced = isTruncated(file, row) || errors.some(({ code }) => MISALIGNING_ERRORS.has(code));
  return isMisplaced || !(isGood("vin") || isGood("stock_number"));
};
