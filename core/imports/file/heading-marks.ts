import type { ImportField } from "../headings/headings.ts";
import { FILE_LIMITS } from "./file.ts";

/** The heading of a table is among so many of its first rows. */
export const HEADING_ROWS = 30;
const MARKS_WITH_KEY = 3;
const MARKS = 4;

/** The fields that cells name if they are headings. */
export type FieldOfHeading = (heading: string) => ImportField | null;

/** The number of cells that are known headings. */
export const knownHeadings = (cells: readonly string[], fieldOf: FieldOfHeading): number =>
  cells.filter((cell) => fieldOf(cell) !== null).length;

/** True for a row that must be a heading: it has a key and two more known headings, or four known ones. */
export const hasHeadingMarks = (cells: readonly string[], fieldOf: FieldOfHeading): boolean => {
  // A row of more cells is no heading that can be read.
  const fields = cells
    .slice(0, FILE_LIMITS.columns)
    .map(fieldOf)
    .filter((field) => field !== null);
  const hasKey = fields.includes("vin") || fields.includes("stock_number");
  return fields.length >= (hasKey ? MARKS_WITH_KEY : MARKS);
};
