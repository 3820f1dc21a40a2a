import { Failure } from "../failure.ts";
import { Issues } from "../issues.ts";
import { shortened } from "../text.ts";

/** The length of a text that a mended cell may have. */
export const MAX_CELL = 20_000;
/** The length to which a heading is shown in an error. */
export const MAX_SHOWN = 100;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A value that no cell can be, as an error names it. */
const inShort = (value: unknown): string => {
  if (typeof value === "string") return `has ${value.length} characters`;
  return typeof value === "boolean" ? `is ${value}` : `is ${Array.isArray(value) ? "a list" : "an object"}`;
};

const isCell = (value: unknown): boolean =>
  value === null || typeof value === "number" || (typeof value === "string" && value.length <= MAX_CELL);

/** What is wrong with single cells of a body: each is named by its row and its heading. */
export const failureOfCells = (input: unknown): Failure | null => {
  const issues = new Issues();
  const rows: readonly unknown[] = isRecord(input) && Array.isArray(input.rows) ? input.rows : [];
  for (const [place, row] of rows.entries())
    for (const [name, cell] of isRecord(row) && isRecord(row.cells) ? Object.entries(row.cells) : [])
      if (!isCell(cell))
        issues.add(
          `rows[${place}].cells.${shortened(name, MAX_SHOWN)}`,
          `must be a text of up to ${MAX_CELL} characters, a number or null, and ${inShort(cell)}`,
        );
  const { list, omitted } = issues;
  return list.length === 0 ? null : new Failure({ kind: "invalid", issues: list, omitted });
};
