import Type from "typebox";
import {
  type FetchedImages,
  IMPORT_MODES,
  IMPORT_STATES,
  type Import,
  type ImportError,
  type ImportFile,
  ROW_OUTCOMES,
  type RowWithCells,
} from "../../../core/imports/import.ts";
import type { RowWarnings } from "../../../core/imports/import-issue.ts";
import type { KeptValue } from "../../../core/imports/merge.ts";
import { TAUGHT_FIELDS } from "../../../core/imports/values/known-values.ts";
import type { AnsweredValue } from "../../../core/imports/values/unknown-values.ts";
import { id, oneOf } from "../../../core/schema.ts";
import { CHANGE_ID, count, dateTime, type FieldsOf, nullable, recordSchema } from "./answers.ts";
import { actorAnswer } from "./audit.ts";

/** A warning or an error about a file or a row. */
export const issue = Type.Object(
  {
    path: Type.String({ description: "The heading of the column. Empty if the problem concerns the whole row." }),
    code: Type.String({ description: "A code for programs." }),
    message: Type.String({ description: "A message for people." }),
  },
  { title: "ImportIssue", additionalProperties: false },
);

/** An import. */
export const ImportAnswer = recordSchema("Import", {
  id: id(),
  dealer_id: nullable(
    id({ description: "The dealer of all vehicles in the file. `null` if the file has a column for the dealer." }),
  ),
  state: oneOf(IMPORT_STATES),
  mode: oneOf(IMPORT_MODES),
  options: Type.Record(Type.String(), Type.Unknown(), { description: "The other options, with defaults filled in." }),
  file: recordSchema("ImportFile", {
    name: nullable(Type.String()),
    bytes: count,
    sha256: Type.String({ description: "The SHA-256 of the bytes that were sent." }),
    rows: count,
    charset: Type.String(),
    delimiter: nullable(Type.String()),
    sheet: nullable(Type.String({ description: "The sheet of a workbook that was read. `null` for other files." })),
  } satisfies FieldsOf<ImportFile>),
  columns: Type.Array(
    recordSchema("ImportColumn", {
      heading: Type.String(),
      field: nullable(
        Type.String({ description: "The field that the column contains. `null` if the column is not read." }),
      ),
      guessed: Type.Optional(
        Type.Literal(true, { description: "True if the heading is not known, and only the cells say what it is." }),
      ),
    }),
  ),
  warnings: Type.Array(issue, { description: "Warnings about the file as a whole." }),
  row_warnings: Type.Array(
    recordSchema("ImportRowWarnings", {
      ...issue.properties,
      count: Type.Integer({ minimum: 1, description: "The number of rows with such a warning." }),
      line: Type.Integer({ minimum: 0, description: "The line of the first of them, whose message is the example." }),
    } satisfies FieldsOf<RowWarnings>),
    { description: "What rows were warned of, once for each column and kind; at most 30 kinds." },
  ),
  unknown_values: Type.Array(
    recordSchema("UnknownValue", {
      field: oneOf(TAUGHT_FIELDS),
      heading: Type.String({ description: "The heading of the column." }),
      value: Type.String({ description: "What the file says." }),
      count: Type.Integer({ minimum: 1, description: "The number of rows that say it." }),
      guess: nullable(
        Type.String({ description: "The value that it may stand for. `null` if no word of it is known." }),
      ),
    } satisfies FieldsOf<AnsweredValue>),
    {
      description:
        "Values that the service does not know, of fields that have few: up to 100, up to 30 of a field, the most frequent ones first. `values` of the import or of its mapping says what they mean; without it they stay as they are.",
    },
  ),
  progress: recordSchema("ImportProgress", { read: count, total: count }),
  counts: recordSchema("ImportCounts", {
    created: count,
    updated: count,
    unchanged: count,
    failed: count,
    skipped: Type.Integer({ minimum: 0, description: "Rows that are no vehicles, such as totals." }),
    missing: nullable(
      Type.Integer({
        minimum: 0,
        description: "`null` if it is not known, because a row has no key that can be read.",
      }),
    ),
    removed: count,
    kept: Type.Integer({
      minimum: 0,
      description: "Rows against which values of their vehicles stayed, as people had corrected them.",
    }),
    warnings: count,
  }),
  images: nullable(
    recordSchema("FetchedImages", {
      waiting: count,
      fetched: Type.Integer({ minimum: 0, description: "Addresses whose photos vehicles have now." }),
      failed: Type.Integer({ minimum: 0, description: "Addresses that stay as they are; their rows say why." }),
      problem: nullable(Type.String({ description: "Why the others were not fetched any more." })),
    } satisfies FieldsOf<FetchedImages>),
  ),
  created_at: dateTime,
  started_at: nullable(dateTime),
  finished_at: nullable(dateTime),
  change_id: nullable(CHANGE_ID),
  by: actorAnswer,
  error: nullable(
    recordSchema("ImportError", {
      code: Type.String(),
      message: Type.String(),
    } satisfies FieldsOf<ImportError>),
  ),
} satisfies FieldsOf<Import>);

/** The result of a row of an import. */
export const ImportRowAnswer = recordSchema("ImportRow", {
  line: nullable(count),
  row: nullable(count),
  key: nullable(
    Type.String({
      description:
        "The VIN of the row. The stock number if the row has no VIN, or if its vehicle is found by the stock number.",
    }),
  ),
  outcome: oneOf(ROW_OUTCOMES),
  vehicle_id: nullable(id()),
  changes: Type.Record(Type.String(), Type.Array(Type.Unknown()), {
    description:
      "The changed fields with their values before and after. For a new vehicle, all fields that have a value in the row.",
  }),
  kept: Type.Array(
    recordSchema("KeptValue", {
      field: Type.String(),
      file: Type.Unknown({ description: "What the file says." }),
      ours: Type.Unknown({ description: "What the vehicle has, and keeps." }),
    } satisfies FieldsOf<KeptValue>),
    { description: "The values of the vehicle that stayed against the file, as somebody had corrected them." },
  ),
  errors: Type.Array(issue),
  warnings: Type.Array(issue),
  cells: Type.Optional(
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Null()]), {
      description:
        "With `cells=true`, the cells of a failed row by the headings of the file. A heading that is there again has a number, as in `Image (2)`.",
    }),
  ),
} satisfies FieldsOf<Required<RowWithCells>>);
