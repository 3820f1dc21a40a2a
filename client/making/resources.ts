import { camel, capital, nameOf, type Operation, optionsType, type Schema } from "./document.ts";
import { BY_HAND } from "./names.ts";

const SCALARS: Readonly<Record<string, string>> = { integer: "number", number: "number", string: "string" };

/** The type of a path's parameter. */
const scalarOf = ({ type, enum: words }: Schema): string =>
  Array.isArray(words) ? words.map((word) => JSON.stringify(word)).join(" | ") : (SCALARS[String(type)] ?? "string");

/** The type of an answer or a body: a record, or a list of records. */
const typeOf = (schema: Schema): string => (schema.items === undefined ? nameOf(schema) : `${nameOf(schema.items)}[]`);

/** Of a page of a list: the type of its items, and the property that has them (`null`: the page is the array). */
const itemsOf = (answer: Schema, schemas: Readonly<Record<string, Schema>>) => {
  if (answer.items !== undefined) return { type: nameOf(answer.items), property: null };
  const arrays = Object.entries(schemas[nameOf(answer)]?.properties ?? {}).filter(
    ([, { items }]) => items !== undefined,
  );
  const [property, { items }] = arrays[0] ?? ["", {}];
  if (arrays.length !== 1 || items === undefined) throw new Error(`which list of ${nameOf(answer)} has its items?`);
  return { type: nameOf(items), property };
};

/** The first argument: the id, or all that the path names as one object. */
const placeOf = ({ pathParameters }: Operation): string | null => {
  const [only, ...others] = pathParameters;
  if (only === undefined) return null;
  if (others.length === 0) return `${camel(only.name)}: ${scalarOf(only.schema)}`;
  const fields = pathParameters.map(({ name, schema }) => `readonly ${camel(name)}: ${scalarOf(schema)}`);
  return `place: { ${fields.join("; ")} }`;
};

const targetOf = ({ path, pathParameters }: Operation): string => {
  const owner = pathParameters.length > 1 ? "place." : "";
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `\${encodeURIComponent(${owner}${camel(name)})}`);
  return filled === path ? `"${path}"` : `\`${filled}\``;
};

const callOptions = ({ isChange, hasVersion }: Operation): string =>
  isChange ? (hasVersion ? "VersionedOptions" : "ChangeOptions") : "CallOptions";

const inputOf = (operation: Operation): string | null => {
  const { body, query } = operation;
  if (body !== null) return body.required ? `body: ${typeOf(body.schema)}` : `body: ${typeOf(body.schema)} = {}`;
  if (query.length === 0) return null;
  return query.some(({ required }) => required)
    ? `query: ${optionsType(operation)}`
    : `query: ${optionsType(operation)} = {}`;
};

/** The arguments of a method, as a person reads them. */
export const argumentsOf = (operation: Operation): string[] =>
  [placeOf(operation), inputOf(operation), `options?: ${callOptions(operation)}`].filter((one) => one !== null);

/** The type that a method returns. */
export const returnedBy = (operation: Operation, schemas: Readonly<Record<string, Schema>>): string => {
  const { answer, isList } = operation;
  if (answer === null) return "Call<Response>";
  return isList ? `List<${itemsOf(answer, schemas).type}, ${typeOf(answer)}>` : `Call<${typeOf(answer)}>`;
};

const methodOf = (operation: Operation, schemas: Readonly<Record<string, Schema>>): string => {
  const { answer, isList, body, query, method } = operation;
  const sent = [
    `method: "${method}"`,
    `path: ${targetOf(operation)}`,
    ...(body === null && query.length > 0 ? ["query"] : []),
    ...(body === null ? [] : ["body"]),
  ];
  const how = isList && answer !== null ? "list" : answer === null ? "file" : "send";
  const property = isList && answer !== null ? itemsOf(answer, schemas).property : null;
  const items = how === "list" ? `, items: ${property === null ? "null" : `"${property}"`}` : "";
  return `  /** ${operation.summary}. ${operation.description.replaceAll("*/", "* /")} */
  ${operation.name}(${argumentsOf(operation).join(", ")}): ${returnedBy(operation, schemas)} {
    return this.requests.${how}({ ${sent.join(", ")}${items} }, options);
  }`;
};

/** The operations by resource, in the order of the document. */
export const byResource = (operations: readonly Operation[]): ReadonlyMap<string, readonly Operation[]> =>
  Map.groupBy(operations, ({ resource }) => resource);

/** The class of each resource, as `made/resources.ts`. */
export const resourcesOf = (operations: readonly Operation[], schemas: Readonly<Record<string, Schema>>): string => {
  const classes = [...byResource(operations.filter(({ id }) => !BY_HAND.includes(id)))].map(
    ([resource, ones]) => `/** The operations on \`${resource}\`. */
export class ${capital(resource)}Operations {
  constructor(protected readonly requests: Requests) {}

${ones.map((one) => methodOf(one, schemas)).join("\n\n")}
}`,
  );
  const code = classes.join("\n\n");
  const used = (names: readonly string[]) => names.filter((name) => new RegExp(`\\b${name}\\b`).test(code)).sort();
  const records = [...Object.keys(schemas), ...operations.map(optionsType)];
  return `import type { Call } from "../call.ts";
import type { List } from "../list.ts";
import type { CallOptions, ChangeOptions, VersionedOptions } from "../options.ts";
import type { Requests } from "../requests.ts";
import type {
${used(records)
  .map((name) => `  ${name},\n`)
  .join("")}} from "./records.ts";

${code}
`;
};
