import Type from "typebox";
import {
  IMPORT_MODES,
  IMPORT_STATES,
  type Import,
  type ImportError,
  type ImportFile,
  type ImportRow,
  ROW_OUTCOMES,
} from "../../../core/imports/import.ts";
import { id, oneOf } from "../../../core/schema.ts";
import { count, dateTime, type FieldsOf, nullable, recordSchema } from "./answers.ts";
import { actorAnswer } from "./audit.ts";

const issue = Type.Object(
  {
    path: Type.String({ description: "The heading of the column; empty where the fault is the whole row's." }),
    code: Type.String({ description: "What is wrong, for programs." }),
    message: Type.String({ description: "What is wrong, for people." }),
  },
  { title: "ImportIssue", additionalProperties: false },
);

/** An import. */
export const ImportAnswer = recordSchema("Import", {
  id: id(),
  dealer_id: nullable(id({ description: "Whose vehicles they are; `null` where the file has a column for it." })),
  state: oneOf(IMPORT_STATES),
  mode: oneOf(IMPORT_MODES),
  options: Type.Record(Type.String(), Type.Unknown(), { description: "The other options, with defaults filled in." }),
  file: recordSchema("ImportFile", {
    name: nullable(Type.String()),
    bytes: count,
    sha256: Type.String({ description: "Of the bytes that were sent." }),
    rows: count,
    charset: Type.String(),
    delimiter: nullable(Type.String()),
  } satisfies FieldsOf<ImportFile>),
  columns: Type.Array(
    recordSchema("ImportColumn", {
      heading: Type.String(),
      field: nullable(Type.String({ description: "What the column was taken for; `null` if it is not read." })),
    }),
  ),
  warnings: Type.Array(issue, { description: "What is odd with the file as a whole." }),
  progress: recordSchema("ImportProgress", { read: count, total: count }),
  counts: recordSchema("ImportCounts", {
    created: count,
    updated: count,
    unchanged: count,
    failed: count,
    missing: count,
    removed: count,
    warnings: count,
  }),
  created_at: dateTime,
  started_at: nullable(dateTime),
  finished_at: nullable(dateTime),
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
  key: nullable(Type.String({ description: "The VIN, or the stock number where the row has none or is found by it." })),
  outcome: oneOf(ROW_OUTCOMES),
  vehicle_id: nullable(id()),
  changes: Type.Record(Type.String(), Type.Array(Type.Unknown()), {
    description: "Each changed field, before and after; of a new vehicle, each field that the row gives a value.",
  }),
  errors: Type.Array(issue),
  warnings: Type.Array(issue),
} satisfies FieldsOf<ImportRow>);
