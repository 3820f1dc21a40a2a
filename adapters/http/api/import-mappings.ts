import Type from "typebox";
import {
  MAPPING_READ_ONLY,
  type Mapping,
  MappingChanges,
  MappingListQuery,
  NEW_MAPPING_READ_ONLY,
  NewMapping,
} from "../../../core/imports/mapping.ts";
import type { Mappings } from "../../../core/imports/mappings.ts";
import { id } from "../../../core/schema.ts";
import { cursorList } from "../protocol/cursor-page.ts";
import type { ListCursors } from "../protocol/list-cursors.ts";
import { type Route, route } from "../protocol/route.ts";
import { count, DoneAnswer, dateTime, type FieldsOf, nullable, recordId, recordSchema } from "./answers.ts";

const MappingAnswer = recordSchema("ImportMapping", {
  id: id(),
  dealer_id: id(),
  name: Type.String(),
  columns: Type.Record(Type.String(), nullable(Type.String()), {
    description: "The field for each heading, or `null` for a column that is not read.",
  }),
  values: Type.Record(Type.String(), Type.Record(Type.String(), Type.String()), {
    description: "What words of the files mean, by field.",
  }),
  created_at: dateTime,
  updated_at: dateTime,
} satisfies FieldsOf<Mapping>);

const LIST = "import-mappings";
const params = Type.Object({ id: recordId("mapping") });
const EXAMPLE = {
  name: "Nightly file",
  dealer_id: 1,
  columns: { "Their price": "price", Notes: null },
  values: { fuel_type: { Benzin: "Gasoline" } },
};

/** The routes of mappings (interface 6.9). */
export const mappingRoutes = (mappings: Mappings, cursors: ListCursors): Route[] => [
  route({
    operation: "mapping.create",
    name: "createImportMapping",
    method: "POST",
    path: "/api/import-mappings",
    summary: "Create a mapping of columns",
    description:
      "A named mapping for the files of one dealer: what their columns contain, and what their words mean. An import uses it with the option `mapping`.",
    body: { name: "NewImportMapping", schema: NewMapping, readOnly: NEW_MAPPING_READ_ONLY, example: EXAMPLE },
    answer: { status: 201, schema: MappingAnswer, description: "The mapping" },
    errors: [],
    answers: "created",
    of: ({ principal, body }) => mappings.create(principal, body),
  }),
  route({
    operation: "mapping.list",
    name: "listImportMappings",
    method: "GET",
    path: "/api/import-mappings",
    summary: "List mappings",
    description: "Newest first. A key that is bound to a dealer sees only that dealer's mappings.",
    query: MappingListQuery,
    answer: {
      status: 200,
      schema: Type.Object(
        {
          data: Type.Array(MappingAnswer),
          meta: Type.Object({ next_cursor: nullable(Type.String()), total: count }),
        },
        { title: "ImportMappingPage" },
      ),
      description: "A page of mappings",
    },
    traits: ["list"],
    errors: [],
    handle: cursorList({
      cursors,
      list: LIST,
      page: ({ principal, query }, after) => mappings.list(principal, query, after),
    }),
  }),
  route({
    operation: "mapping.read",
    name: "getImportMapping",
    method: "GET",
    path: "/api/import-mappings/:id",
    summary: "Read a mapping",
    params,
    answer: { status: 200, schema: MappingAnswer, description: "The mapping" },
    errors: ["not_found"],
    answers: "record",
    of: ({ principal, params }) => mappings.get(principal, params.id),
  }),
  route({
    operation: "mapping.update",
    name: "updateImportMapping",
    method: "PUT",
    path: "/api/import-mappings/:id",
    summary: "Change a mapping",
    description: "Fields that are not sent stay unchanged. `columns` and `values` are each replaced as a whole.",
    params,
    body: {
      name: "ImportMappingChanges",
      schema: MappingChanges,
      readOnly: MAPPING_READ_ONLY,
      example: { columns: { "Their price": "price", Notes: "description" } },
    },
    answer: { status: 200, schema: MappingAnswer, description: "The updated mapping" },
    errors: ["not_found"],
    answers: "record",
    of: ({ principal, params, body }) => mappings.update(principal, params.id, body),
  }),
  route({
    operation: "mapping.delete",
    name: "deleteImportMapping",
    method: "DELETE",
    path: "/api/import-mappings/:id",
    summary: "Delete a mapping",
    description: "Imports that used the mapping stay unchanged.",
    params,
    answer: { status: 200, schema: DoneAnswer, description: "Deleted" },
    errors: ["not_found"],
    answers: "done",
    of: ({ principal, params }) => mappings.remove(principal, params.id),
    says: ({ id }) => `Mapping ${id} deleted`,
  }),
];
