/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
type Fields = { readonly [name: string]: Json };

/** Parts of a schema that are only for the service. `documented` contains the parts that are only for readers. */
const INTERNAL = new Set(["fault", "documented", "title", "isFolded", "isCommaList", "needs", "notBeside"]);

/** The parts of a schema that are not schemas themselves. */
interface SchemaParts {
  readonly title?: unknown;
  readonly documented?: object;
  readonly properties?: object;
  readonly patternProperties?: Readonly<Record<string, unknown>>;
  readonly items?: unknown;
  readonly additionalProperties?: unknown;
  readonly anyOf?: readonly unknown[];
}

/** Converts the schemas that validate into schemas of a document, and collects those with names as its records. */
export interface SchemaPublisher {
  /** The schema for readers. If it has a title, it becomes a reference to the record of that name. */
  publish(schema: object): Fields;
  /** The schema itself, with or without a title. */
  define(schema: object): Fields;
  /** Adds a record under a name and returns a reference to it. */
  name(name: string, record: () => Fields): Fields;
  /** All records so far, by name. */
  readonly records: Fields;
}

const isNull = (schema: Fields): boolean => schema.type === "null";

/** A schema that accepts `null` as well. */
const nullable = (schema: Fields): Fields => {
  const { type, enum: words } = schema;
  if (typeof type !== "string") return { anyOf: [schema, { type: "null" }] };
  return { ...schema, type: [type, "null"], ...(Array.isArray(words) && { enum: [...words, null] }) };
};

const anyOfSchema = (choices: readonly Fields[]): Fields => {
  const [first = {}, second] = choices;
  if (second === undefined) return first;
  return choices.length === 2 && isNull(second) ? nullable(first) : { anyOf: choices };
};

/**
 * A field of a record. Its default is part of the description, because generated types would require a field with
 * `default`.
 */
const fieldOf = ({ default: defaultValue, description, ...schema }: Fields): Fields => {
  const words = [description, defaultValue === undefined ? undefined : `Default: ${defaultValue}.`]
    .filter(Boolean)
    .join(" ");
  return { ...schema, ...(words !== "" && { description: words }) };
};

/** Makes the publisher for one document. */
export const schemaPublisher = (): SchemaPublisher => {
  const records: Record<string, Fields> = {};

  const define = (schema: object): Fields => {
    const { documented, properties, patternProperties, items, additionalProperties, anyOf }: SchemaParts = schema;
    const plain = Object.entries(schema).filter(([key]) => !key.startsWith("~") && !INTERNAL.has(key));
    const [pattern] = Object.values(patternProperties ?? {});
    const { anyOf: _, patternProperties: __, ...own } = Object.fromEntries(plain) as Record<string, Json>;
    return {
      ...(anyOf !== undefined && anyOfSchema(anyOf.map((choice) => publish(choice as object)))),
      ...own,
      ...(properties !== undefined && {
        properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, fieldOf(publish(one))])),
      }),
      ...(typeof items === "object" && items !== null && { items: publish(items) }),
      ...(typeof additionalProperties === "object" && {
        additionalProperties: publish(additionalProperties as object),
      }),
      ...(pattern !== undefined && { additionalProperties: publish(pattern as object) }),
      ...documented,
    };
  };

  const publish = (schema: object): Fields => {
    const { title }: SchemaParts = schema;
    return typeof title === "string" ? name(title, () => define(schema)) : define(schema);
  };

  const name = (title: string, record: () => Fields): Fields => {
    records[title] ??= record();
    return { $ref: `#/components/schemas/${title}` };
  };

  return { publish, define, name, records };
};
