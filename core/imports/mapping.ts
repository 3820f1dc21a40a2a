import Type from "typebox";
import type { Timestamp } from "../clock.ts";
import { type Input, id, integer, oneOf, requiredText, text } from "../schema.ts";
import { validator } from "../validation.ts";
import { FILE_LIMITS } from "./file/file.ts";
import type { OwnColumns } from "./headings/columns.ts";
import { IMPORT_FIELDS } from "./headings/headings.ts";
import { TAUGHT_FIELDS } from "./values/known-values.ts";
import { MAX_VALUES, type OwnValues, VALUE_LIMITS } from "./values/own-values.ts";

/** A mapping as it is answered: a named list of what the columns of a dealer's files contain. */
export interface Mapping {
  readonly id: number;
  readonly dealer_id: number;
  readonly name: string;
  /** The field of each heading; `null` for a column that is not read. */
  readonly columns: OwnColumns;
  /** What words of the files mean, by field. */
  readonly values: OwnValues;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
}

const MAX_CHARACTERS = 20_000;

const name = requiredText(100, { description: "The name of the mapping.", examples: ["Nightly file"] });
const columns = Type.Unsafe<OwnColumns>(
  Type.Refine(
    Type.Record(Type.String(), Type.Union([oneOf(IMPORT_FIELDS), Type.Null()]), {
      maxProperties: FILE_LIMITS.columns,
      fault: `must be an object of up to ${FILE_LIMITS.columns} headings, each with null, images or a field of vehicles`,
      description: "The field for each heading, as in the option `columns` of an import.",
      examples: [{ "Their price": "price", Notes: null }],
    }),
    (value) => JSON.stringify(value).length <= MAX_CHARACTERS,
  ),
);

const values = Type.Unsafe<OwnValues>(
  Type.Record(Type.String(), Type.Record(Type.String(), Type.String()), {
    fault: "must be an object of fields, each with words of the file and the values that they mean",
    description: `What words of the files mean, by field: ${TAUGHT_FIELDS.map((field) => `\`${field}\``).join(", ")}. Each field has up to ${VALUE_LIMITS.words} words of up to ${VALUE_LIMITS.length} characters, without regard to case, accents, blanks and signs; \`status\` must mean one of its values. All of them have at most ${MAX_VALUES} characters as JSON.`,
    examples: [{ fuel_type: { Benzin: "Gasoline" }, exterior_color: { Rot: "Red" } }],
  }),
);

/** Body of POST /api/import-mappings. `dealer_id` is required from unbound callers, and replaced for bound ones. */
export const NewMapping = Type.Object({
  name,
  dealer_id: Type.Optional(
    id({
      description: "The dealer whose files the mapping is for. For a bound key, it is replaced by the key's dealer.",
    }),
  ),
  columns,
  values: Type.Optional(values),
});

/** Body of PUT /api/import-mappings/:id. */
export const MappingChanges = Type.Object({
  name: Type.Optional(name),
  columns: Type.Optional(columns),
  values: Type.Optional(values),
});
export type MappingChanges = Input<typeof MappingChanges>;

/** Fields that the service sets. In request bodies they are ignored. */
export const NEW_MAPPING_READ_ONLY = ["id", "created_at", "updated_at"] as const;
/** Fields that are ignored in changes. The dealer of a mapping cannot change, either. */
export const MAPPING_READ_ONLY = [...NEW_MAPPING_READ_ONLY, "dealer_id"] as const;

export const newMapping = validator(NewMapping, NEW_MAPPING_READ_ONLY);
export const mappingChanges = validator(MappingChanges, MAPPING_READ_ONLY);

/** A mapping after a change of the fields that were sent. Its dealer stays. */
export const mappingChanged = (present: Mapping, changes: MappingChanges, now: Timestamp): Mapping => ({
  ...present,
  ...changes,
  updated_at: now,
});

/** Query of GET /api/import-mappings. */
export const MappingListQuery = Type.Object({
  dealer_id: Type.Optional(
    id({ description: "Only mappings of this dealer. For a bound key, it is replaced by the key's dealer." }),
  ),
  limit: Type.Optional(integer(1, 1000, { description: "Maximum number of results.", default: 100 })),
  cursor: Type.Optional(text(1, 500, { description: "`meta.next_cursor` of the previous page." })),
});
export type MappingListQuery = Input<typeof MappingListQuery>;
