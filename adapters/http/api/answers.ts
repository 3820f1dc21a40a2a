import Type, { type TObject, type TProperties, type TSchema } from "typebox";
import { NAME_FIELDS_OF_IDS } from "../../../core/names/names.ts";
import { id } from "../../../core/schema.ts";

/** A date and time, as the service writes them. */
export const dateTime = Type.String({ format: "date-time", examples: ["2026-11-20T09:11:00.000Z"] });

/** A number of things. */
export const count = Type.Integer({ minimum: 0 });

/** A flag of a record: 0 or 1. */
export const bit = Type.Unsafe<0 | 1>({ type: "integer", enum: [0, 1] });

/** The same schema, but `null` is accepted, too. */
export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** The times when a record was created and last changed. */
export const timestamps = { created_at: dateTime, updated_at: dateTime };

/** The fields of a request body in the form of an answer, where all of them are always there. */
export const answerFields = <Name extends string>(input: TObject<Record<Name, TSchema>>) =>
  Object.fromEntries(
    Object.entries<TSchema>(input.properties).map(([name, schema]): [string, TSchema] => [name, Type.Union([schema])]),
  ) as Record<Name, TSchema>;

/** The schemas of a record's fields. If a field is missing, it does not compile. */
export type FieldsOf<Answered> = { readonly [Name in keyof Required<Answered>]: TSchema };

/** The schema of a record, with its name in the OpenAPI document. */
export const recordSchema = <Fields extends TProperties>(title: string, properties: Fields): TObject<Fields> =>
  Type.Object(properties, { title, additionalProperties: false });

/** The name fields that `include=names` adds for these ids. */
export const includedNames = (...fields: readonly (keyof typeof NAME_FIELDS_OF_IDS)[]) =>
  Object.fromEntries(
    fields.map((field) => [
      NAME_FIELDS_OF_IDS[field].field,
      Type.Optional(
        nullable(
          Type.String({ description: `With \`include=names\`: the name of the record that \`${field}\` refers to.` }),
        ),
      ),
    ]),
  );

/** The `meta` of a page of a list that is read with cursors. */
export const cursorMeta = Type.Object(
  { next_cursor: nullable(Type.String()), total: count },
  { title: "CursorMeta", additionalProperties: false },
);

/** The answer to an action that has no record to show. */
export const DoneAnswer = recordSchema("Done", { success: Type.Literal(true), message: Type.String() });

/** The id of a change that can be reverted. */
export const CHANGE_ID = Type.String({
  description: "The change, to be reverted with POST /api/recent-changes/:id/revert. `null` if nothing was changed.",
});

/** What a repeated request is answered in place of a secret. */
export const shownBefore = {
  secret_shown_before: Type.Optional(
    Type.Literal(true, {
      description: "The request was sent before: its first answer had the secret, which is `null` here.",
    }),
  ),
};

/** The path parameter with the number of a record. */
export const recordId = (record: string, example = 1) =>
  id({ description: `The id of the ${record}.`, examples: [example] });

/** The headers of a download with this media type and file name. */
export const fileHeaders = (type: string, name: string) => ({
  "content-type": `${type}; charset=utf-8`,
  "content-disposition": `attachment; filename="${name}"`,
});
