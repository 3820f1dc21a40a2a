import Type from "typebox";
import { Failure } from "../../../core/failure.ts";
import {
  type Correction,
  type Corrections,
  CorrectionsQuery,
  FILE_SOURCES,
} from "../../../core/imports/corrections.ts";
import { id, oneOf } from "../../../core/schema.ts";
import { OWNED_FIELDS } from "../../../core/settings/field-owners.ts";
import { cursorPage } from "../protocol/cursor-page.ts";
import type { ListCursors } from "../protocol/list-cursors.ts";
import { done, type Route, route } from "../protocol/route.ts";
import { cursorMeta, DoneAnswer, dateTime, type FieldsOf, nullable, recordId, recordSchema } from "./answers.ts";

const CorrectionAnswer = recordSchema("Correction", {
  field: Type.String(),
  file: Type.Unknown({ description: "What the last file says." }),
  ours: Type.Unknown({ description: "What the vehicle has." }),
  source: Type.Object(
    {
      type: oneOf(FILE_SOURCES, {
        description: "An import source, uploads with a mapping, or all other uploads of the dealer.",
      }),
      id: nullable(id({ description: "The id of the source or the mapping." })),
      name: nullable(Type.String()),
    },
    { title: "CorrectedSource", additionalProperties: false },
  ),
  at: dateTime,
} satisfies FieldsOf<Correction>);

const CorrectionsAnswer = Type.Object(
  { data: Type.Array(CorrectionAnswer), meta: cursorMeta },
  { title: "Corrections", additionalProperties: false },
);

/** Routes of what people corrected against files (interface 6.1). */
export const correctionRoutes = (corrections: Corrections, cursors: ListCursors): Route[] => [
  route({
    operation: "vehicle.corrections",
    name: "listCorrections",
    method: "GET",
    path: "/api/vehicles/:id/corrections",
    summary: "List the corrections of a vehicle",
    description:
      "The values of the vehicle that are not those of the last file that named it. Imports leave them as long as the file does not change them; then the owner of the field decides.",
    params: Type.Object({ id: recordId("vehicle") }),
    query: CorrectionsQuery,
    answer: {
      status: 200,
      schema: CorrectionsAnswer,
      description: "A page of corrections, in the order of the fields",
    },
    traits: ["list"],
    errors: ["not_found", "not_your_dealer"],
    async handle({ principal, params, query, search, url }) {
      const read = { principal, list: `corrections of ${params.id}`, search };
      const from = cursors.positionOf(read, query.cursor);
      if (from instanceof Failure) return from;
      const page = await corrections.list(principal, { ...query, id: params.id }, from && String(from.value));
      if (page instanceof Failure) return page;
      const { items, total, last } = page;
      const cursor = last === null ? null : cursors.after(read, { value: last, id: 1 });
      return cursorPage({ url, search, query }, { items, total, cursor });
    },
  }),
  route({
    operation: "vehicle.take-file",
    name: "removeCorrection",
    method: "DELETE",
    path: "/api/vehicles/:id/corrections/:field",
    summary: "Take the file's value of a field",
    description:
      "Gives the vehicle the value of the last file. From then on, imports change the field again. If the vehicle has that value, nothing is changed.",
    params: Type.Object({
      id: recordId("vehicle"),
      field: oneOf(OWNED_FIELDS, { description: "The field.", examples: ["price"] }),
    }),
    answer: { status: 200, schema: DoneAnswer, description: "The vehicle has the value of the file" },
    errors: ["not_found", "not_your_dealer"],
    async handle({ principal, params }) {
      const taken = await corrections.takeFile(principal, params.id, params.field);
      if (taken instanceof Failure) return taken;
      return done(
        taken
          ? `Vehicle ${params.id} has the file's value of ${params.field}`
          : `Vehicle ${params.id} has no correction of ${params.field}`,
      );
    },
  }),
];
