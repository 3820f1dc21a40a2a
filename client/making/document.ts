import { NAMES } from "./names.ts";

/** A schema of the document, as far as the client looks into it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly [other: string]: unknown;
}
interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}
type Contents = Readonly<Record<string, { readonly schema: Schema }>>;
interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Contents };
  readonly responses: Readonly<
    Record<string, { readonly headers?: Readonly<Record<string, unknown>>; readonly content?: Contents }>
  >;
}
/** The service's OpenAPI document. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** An operation of the API, and how the client offers it. */
export interface Operation {
  /** Its name in the document, such as `listVehicles`. */
  readonly id: string;
  readonly resource: string;
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly pathParameters: readonly Parameter[];
  readonly query: readonly Parameter[];
  /** The schema of its JSON body; `null` if it has none. */
  readonly body: { readonly schema: Schema; readonly required: boolean } | null;
  /** The schema of its JSON answer; `null` if it answers a file. */
  readonly answer: Schema | null;
  /** True for a list of several pages. */
  readonly isList: boolean;
  /** True if a change may be tied to a version of the record. */
  readonly hasVersion: boolean;
  readonly isChange: boolean;
}

/** `min_price` as `minPrice`. */
export const camel = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** `listVehicles` as `ListVehicles`. */
export const capital = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1);

/** The name of the schema that a reference points to. */
export const nameOf = ({ $ref = "" }: Schema): string => $ref.split("/").at(-1) ?? "";

const operationOf = (method: string, path: string, one: Described): Operation => {
  const [resource, name] = (NAMES[one.operationId] ?? "").split(".");
  if (resource === undefined || name === undefined)
    throw new Error(`client/making/names.ts has no name for ${one.operationId} (${method} ${path})`);
  const headers = one.parameters.filter((parameter) => parameter.in === "header").map((parameter) => parameter.name);
  const [, success] = Object.entries(one.responses).find(([status]) => status.startsWith("2")) ?? [];
  const answer = success?.content?.["application/json"]?.schema ?? null;
  const body = one.requestBody?.content["application/json"]?.schema;
  return {
    id: one.operationId,
    resource,
    name,
    method: method.toUpperCase(),
    path,
    summary: one.summary,
    description: one.description,
    pathParameters: one.parameters.filter((parameter) => parameter.in === "path"),
    query: one.parameters.filter((parameter) => parameter.in === "query"),
    body: body === undefined ? null : { schema: body, required: one.requestBody?.required === true },
    answer,
    isList: answer !== null && success?.headers?.Link !== undefined,
    hasVersion: headers.includes("If-Match"),
    isChange: method !== "get",
  };
};

/** The operations below `/api`, in the order of the document. */
export const operationsOf = ({ paths }: Document): Operation[] => {
  const operations = Object.entries(paths)
    .filter(([path]) => path.startsWith("/api/"))
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, one]) => operationOf(method, path, one)));
  const known = new Set(operations.map(({ id }) => id));
  const gone = Object.keys(NAMES).filter((id) => !known.has(id));
  if (gone.length > 0) throw new Error(`client/making/names.ts names operations that do not exist: ${gone.join(", ")}`);
  return operations;
};

/** The type of what an operation takes in its query. */
export const optionsType = ({ id }: Operation): string => `${capital(id)}Options`;
