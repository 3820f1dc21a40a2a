import type { TObject, TSchema } from "typebox";
import type { ErrorCode } from "../protocol/problem.ts";
import type { Method, Route } from "../protocol/route.ts";
import { exampleMaker } from "./examples.ts";
import { ERROR_RECORDS, errorResponses, headersOf, headersOfSuccess, headersReferredTo } from "./responses.ts";
import { samplesOf } from "./samples.ts";
import { type Json, type SchemaPublisher, schemaPublisher } from "./schemas.ts";

type Fields = { readonly [name: string]: Json };

/** An operation that is documented. It is answered by a route or by an endpoint. */
export interface DocumentedOperation
  extends Pick<Route, "name" | "summary" | "params" | "query" | "body" | "file" | "photo" | "traits" | "listVersion"> {
  readonly method: Method;
  readonly path: string;
  readonly tag: string;
  readonly description: string;
  readonly answer: Route["answer"];
  readonly also?: Route["also"];
  /** All errors that it can give. */
  readonly errors: readonly ErrorCode[];
  /** True if it needs no credentials. */
  readonly isOpen?: boolean;
}

/** The parts of a document other than its operations. */
export interface DocumentFrame {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly security: { readonly name: string; readonly scheme: Fields };
  /** The parameters of every operation, by the names of their components. */
  readonly parameters: Fields;
  /**
   * True for the document of the API: the headers of its errors are known, and requests to it may come from any origin.
   */
  readonly isApi: boolean;
}

interface DocumentContext {
  readonly frame: DocumentFrame;
  readonly schemas: SchemaPublisher;
  /** Makes an example for a published schema. */
  readonly exampleOf: ReturnType<typeof exampleMaker>;
}

const examplesOf = (schema: TSchema): readonly Json[] =>
  (schema as { readonly examples?: readonly Json[] }).examples ?? [];

const parametersIn = (place: "path" | "query", { properties }: TObject, { schemas }: DocumentContext): Fields[] =>
  Object.entries<TSchema>(properties).map(([name, schema]) => {
    const { description, ...rest } = schemas.publish(schema);
    return {
      name,
      in: place,
      required: place === "path",
      ...(description !== undefined && { description }),
      schema: rest,
    };
  });

const conditional = (name: string, description: string): Fields => ({
  name,
  in: "header",
  required: false,
  description,
  schema: { type: "string" },
});

const IF_NONE_MATCH = conditional(
  "If-None-Match",
  "An `ETag` from an earlier answer. If the record is unchanged, the answer is 304.",
);
const IF_MATCH = conditional(
  "If-Match",
  "An `ETag` from an earlier answer. If the record has changed since, the answer is 412.",
);

const IDEMPOTENCY_KEY: Fields = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "A name for this change, such as a UUID. Sent again with the same name, it is not made again, and gets the first answer. See *Repeating safely*.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

/** True if the operation is a change that can be sent again. */
const isRepeatable = ({ method, isOpen }: DocumentedOperation, { isApi }: DocumentFrame): boolean =>
  isApi && method !== "GET" && isOpen !== true;
const LAST_EVENT_ID = conditional(
  "Last-Event-ID",
  "The `id` of the last event of an earlier stream: it goes on behind it.",
);

/** True if the answer is kept by clients if it is about one dealer's inventory. The portal's is not. */
const mayBeKept = ({ listVersion }: DocumentedOperation, { isApi }: DocumentFrame): boolean =>
  isApi && listVersion !== undefined;

const isConditional = (operation: DocumentedOperation, frame: DocumentFrame): boolean =>
  (operation.method !== "POST" && (operation.traits?.includes("versioned") ?? false)) || mayBeKept(operation, frame);

const parametersOf = (operation: DocumentedOperation, documenting: DocumentContext): Json[] => [
  ...parametersIn("path", operation.params, documenting),
  ...parametersIn("query", operation.query, documenting),
  ...(operation.isOpen ? [] : Object.keys(documenting.frame.parameters)).map((name) => ({
    $ref: `#/components/parameters/${name}`,
  })),
  ...(isConditional(operation, documenting.frame) ? [operation.method === "GET" ? IF_NONE_MATCH : IF_MATCH] : []),
  ...(isRepeatable(operation, documenting.frame) ? [IDEMPOTENCY_KEY] : []),
  ...(operation.traits?.includes("stream") ? [LAST_EVENT_ID] : []),
];

/** The schema of the body. Fields that are accepted but ignored are marked read-only. */
const bodyOf = (
  { name, schema, readOnly, optional, example }: NonNullable<Route["body"]>,
  { schemas }: DocumentContext,
): Fields => {
  const ignored = Object.fromEntries(
    readOnly.map((field) => [field, { readOnly: true, description: "Accepted and ignored." }]),
  );
  const reference = schemas.name(name, () => {
    const { properties, ...rest } = schemas.define(schema);
    return { ...rest, properties: { ...(properties as Fields), ...ignored }, additionalProperties: false };
  });
  return { required: !optional, content: { "application/json": { schema: reference, example: example as Fields } } };
};

/** A form with a file. */
const FORM: Fields = {
  schema: {
    type: "object",
    required: ["file"],
    properties: { file: { type: "string", contentMediaType: "application/octet-stream" } },
    additionalProperties: false,
  },
};

/** The body of an operation that also takes a photo, alone or in a form with the other fields beside it. */
const withPhoto = (body: Fields, photo: Route["photo"]): Fields => {
  if (photo === undefined) return body;
  const form = {
    schema: {
      type: "object",
      required: ["file"],
      properties: {
        file: { type: "string", contentMediaType: "application/octet-stream" },
        ...Object.fromEntries(photo.fields.map((field) => [field, { type: "string" }])),
      },
      additionalProperties: false,
    },
  };
  const types = photo.types.map((type) => [type, type === "multipart/form-data" ? form : {}]);
  return { ...body, content: { ...(body.content as Fields), ...Object.fromEntries(types) } };
};

/** A file is sent as one of several media types. The example has the first one. */
const fileOf = ({ types, example }: NonNullable<Route["file"]>): Fields => ({
  required: true,
  content: Object.fromEntries(
    types.map((type, place) => [
      type,
      type === "multipart/form-data" ? FORM : place === 0 ? { schema: { type: "string" }, example } : {},
    ]),
  ),
});

/** Only requests with a key are counted for its limit. */
const isLimited = (operation: DocumentedOperation, { isApi }: DocumentFrame): boolean => isApi && !operation.isOpen;

// The answer to a creation that takes no body, such as an invitation, has no `Location`.
const headersOfAnswer = (operation: DocumentedOperation, frame: DocumentFrame): Fields => {
  const { traits, method, answer, body } = operation;
  return headersOfSuccess(
    {
      sure: [
        ...(traits?.includes("list") ? (["X-Total-Count", "Link"] as const) : []),
        ...(traits?.includes("versioned") && method !== "DELETE" ? (["ETag"] as const) : []),
        ...(answer.file?.isCounted ? (["X-Total-Count"] as const) : []),
        ...(answer.file === undefined || traits?.includes("stream") ? [] : (["Content-Disposition"] as const)),
        ...((answer.status === 201 && body !== undefined) || answer.status === 202 ? (["Location"] as const) : []),
      ],
      possible: [
        ...(traits?.includes("progress") ? (["Retry-After"] as const) : []),
        ...(mayBeKept(operation, frame) ? (["ETag", "Cache-Control"] as const) : []),
        ...(traits?.includes("duplicates") ? (["X-Duplicate-Of"] as const) : []),
        ...(isRepeatable(operation, frame) ? (["Idempotency-Replayed"] as const) : []),
      ],
    },
    isLimited(operation, frame),
  );
};

/** The content of a success, with an example. That of a file is in the first of its media types. */
const contentOfAnswer = ({ answer }: DocumentedOperation, { schemas, exampleOf }: DocumentContext): Fields => {
  const schema = schemas.publish(answer.schema);
  const { file } = answer;
  if (file === undefined) return { "application/json": { schema, example: exampleOf(schema) } };
  return Object.fromEntries(
    file.types.map((type, place) => [type, { schema, ...(place === 0 && { example: file.example }) }]),
  );
};

const sampleOf = ({ method, path, params, body, file, isOpen = false }: DocumentedOperation): Json =>
  samplesOf({
    method,
    isOpen,
    path: path.replaceAll(/:(\w+)/g, (_, name) => String(examplesOf(params.properties[name] as TSchema)[0])),
    ...(body !== undefined && { body: body.example }),
    ...(file !== undefined && { file: { type: file.types[0] ?? "", text: file.example } }),
  });

const operationOf = (operation: DocumentedOperation, documenting: DocumentContext): Fields => {
  const { answer, also, body, file, photo, frame } = { ...operation, ...documenting };
  return {
    operationId: operation.name,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    ...(operation.isOpen && { security: [] }),
    parameters: parametersOf(operation, documenting),
    ...(body !== undefined && { requestBody: withPhoto(bodyOf(body, documenting), photo) }),
    ...(file !== undefined && { requestBody: fileOf(file) }),
    responses: {
      [answer.status]: {
        description: answer.description,
        headers: headersOfAnswer(operation, frame),
        content: contentOfAnswer(operation, documenting),
      },
      ...(also !== undefined && {
        [also.status]: {
          description: also.description,
          headers: headersOfSuccess(
            { sure: [], possible: isRepeatable(operation, frame) ? ["Idempotency-Replayed"] : [] },
            frame.isApi,
          ),
          content: contentOfAnswer(operation, documenting),
        },
      }),
      ...(isConditional(operation, frame) &&
        operation.method === "GET" && {
          304: {
            description: "Not changed since the version of If-None-Match",
            headers: headersOf(["X-Request-Id", "RateLimit-Policy", "RateLimit", "ETag"]),
          },
        }),
      ...errorResponses(operation.errors, isLimited(operation, frame)),
    },
    ...(frame.isApi && { "x-codeSamples": sampleOf(operation) }),
  };
};

/** An OpenAPI 3.1 document, made from the schemas that validate requests. */
export const documentOf = (frame: DocumentFrame, operations: readonly DocumentedOperation[]): Json => {
  const schemas = schemaPublisher();
  const exampleOf = exampleMaker(() => schemas.records);
  const documenting: DocumentContext = { frame, schemas, exampleOf };
  const paths: Record<string, Fields> = {};
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: operationOf(operation, documenting) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: frame.title,
      version: frame.version,
      description: frame.description,
      contact: { name: "The operator of this installation" },
      license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
    },
    servers: [{ url: "/", description: "This service" }],
    security: [{ [frame.security.name]: [] }],
    tags: frame.tags,
    paths,
    components: {
      securitySchemes: { [frame.security.name]: frame.security.scheme },
      parameters: frame.parameters,
      headers: headersReferredTo(JSON.stringify(paths)),
      schemas: { ...documenting.schemas.records, ...ERROR_RECORDS },
    },
  };
};
