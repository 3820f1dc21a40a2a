import { Compile } from "typebox/schema";
import type { Reply } from "./reply.ts";

type Json = Readonly<Record<string, unknown>>;

interface Header {
  readonly required?: boolean;
}
interface DocumentedResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  /** The schema of the body, by its only media type. */
  readonly content?: Readonly<Record<string, { readonly schema: Json }>>;
}
interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}
interface Components {
  readonly schemas: Json;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Components & { readonly headers: Readonly<Record<string, Header>> };
}

/** The service's documentation, against which its answers are checked. */
export interface Documentation {
  /** Every difference between an answer and its documentation; for errors, also from the common error format. */
  faultsOf(method: string, path: string, reply: Reply): string[];
}

/** Internals of the service and its database that no answer may reveal. */
const INTERNALS = /SQLITE|sqlite3?:|better-sqlite|\bat \S+ \(|node_modules|\.ts:\d|postgres|kysely|Elysia/i;
const ERROR_FIELDS = new Set([
  "needs",
  "has",
  "bound_dealer_id",
  "error",
  "code",
  "timestamp",
  "request_id",
  "details",
  "details_omitted",
]);
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

type Checker = (value: unknown) => string[];

const REFERENCE = /"\$ref":"#\/components\/schemas\/([^"]+)"/g;

/** The schemas that this one refers to, and those that they refer to, by their names. */
const referredTo = (schema: unknown, schemas: Json, found = new Map<string, unknown>()): Map<string, unknown> => {
  for (const [, name = ""] of JSON.stringify(schema).matchAll(REFERENCE))
    if (name in schemas && !found.has(name)) referredTo(schemas[name], schemas, found.set(name, schemas[name]));
  return found;
};

/**
 * Compiles a schema whose references point into the document's components. The compiler gets those that it needs alone:
 * it looks through all that it is given, for each reference.
 */
export const compileOf = ({ schemas }: Components, schema: Json) =>
  Compile({ ...schema, components: { schemas: Object.fromEntries(referredTo(schema, schemas)) } });

const checkerOf = (components: Components, schema: Json): Checker => {
  const compiled = compileOf(components, schema);
  return (value) =>
    compiled.Check(value) ? [] : compiled.Errors(value)[1].map((error) => `${error.instancePath} ${error.message}`);
};

const isRecord = (value: unknown): value is Json => typeof value === "object" && value !== null;

/** The faults of an error answer against the rules for all errors. */
const envelopeFaults = ({ body, headers, text, status }: Reply, isApi: boolean): string[] => {
  if (!isRecord(body)) return ["an error is not a JSON object"];
  const faults: string[] = [];
  for (const name of Object.keys(body)) if (!ERROR_FIELDS.has(name)) faults.push(`unknown field ${name} in an error`);
  if (body.request_id !== headers.get("x-request-id")) faults.push("request_id is not the X-Request-Id");
  if (!TIMESTAMP.test(String(body.timestamp)))
    faults.push("the timestamp of an error is not ISO 8601 with milliseconds");
  if (INTERNALS.test(text)) faults.push("an error reveals internals of the service");
  if (body.code === "invalid_input" && !Array.isArray(body.details)) faults.push("invalid_input without details");
  if (isApi && status === 401 && headers.get("www-authenticate") !== "ApiKey")
    faults.push("401 without WWW-Authenticate");
  if ((status === 429 || status === 503) && !/^[1-9]\d*$/.test(headers.get("retry-after") ?? ""))
    faults.push(`${status} without Retry-After`);
  return faults;
};

/** Headers that an answer may have only where they are documented. */
const DOCUMENTED_HEADERS = [
  "ETag",
  "Link",
  "Location",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "WWW-Authenticate",
  "X-Total-Count",
];

const ERROR = "#/components/schemas/Error";

const headerFaults = (
  { headers: documented = {} }: DocumentedResponse,
  components: Document["components"],
  { headers }: Reply,
): string[] => [
  ...Object.entries(documented)
    .filter(([name, { $ref }]) => components.headers[$ref.split("/").at(-1) ?? ""]?.required && !headers.has(name))
    .map(([name]) => `the documented header ${name} is missing`),
  ...DOCUMENTED_HEADERS.filter((name) => headers.has(name) && !(name in documented)).map(
    (name) => `an undocumented header ${name}`,
  ),
];

const known = new Map<string, Documentation>();

/** Parses an OpenAPI document; caches the result. */
export const documentationOf = (text: string): Documentation => {
  const documentation = known.get(text) ?? readDocumentation(text);
  known.set(text, documentation);
  return documentation;
};

const readDocumentation = (text: string): Documentation => {
  // Of all formats only times are checked: an address may contain characters that its standard escapes.
  const { paths, components }: Document = JSON.parse(text, (name, value) =>
    name === "format" && value !== "date-time" ? undefined : value,
  );
  const isApi = !Object.keys(paths).some((path) => path.startsWith("/portal/"));
  const errors = checkerOf(components, { $ref: ERROR });
  const checkers = new Map<DocumentedResponse, Checker>();
  // A path without parameters goes before those with some, as the router has it.
  const byParameters = Object.entries(paths).toSorted(
    ([one], [other]) => Number(one.includes("{")) - Number(other.includes("{")),
  );
  const routes = byParameters.map(([path, operations]) => ({
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
    operations,
  }));

  const operationOf = (method: string, path: string): Operation | undefined => {
    const bare = path.split("?")[0] ?? "";
    return routes.find(({ pattern }) => pattern.test(bare))?.operations[
      method === "HEAD" ? "get" : method.toLowerCase()
    ];
  };

  // Many operations answer with the same.
  const ofEqualSchemas = new Map([[JSON.stringify({ $ref: ERROR }), errors]]);
  const checkerFor = (response: DocumentedResponse, schema: Json): Checker => {
    const known = checkers.get(response);
    if (known !== undefined) return known;
    const text = JSON.stringify(schema);
    const checker = ofEqualSchemas.get(text) ?? checkerOf(components, schema);
    ofEqualSchemas.set(text, checker);
    checkers.set(response, checker);
    return checker;
  };

  const bodyFaults = (method: string, response: DocumentedResponse, { body, text, headers }: Reply): string[] => {
    const contents = Object.entries(response.content ?? {});
    if (method === "HEAD" || contents.length === 0) return text === "" ? [] : ["an undocumented body"];
    const sent = headers.get("content-type")?.split(";")[0];
    const content = contents.find(([type]) => type === sent);
    if (content === undefined) return [`Content-Type is not ${contents.map(([type]) => type).join(" or ")}`];
    const [type, { schema }] = content;
    const faults = checkerFor(response, schema)(type === "application/json" ? body : text);
    return faults.map((fault) => `the body is not as documented: ${fault}`);
  };

  const documentedFaults = (method: string, operation: Operation, reply: Reply): string[] => {
    const response = operation.responses[reply.status];
    if (response === undefined) return [`${operation.operationId} does not document the status ${reply.status}`];
    const faults = [...bodyFaults(method, response, reply), ...headerFaults(response, components, reply)];
    const code = isRecord(reply.body) && reply.status >= 400 ? reply.body.code : undefined;
    if (typeof code === "string" && !response.description.includes(`\`${code}\``))
      faults.push(`${operation.operationId} does not document the code ${code}`);
    return faults;
  };

  return {
    faultsOf(method, path, reply) {
      const operation = operationOf(method, path);
      const faults = reply.headers.has("x-request-id") ? [] : ["X-Request-Id is missing"];
      if (operation !== undefined) faults.push(...documentedFaults(method, operation, reply));
      if (reply.status >= 400 && method !== "HEAD") faults.push(...errors(reply.body), ...envelopeFaults(reply, isApi));
      return faults;
    },
  };
};
