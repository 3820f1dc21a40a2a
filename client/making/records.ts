import { camel, type Document, type Operation, optionsType, type Schema } from "./document.ts";

/** What says nothing about the type, and what is only for a page that shows the document. */
const LEFT_OUT = new Set(["examples", "example", "format", "minLength", "maxLength", "minimum", "maximum", "title"]);

/** A schema without what its type does not need. The properties of an object may have any name. */
const trimmed = (value: unknown, isNames = false): unknown => {
  if (Array.isArray(value)) return value.map((one) => trimmed(one));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isNames || !LEFT_OUT.has(name))
      .map(([name, one]) => [name, trimmed(one, !isNames && name === "properties")]),
  );
};

/** A list in a query may also be one value. */
const queryValue = (schema: Schema): Schema =>
  schema.type === "array" && schema.items !== undefined ? { anyOf: [schema.items, schema] } : schema;

/** The object with the parameters of an operation's query, in the client's spelling. */
const optionsOf = ({ query }: Operation): Schema => ({
  type: "object",
  properties: Object.fromEntries(
    query.map(({ name, description, schema }) => [
      camel(name),
      { ...queryValue(schema), ...(description !== undefined && { description }) },
    ]),
  ),
  required: query.filter(({ required }) => required).map(({ name }) => camel(name)),
  additionalProperties: false,
});

/** Types of what the queries of several operations share. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  VehicleListFilters: ["listVehicles", "exportVehicles", "countVehiclesByFacets", "listDealerVehicles"],
};

/** The options of all operations, by the name of their type. What several share is a type of its own. */
const optionsOfAll = (operations: readonly Operation[]): Readonly<Record<string, Schema>> => {
  const asked = operations.filter(({ query }) => query.length > 0);
  const options: Record<string, Schema> = Object.fromEntries(asked.map((one) => [optionsType(one), optionsOf(one)]));
  for (const [name, ids] of Object.entries(SHARED)) {
    const types = asked.filter(({ id }) => ids.includes(id)).map(optionsType);
    const [first = {}, ...others] = types.map((type) => options[type]?.properties ?? {});
    const isShared = (key: string): boolean => others.every((one) => Bun.deepEquals(one[key], first[key]));
    const shared = Object.entries(first).filter(([key]) => isShared(key));
    const without = Object.fromEntries(shared.map(([key]) => [key, undefined]));
    options[name] = { type: "object", properties: Object.fromEntries(shared), additionalProperties: false };
    for (const type of types) {
      const own = JSON.parse(JSON.stringify({ ...options[type]?.properties, ...without }));
      options[type] = { allOf: [{ $ref: `#/components/schemas/${name}` }, { ...options[type], properties: own }] };
    }
  }
  return options;
};

const UNUSED = new Set(["Error", "Alive", "Ready"]);

/** The schemas of all records, bodies and options, which the types are made from. */
export const recordSchemas = (document: Document, operations: readonly Operation[]): object => {
  const records = Object.entries(document.components.schemas).filter(([name]) => !UNUSED.has(name));
  return Object.fromEntries(
    [...records, ...Object.entries(optionsOfAll(operations))].map(([name, schema]) => [name, trimmed(schema)]),
  );
};

const hash = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("base64url");

/** What stands in the file of the types, so that a check need not make it anew: what it was made from, and its text. */
export const seal = (schemas: object, types: string): string =>
  `// From ${hash(JSON.stringify(schemas))}: ${hash(types)}.\n`;

/** The types say which values there are: the same again in a comment goes, and one sentence takes one line. */
const briefComments = (text: string): string =>
  text
    .replaceAll(/^ *(?:\/\*\* @enum \{[^}]*\} \*\/|\* @enum \{[^}]*\})\n/gm, "")
    .replaceAll(/\/\*\*\n *\* (@.*)\n *\*\//g, "/** $1 */");

/** The types of these schemas. */
export const typesOf = async (schemas: object): Promise<string> => {
  // It loads a compiler, which a check does without.
  const { default: openapiTS, astToString } = await import("openapi-typescript");
  const made = await openapiTS(
    { openapi: "3.1.0", info: { title: "", version: "" }, paths: {}, components: { schemas } } as never,
    { rootTypes: true, rootTypesNoSchemaPrefix: true, defaultNonNullable: false },
  );
  const text = astToString(made);
  const isWanted = (line: string): boolean =>
    !/^ {4}(?:responses|parameters|requestBodies|headers|pathItems): never;$/.test(line);
  return briefComments(text.slice(text.indexOf("export interface components")))
    .replace(/^export type (?:\$defs|operations) .*$/gm, "")
    .split("\n")
    .filter(isWanted)
    .join("\n")
    .trimEnd()
    .concat("\n");
};
