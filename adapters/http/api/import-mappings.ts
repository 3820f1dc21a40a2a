import Type from "typebox";
import { Failure } from "../../../core/failure.ts";
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
import { cursorPage } from "../protocol/cursor-page.ts";
import type { ListCursors } from "../protocol/list-cursors.ts";
import { created, done, ok, type Route, route } from "../protocol/route.ts";
import { count, DoneAnswer, dateTime, type FieldsOf, nullable, recordId, recordSchema } from "./answers.ts";

const MappingAnswer = recordSchema("ImportMapping", {
  id: id(),
  dealer_id: id(),
  name: Type.String(),
  columns: Type.Record(Type.String(), nullable(Type.String()), {
    description: "The field for each heading, or `null` for a column that is not read.",
  }),
  created_at: dateTime,
  updated_at: dateTime,
} satisfies FieldsOf<Mapping>);

const LIST = "import-mappings";
const params = Type.Object({ id: recordId("mapping") });
const EXAMPLE = { name: "Nightly file", dealer_id: 1, columns: { "Their price": "price", Notes: null } };

/** The routes of mappings (interface 6.9). */
export const mappingRoutes = (mappings: Mappings, cursors: ListCursors): Route[] => [
  route({
    operation: "mapping.create",
    name: "createImportMapping",
    method: "POST",
    path: "/api/import-mappings",
    summary: "Create a mapping of columns",
    description: "A named mapping for the files of one dealer. An import uses it with the option `mapping`.",
    body: { name: "NewImportMapping", schema: NewMapping, readOnly: NEW_MAPPING_READ_ONLY, example: EXAMPLE },
    answer: { status: 201, schema: MappingAnswer, description: "The mapping" },
    errors: [],
    async handle({ principal, body }) {
      const made = await mappings.create(principal, body);
      return made instanceof Failure ? made : created(made, `/api/import-mappings/${made.id}`);
    },
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
    async handle({ principal, query, search, url }) {
      const read = { principal, list: LIST, search };
      const from = cursors.positionOf(read, query.cursor);
      if (from instanceof Failure) return from;
      const page = await mappings.list(principal, query, from && { id: from.id, at: String(from.value) });
      if (page instanceof Failure) return page;
      const { items, total, next } = page;
      const cursor = next && cursors.after(read, { id: next.id, value: next.at });
      return cursorPage({ url, search, query }, { items, total, cursor });
    },
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
    async handle({ principal, params }) {
      const found = await mappings.get(principal, params.id);
      return found instanceof Failure ? found : ok(found);
    },
  }),
  route({
    operation: "mapping.update",
    name: "updateImportMapping",
    method: "PUT",
    path: "/api/import-mappings/:id",
    summary: "Change a mapping",
    description: "Fields that are not sent stay unchanged. `columns` is replaced as a whole.",
    params,
    body: {
      name: "ImportMappingChanges",
      schema: MappingChanges,
      readOnly: MAPPING_READ_ONLY,
      example: { columns: { "Their price": "price", Notes: "description" } },
    },
    answer: { status: 200, schema: MappingAnswer, description: "The updated mapping" },
    errors: ["not_found"],
    async handle({ principal, params, body }) {
      const changed = await mappings.update(principal, params.id, body);
      return changed instanceof Failure ? changed : ok(changed);
    },
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
    async handle({ principal, params }) {
      const removed = await mappings.remove(principal, params.id);
      return removed instanceof Failure ? removed : done(`Mapping ${params.id} deleted`);
    },
  }),
];
