import type { ImportIssue } from "../import-issue.ts";
import type { ChosenSheet } from "./sheet-choice.ts";

const LETTERS = 26;

/** The name of a cell, such as `C7`. */
export const cellName = (column: number, line: number): string => {
  let letters = "";
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / LETTERS))
    letters = String.fromCharCode(65 + ((rest - 1) % LETTERS)) + letters;
  return `${letters}${line}`;
};

/** What is counted while a sheet is read, with the first case as an example. */
class Counted {
  count = 0;
  example = "";

  add(example: string): void {
    if (this.count++ === 0) this.example = example;
  }
}

/** What was found in the rows of a sheet. */
export interface SheetFindings {
  readonly hiddenRows: Counted;
  readonly filledCells: Counted;
  readonly outsideCells: Counted;
  readonly formulas: Counted;
  readonly longNumbers: Counted;
}

/** Nothing found so far. */
export const noFindings = (): SheetFindings => ({
  hiddenRows: new Counted(),
  filledCells: new Counted(),
  outsideCells: new Counted(),
  formulas: new Counted(),
  longNumbers: new Counted(),
});

const SHOWN_NAMES = 5;

const quoted = (names: readonly string[]): string =>
  `${names
    .slice(0, SHOWN_NAMES)
    .map((name) => `"${name}"`)
    .join(", ")}${names.length > SHOWN_NAMES ? ", …" : ""}`;

const rows = ({ count }: Counted): string => (count === 1 ? "1 row" : `${count} rows`);

/** Says what was assumed while a sheet was read. */
export const sheetWarnings = (
  { sheet, others }: Pick<ChosenSheet, "sheet" | "others">,
  { hiddenRows, filledCells, outsideCells, formulas, longNumbers }: SheetFindings,
): readonly ImportIssue[] => {
  const found: [isFound: boolean, code: string, message: string][] = [
    [
      others.length > 0,
      "sheet_chosen",
      `the sheet "${sheet.name}" is read, and not ${quoted(others)}; name another one in \`sheet\``,
    ],
    [
      hiddenRows.count > 0,
      "rows_hidden",
      `${rows(hiddenRows)} of the sheet ${hiddenRows.count === 1 ? "is" : "are"} hidden, such as ${hiddenRows.example}; hidden rows are imported like all others`,
    ],
    [
      filledCells.count > 0,
      "cells_merged",
      `in ${rows(filledCells)}, merged cells have the value of the first of them, such as ${filledCells.example}`,
    ],
    [
      outsideCells.count > 0,
      "cells_without_heading",
      `in ${rows(outsideCells)}, cells have no heading above them and are not read, such as ${outsideCells.example}`,
    ],
    [
      formulas.count > 0,
      "formula_without_value",
      `in ${rows(formulas)}, formulas have no stored value and are read as empty, such as ${formulas.example}; open the workbook in a spreadsheet and save it`,
    ],
    [
      longNumbers.count > 0,
      "digits_lost",
      `in ${rows(longNumbers)}, numbers have more than 15 digits, of which the workbook has lost the last ones, such as ${longNumbers.example}; enter them as text`,
    ],
  ];
  return found.filter(([isFound]) => isFound).map(([, code, message]) => ({ path: "", code, message }));
};
