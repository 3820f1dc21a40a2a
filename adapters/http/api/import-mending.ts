import Type from "typebox";
import {
  MAX_MENDED,
  MENDED_OUTCOMES,
  type Mend,
  type MendedResult,
  Mending,
  type MendingAnswer,
} from "../../../core/imports/mending.ts";
import { id, oneOf } from "../../../core/schema.ts";
import { type Route, route } from "../protocol/route.ts";
import { count, type FieldsOf, nullable, recordId, recordSchema } from "./answers.ts";
import { issue } from "./import-answers.ts";

/** The cells that a request may have, and the fields around them. */
const MAX_MEMBERS = 20_000;

const Answer = recordSchema("MendingResults", {
  dry_run: Type.Boolean(),
  results: Type.Array(
    recordSchema("MendedRowResult", {
      row: count,
      outcome: oneOf(MENDED_OUTCOMES, {
        description: "`not_found` stands for a row that is not there, or has not failed.",
      }),
      vehicle_id: nullable(id()),
      errors: Type.Array(issue),
      warnings: Type.Array(issue),
    } satisfies FieldsOf<MendedResult>),
  ),
} satisfies FieldsOf<MendingAnswer>);

/** The route that mends failed rows of an import (interface 6.9). */
export const mendingRoutes = (mending: Mend): Route[] => [
  route({
    operation: "import.mend",
    name: "mendImport",
    method: "POST",
    path: "/api/imports/:id/mend",
    summary: `Mend up to ${MAX_MENDED} failed rows`,
    description:
      "Reads failed rows again, as the file was read, with other cells in some columns. Each row succeeds or fails by itself. Rows that succeed become a part of the import: its counts and its change. Rows that still fail keep the new cells. Values that people corrected meanwhile are replaced.",
    params: Type.Object({ id: recordId("import", 4) }),
    body: {
      name: "ImportMending",
      schema: Mending,
      readOnly: [],
      maxMembers: MAX_MEMBERS,
      example: { rows: [{ row: 2, cells: { Year: "2024" } }] },
    },
    answer: { status: 200, schema: Answer, description: "The results, in the order of the rows" },
    errors: ["not_found", "import_state", "storage_full", "storage_quota"],
    answers: "record",
    of: ({ principal, params, body }) => mending.mend(principal, params.id, body),
  }),
];
