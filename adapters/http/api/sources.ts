import Type from "typebox";
import { id, oneOf } from "../../../core/schema.ts";
import { OWNERS } from "../../../core/settings/field-owners.ts";
import {
  NewSource,
  SOURCE_READ_ONLY,
  type Source,
  SourceChanges,
  SourceListQuery,
  type SourceRun,
} from "../../../core/sources/source.ts";
import type { Sources } from "../../../core/sources/sources.ts";
import { cursorList } from "../protocol/cursor-page.ts";
import type { ListCursors } from "../protocol/list-cursors.ts";
import { type Route, route } from "../protocol/route.ts";
import {
  count,
  cursorMeta,
  DoneAnswer,
  dateTime,
  type FieldsOf,
  nullable,
  recordId,
  recordSchema,
  timestamps,
} from "./answers.ts";
import { issue } from "./import-answers.ts";

const SourceAnswer = recordSchema("ImportSource", {
  id: id(),
  name: Type.String(),
  dealer_id: id(),
  url: Type.String({ format: "uri" }),
  schedule: Type.String(),
  timezone: Type.String(),
  auth: nullable(
    Type.Union(
      [
        Type.Object({ type: Type.Literal("basic"), user: Type.String() }),
        Type.Object({ type: Type.Literal("header"), name: Type.String() }),
      ],
      { description: "The credentials, without the secret." },
    ),
  ),
  options: Type.Record(Type.String(), Type.Unknown(), {
    description: "The options of the imports, including defaults.",
  }),
  field_owners: Type.Record(Type.String(), oneOf(OWNERS), {
    description: "Who decides about which field, where it is not as in the settings.",
  }),
  active: Type.Boolean(),
  next_run_at: nullable(dateTime),
  failing_since: nullable(dateTime),
  runs: Type.Array(
    recordSchema("ImportSourceRun", {
      at: dateTime,
      import_id: nullable(id()),
      status: nullable(Type.Integer({ description: "The status of the answer. `null` if there was none." })),
      bytes: nullable(count),
      problem: nullable(Type.String({ description: "What went wrong. `null` if nothing did." })),
      warnings: Type.Array(issue, {
        description:
          "What the import of the file assumed or left undone, such as `missing_not_determined`, which comes first. Empty until the import has ended.",
      }),
    } satisfies FieldsOf<SourceRun>),
    { description: "The last runs, newest first." },
  ),
  ...timestamps,
} satisfies FieldsOf<Source>);

const LIST = "sources";
const params = Type.Object({ id: recordId("source") });

/** The routes of sources. */
export const sourceRoutes = (sources: Sources, cursors: ListCursors): Route[] => [
  route({
    operation: "source.list",
    name: "listImportSources",
    method: "GET",
    path: "/api/import-sources",
    summary: "List import sources",
    description: "Newest first. A key that is bound to a dealer sees only that dealer's sources.",
    query: SourceListQuery,
    answer: {
      status: 200,
      schema: Type.Object(
        {
          data: Type.Array(SourceAnswer),
          meta: cursorMeta,
        },
        { title: "ImportSourcePage" },
      ),
      description: "A page of sources",
    },
    traits: ["list"],
    errors: [],
    handle: cursorList({
      cursors,
      list: LIST,
      page: ({ principal, query }, after) => sources.list(principal, query, after),
    }),
  }),
  route({
    operation: "source.create",
    name: "createImportSource",
    method: "POST",
    path: "/api/import-sources",
    summary: "Create an import source",
    description:
      "A file that is fetched on a schedule and imported. The imports are made in the name of the caller who changed the source last. Credentials are stored encrypted and never answered.",
    body: {
      name: "NewImportSource",
      schema: NewSource,
      readOnly: SOURCE_READ_ONLY,
      example: {
        name: "Nightly file of the DMS",
        dealer_id: 1,
        url: "https://files.example.com/lot.csv",
        schedule: "30 2 * * *",
        timezone: "America/Los_Angeles",
        auth: { type: "basic", user: "harbor", password: "a long password" },
        options: { mode: "snapshot", columns: { "Lot price": "price" } },
      },
    },
    answer: { status: 201, schema: SourceAnswer, description: "The source" },
    errors: ["invalid_input", "target_refused", "photos_off"],
    answers: "created",
    of: ({ principal, body }) => sources.create(principal, body),
  }),
  route({
    operation: "source.read",
    name: "getImportSource",
    method: "GET",
    path: "/api/import-sources/:id",
    summary: "Read an import source",
    description: "Includes the results of the last runs.",
    params,
    answer: { status: 200, schema: SourceAnswer, description: "The source" },
    errors: ["not_found"],
    answers: "record",
    of: ({ principal, params }) => sources.get(principal, params.id),
  }),
  route({
    operation: "source.update",
    name: "updateImportSource",
    method: "PUT",
    path: "/api/import-sources/:id",
    summary: "Change an import source",
    description:
      "Changes only the fields that are sent. From then on, imports are made in the name of the caller. If the host of the address changes, `auth` must be sent again.",
    params,
    body: {
      name: "ImportSourceChanges",
      schema: SourceChanges,
      readOnly: [...SOURCE_READ_ONLY, "dealer_id"],
      example: { schedule: "0 */6 * * *" },
    },
    answer: { status: 200, schema: SourceAnswer, description: "The updated source" },
    errors: ["invalid_input", "target_refused", "photos_off", "not_found", "exceeds_your_rights"],
    answers: "record",
    of: ({ principal, params, body }) => sources.update(principal, params.id, body),
  }),
  route({
    operation: "source.run",
    name: "runImportSource",
    method: "POST",
    path: "/api/import-sources/:id/run",
    summary: "Fetch an import source now",
    description:
      "The file is fetched in the background, even if the source is not active. Afterwards, the result is the first of `runs`.",
    params,
    answer: { status: 202, schema: SourceAnswer, description: "The source, which will be fetched soon" },
    traits: ["progress"],
    errors: ["not_found", "exceeds_your_rights"],
    answers: "accepted",
    of: ({ principal, params }) => sources.run(principal, params.id),
  }),
  route({
    operation: "source.delete",
    name: "deleteImportSource",
    method: "DELETE",
    path: "/api/import-sources/:id",
    summary: "Delete an import source",
    description: "Imports of its files stay.",
    params,
    answer: { status: 200, schema: DoneAnswer, description: "Deleted" },
    errors: ["not_found"],
    answers: "done",
    of: ({ principal, params }) => sources.remove(principal, params.id),
    says: ({ id }) => `Source ${id} taken away`,
  }),
];
