import Type from "typebox";
import { csvLine, plainCsvLine, plainTsvLine, tsvLine } from "../csv.ts";
import { flag, oneOf } from "../schema.ts";

/** The forms of an export. */
export const EXPORT_FORMATS = ["csv", "tsv", "ndjson"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The form of a file as a query asks for it. */
interface FormOptions {
  readonly format?: ExportFormat;
  readonly spreadsheet?: boolean;
}

/** The form of a file. */
interface FileForm {
  readonly format: ExportFormat;
  /** An apostrophe stands before each text that a spreadsheet would calculate. */
  readonly forSpreadsheet: boolean;
}

/** The form of a file, as parameters of a query. */
export const formQuery = (spreadsheet: { readonly default: boolean; readonly description: string }) => ({
  format: Type.Optional(oneOf(EXPORT_FORMATS, { default: "csv", description: "The format of the file." })),
  spreadsheet: Type.Optional(flag(spreadsheet)),
});

/** The same for files that no import reads: they are for people, unless a program asks for the texts as they are. */
export const SAFE_FORM_QUERY = formQuery({
  default: true,
  description:
    "If true, an apostrophe is put before each text that a spreadsheet would take for a formula. Programs send `false` to get every text unchanged.",
});

/** The form that a query asks for, with defaults filled in. */
export const formOf = ({ format = "csv", spreadsheet }: FormOptions, forSpreadsheet: boolean): FileForm => ({
  format,
  forSpreadsheet: spreadsheet ?? forSpreadsheet,
});

/** The form of a file that no import reads. */
export const safeFormOf = (query: FormOptions): FileForm => formOf(query, true);

/** What is written of each record. */
interface RecordForms<Item> {
  /** The names of a table's columns. */
  readonly columns: readonly string[];
  /** The cells of a table's line, as many as there are columns. */
  readonly cells: (item: Item) => readonly (string | number | null)[];
  /** The record as JSON without white space around it. */
  readonly json: (item: Item) => string;
}

/** How the records of one file are written. */
export interface ExportFile<Item> {
  readonly format: ExportFormat;
  /** The line of column names; empty where each line has them. */
  readonly heading: string;
  /** The line of a record, with its end. */
  readonly line: (item: Item) => string;
}

/** Writes the lines of tables: first plain, then for a spreadsheet. */
const TABLES = { csv: [plainCsvLine, csvLine], tsv: [plainTsvLine, tsvLine] } as const;

/** A file of records in any form. */
export const exportFile = <Item>(
  { format, forSpreadsheet }: FileForm,
  { columns, cells, json }: RecordForms<Item>,
): ExportFile<Item> => {
  if (format === "ndjson") return { format, heading: "", line: (item) => `${json(item)}\n` };
  const write = TABLES[format][forSpreadsheet ? 1 : 0];
  return { format, heading: write(columns), line: (item) => write(cells(item)) };
};
