import { FILE_LIMITS } from "../file/file.ts";
import type { ImportIssue } from "../import-issue.ts";
import type { SheetValue } from "./cell-values.ts";
import { contentsOf } from "./contents.ts";
import { WORKBOOK_LIMITS } from "./limits.ts";
import { MergedCells } from "./merged-cells.ts";
import { mergesOf } from "./merges.ts";
import { formatsOf } from "./number-formats.ts";
import { type Inflate, type Parts, textOfPart } from "./parts.ts";
import { tooLarge, unreadable } from "./refused.ts";
import { SharedTexts } from "./shared-texts.ts";
import { type ChosenSheet, chooseSheet, type SheetWanted, textsOf } from "./sheet-choice.ts";
import { cellName, noFindings, sheetWarnings } from "./sheet-notes.ts";
import { type CellContext, SheetReader, type SheetRow } from "./sheet-reader.ts";
import { archiveOf } from "./zip-archive.ts";

declare const TextEncoder: new () => { encode(text: string): Uint8Array };

/** What is known about a sheet when all of it was read. */
export interface SheetFacts {
  readonly sheet: string;
  /** The names of all sheets that can be read. */
  readonly sheets: readonly string[];
  /** The rows above the heading, and the text of the first of them. */
  readonly above: { readonly rows: number; readonly text: string };
  readonly warnings: readonly ImportIssue[];
}

/** The characters that are collected before they are handed on. */
const PIECE_LENGTH = 128 * 1024;
const MAX_SHOWN = 60;

/** A column of the table: its place in the sheet, and the start of its cells in the text. */
interface TextColumn {
  readonly column: number;
  readonly name: string;
  readonly key: string;
}

/** The columns that have a heading. Of two with the same one, the second gets a number, so that both can be named. */
const columnsOf = (heading: SheetRow): readonly TextColumn[] => {
  const names = new Set<string>();
  const columns: TextColumn[] = [];
  for (const [column, text] of textsOf(heading).entries()) {
    if (text === "") continue;
    if (text.length > FILE_LIMITS.heading)
      throw tooLarge(
        `The workbook has a heading of more than ${FILE_LIMITS.heading} characters. Its first row must name the columns, such as VIN, Make and Price.`,
      );
    let name = text;
    for (let number = 2; names.has(name); number++) name = `${text} (${number})`;
    names.add(name);
    columns.push({ column, name, key: JSON.stringify(name) });
  }
  if (columns.length > FILE_LIMITS.columns)
    throw tooLarge(`The workbook has more than ${FILE_LIMITS.columns} columns.`);
  if (columns.length === 0)
    throw unreadable(
      "The workbook has no heading that can be read. Its first row must name the columns, such as VIN, Make and Price.",
    );
  return columns;
};

const isEmpty = (value: SheetValue | undefined): boolean =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "");

/** Writes rows as objects, each on the line that has the number of its row. */
class RowWriter {
  private readonly columns: readonly TextColumn[];
  private readonly read: ReadonlySet<number>;
  private line = 1;
  private text = "";
  readonly findings = noFindings();

  constructor(
    private readonly heading: SheetRow,
    private readonly merged: MergedCells,
  ) {
    this.columns = columnsOf(heading);
    this.read = new Set(this.columns.map(({ column }) => column));
  }

  /** The text that was written since it was taken last. */
  take(): string {
    const { text } = this;
    this.text = "";
    return text;
  }

  get length(): number {
    return this.text.length;
  }

  add({ line, isHidden, values: written, withoutValue, digitsLost }: SheetRow): void {
    const { values, filled } = this.merged.applyTo(line, written);
    if (line <= this.heading.line || values.every(isEmpty)) return;
    const { hiddenRows, filledCells, outsideCells, formulas, longNumbers } = this.findings;
    const outside = values.findIndex((value, column) => !isEmpty(value) && !this.read.has(column));
    if (outside >= 0) outsideCells.add(cellName(outside, line));
    if (this.columns.every(({ column }) => isEmpty(values[column]))) return;
    if (isHidden) hiddenRows.add(`row ${line}`);
    if (filled !== null) filledCells.add(cellName(filled, line));
    if (withoutValue !== null && this.read.has(withoutValue)) formulas.add(cellName(withoutValue, line));
    if (digitsLost !== null && this.read.has(digitsLost)) longNumbers.add(cellName(digitsLost, line));
    const cells = this.columns.map(({ column, key }) => `${key}:${JSON.stringify(values[column] ?? null)}`);
    this.text += `${"\n".repeat(line - this.line)}{${cells.join(",")}}`;
    this.line = line;
  }
}

const hasText = (text: string): boolean => text !== "";

const aboveOf = ({ above, rows: [first] }: ChosenSheet): SheetFacts["above"] => {
  const texts = above === 0 || first === undefined ? [] : textsOf(first).filter(hasText);
  return { rows: above, text: texts.join(" ").slice(0, MAX_SHOWN).toWellFormed() };
};

/** A workbook whose sheet was chosen. */
export interface OpenedSheet extends ChosenSheet {
  /** The names of all sheets that can be read. */
  readonly sheets: readonly string[];
  readonly parts: Parts;
  readonly context: CellContext;
}

/** Opens a workbook, and chooses its sheet. Throws WorkbookRefused if it cannot be read. */
export const openSheet = async (file: Uint8Array, inflate: Inflate, wanted: SheetWanted): Promise<OpenedSheet> => {
  const parts: Parts = { archive: archiveOf(file), inflate };
  const { sheets, texts, styles, is1904 } = await contentsOf(parts);
  const context = {
    texts: await SharedTexts.read(parts, texts),
    formatOf: await formatsOf(parts, styles),
    is1904,
  };
  const chosen = await chooseSheet(parts, { sheets, context }, wanted);
  return { ...chosen, parts, context, sheets: sheets.map(({ name }) => name) };
};

/** The headings of a sheet, and the values of its first rows below them. */
export const firstRowsIn = (
  { heading, rows }: OpenedSheet,
  most: number,
): { readonly headings: readonly string[]; readonly rows: readonly (readonly SheetValue[])[] } => {
  const columns = columnsOf(heading);
  const below = rows.filter(({ line }) => line > heading.line).slice(0, most);
  return {
    headings: columns.map(({ name }) => name),
    rows: below.map(({ values }) => columns.map(({ column }) => values[column] ?? null)),
  };
};

/**
 * Reads a sheet of a workbook as NDJSON, each row on the line of its number in the sheet. Pieces are made only when they
 * are asked for; the facts are known at the end. Throws WorkbookRefused if the workbook cannot be read.
 */
export async function* sheetText(
  file: Uint8Array,
  inflate: Inflate,
  wanted: SheetWanted,
): AsyncGenerator<Uint8Array, SheetFacts> {
  const opened = await openSheet(file, inflate, wanted);
  const { parts, context, sheet, heading, sheets } = opened;
  const writer = new RowWriter(heading, new MergedCells(await mergesOf(parts, sheet), heading.line));
  const reader = new SheetReader(context);
  const encoder = new TextEncoder();
  const what = "the sheet";
  for await (const chunk of textOfPart(parts, { name: sheet.part, most: WORKBOOK_LIMITS.sheet, what }))
    for (const row of reader.push(chunk)) {
      writer.add(row);
      if (writer.length >= PIECE_LENGTH) yield encoder.encode(writer.take());
    }
  yield encoder.encode(`${writer.take()}\n`);
  return { sheet: sheet.name, sheets, above: aboveOf(opened), warnings: sheetWarnings(opened, writer.findings) };
}
