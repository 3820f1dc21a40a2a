import Type from "typebox";
import { csvLine, plainCsvLine, plainTsvLine, tsvLine } from "../csv.ts";
import { flag, oneOf } from "../schema.ts";

/** The forms of an export as text. */
export const EXPORT_FORMATS = ["csv", "tsv", "ndjson"] as const;
type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The form of a file as a query asks for it. */
interface FormOptions<Format> {
  readonly format?: Format;
  readonly spreadsheet?: boolean;
}

/** The form of a file. */
interface FileForm<Format = ExportFormat> {
  readonly format: Format;
  /** An apostrophe stands before each text that a spreadsheet would calculate. */
  readonly forSpreadsheet: boolean;
}

/** The form of a file, as parameters of a query. */
export const formQuery = <const Format extends string>(
  formats: readonly Format[],
  spreadsheet: { readonly default: boolean; readonly description: string },
) => ({
  format: Type.Optional(oneOf(formats, { default: "csv", description: "The format of the file." })),
  spreadsheet: Type.Optional(flag(spreadsheet)),
});

/** The same for files that no import reads: they are for people, unless a program asks for the texts as they are. */
export const SAFE_FORM_QUERY = formQuery(EXPORT_FORMATS, {
  default: true,
  description:
    "If true, an apostrophe is put before each text that a spreadsheet would take for a formula. Programs send `false` to get every text unchanged.",
});

/** The form that a query asks for, with defaults filled in. */
export const formOf = <Format>(
  { format, spreadsheet }: FormOptions<Format>,
  forSpreadsheet: boolean,
): FileForm<Format | "csv"> => ({
  format: format ?? "csv",
  forSpreadsheet: spreadsheet ?? forSpreadsheet,
});

/** The form of a file that no import reads. */
export const safeFormOf = (query: FormOptions<ExportFormat>): FileForm => formOf(query, true);

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
export interface ExportFile<Item, Format = ExportFormat> {
  readonly format: Format;
  /** The line of column names; empty where each line has them. */
  readonly heading: string;
  /** The line of a record, with its end. */
  readonly line: (item: Item) => string;
  /** What stands behind the last line; most files have nothing there. */
  readonly end?: string;
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
