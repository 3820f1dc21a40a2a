import type { TObject, TSchema } from "typebox";
import { type Operation, POLICY } from "../../core/access/policy.ts";
import { ERROR_CODES, type ErrorCode } from "./problem.ts";
import type { Route } from "./route.ts";

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

const INTERNAL = new Set(["fault"]);

/** A schema as published: without what only validation needs. */
const published = (schema: unknown): Json => {
  if (Array.isArray(schema)) return schema.map(published);
  if (typeof schema !== "object" || schema === null) return schema as Json;
  const entries = Object.entries(schema).filter(([key]) => !key.startsWith("~") && !INTERNAL.has(key));
  return Object.fromEntries(entries.map(([key, value]) => [key, published(value)]));
};

const TAGS: Readonly<Record<string, string>> = {
  vehicle: "Vehicles",
  image: "Images",
  dealer: "Dealers",
  key: "API keys",
  user: "Users",
  audit: "Audit log",
};

const tagOf = (operation: Operation): string => TAGS[operation.split(".")[0] ?? ""] ?? "Other";

const errorSchema: Json = {
  type: "object",
  required: ["error", "code", "timestamp", "request_id"],
  properties: {
    error: { type: "string", description: "A sentence for a person." },
    code: { type: "string", enum: Object.keys(ERROR_CODES) },
    timestamp: { type: "string", format: "date-time" },
    request_id: { type: "string" },
    details: {
      type: "array",
      description: "Every offending field, up to 50; names of fields are cut after 100 characters.",
      items: {
        type: "object",
        required: ["path", "message"],
        properties: { path: { type: "string" }, message: { type: "string" } },
      },
    },
    details_omitted: {
      type: "integer",
      minimum: 1,
      description: "How many offending fields there are besides those in `details`.",
    },
  },
};

/** The codes an operation can answer besides those that every one can. */
const codesOf = (route: Route): ErrorCode[] => {
  const codes: ErrorCode[] = [
    "invalid_input",
    "app_type_mismatch",
    "api_key_missing",
    "api_key_invalid",
    "permission_missing",
    "rate_limit_exceeded",
    "internal_error",
    "unavailable",
  ];
  const { bound } = POLICY[route.operation];
  if (bound === "never") codes.push("dealer_bound");
  if (bound === "own") codes.push("not_your_dealer");
  if (/^(?:key|user)\.|^dealer\.update$/.test(route.operation) && route.method !== "GET")
    codes.push("exceeds_your_rights");
  if (route.operation === "user.update") codes.push("own_account");
  if (route.path.includes(":")) codes.push("not_found");
  if (route.traits?.includes("versioned") && (route.method === "PUT" || route.method === "DELETE"))
    codes.push("precondition_failed");
  if (route.operation.startsWith("user.") && route.body !== undefined) codes.push("email_taken");
  if (/^(?:key|user)\.(?:create|update)$/.test(route.operation)) codes.push("quota_exceeded");
  if (/^user\.(?:update|deactivate)$/.test(route.operation)) codes.push("last_super_admin");
  if (route.method !== "GET") codes.push("outcome_unknown");
  if (route.body !== undefined) codes.push("invalid_json", "body_too_large", "unsupported_media_type");
  return codes;
};

const errorsOf = (route: Route): Json => {
  const byStatus = new Map<number, string[]>();
  for (const code of codesOf(route)) {
    const [status, meaning] = ERROR_CODES[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), `\`${code}\`: ${meaning}`]);
  }
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, meanings]) => [
        status,
        {
          description: meanings.join(" "),
          content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
        },
      ]),
  );
};

const header = (description: string): Json => ({ description, schema: { type: "string" } });

const COMMON_HEADERS: Json = {
  "X-Request-Id": header("The request's id, as sent or made."),
  "RateLimit-Policy": header("The key's limit and window."),
  RateLimit: header("Requests left, and seconds until there are more."),
};

const headersOf = (route: Route): Json => ({
  ...(COMMON_HEADERS as object),
  ...(route.traits?.includes("list") && {
    "X-Total-Count": header("All matches, whatever the page."),
    Link: header("first, prev, next and last page."),
  }),
  ...(route.traits?.includes("versioned") && route.method !== "DELETE" && { ETag: header("The record's version.") }),
  ...(route.answer.status === 201 && { Location: header("Where the created record is.") }),
});

const parametersOf = (route: Route): Json[] => {
  const of = (place: "path" | "query", { properties }: TObject): Json[] =>
    Object.entries<TSchema>(properties).map(([name, schema]) => {
      const { description, ...rest } = published(schema) as { readonly description?: Json };
      return {
        name,
        in: place,
        required: place === "path",
        ...(description !== undefined && { description }),
        schema: rest as Json,
      };
    });
  const conditional = (name: string, description: string): Json => ({
    name,
    in: "header",
    required: false,
    description,
    schema: { type: "string" },
  });
  const versioned = route.traits?.includes("versioned") ?? false;
  return [
    ...of("path", route.params),
    ...of("query", route.query),
    { $ref: "#/components/parameters/AppType" },
    ...(versioned && route.method === "GET" ? [conditional("If-None-Match", "Answers 304 while unchanged.")] : []),
    ...(versioned && (route.method === "PUT" || route.method === "DELETE")
      ? [conditional("If-Match", "Answers 412 when the record is another version by now.")]
      : []),
  ];
};

/** The body's schema; fields that are accepted and ignored are named as read-only. */
const bodyOf = ({ schema, readOnly, optional }: NonNullable<Route["body"]>): Json => {
  const { properties, ...rest } = published(schema) as { readonly properties: Json };
  const ignored = Object.fromEntries(
    readOnly.map((name) => [name, { readOnly: true, description: "Accepted and ignored." }]),
  );
  return {
    required: !optional,
    content: {
      "application/json": {
        schema: { ...rest, properties: { ...(properties as object), ...ignored }, additionalProperties: false },
      },
    },
  };
};

const operationOf = (route: Route): Json => {
  const { needs, bound } = POLICY[route.operation];
  return {
    operationId: route.operation,
    tags: [tagOf(route.operation)],
    summary: route.summary,
    description: [route.description, `Needs \`${needs}\`.`, BINDINGS[bound]].filter(Boolean).join(" "),
    parameters: parametersOf(route),
    ...(route.body !== undefined && { requestBody: bodyOf(route.body) }),
    responses: {
      [route.answer.status]: {
        description: route.answer.description,
        headers: headersOf(route),
        content: { "application/json": { schema: published(route.answer.schema) } },
      },
      ...(route.traits?.includes("versioned") &&
        route.method === "GET" && { 304: { description: "Not changed since the version of If-None-Match" } }),
      ...(errorsOf(route) as object),
    },
  };
};

const BINDINGS = {
  filtered: "A bound key gets its dealer's records only.",
  overridden: "A bound key's dealer replaces the one sent.",
  own: "A bound key reaches its dealer's records only; others answer 403.",
  never: "Keys that are bound to a dealer get 403.",
  sight: "Records out of the caller's sight answer 404.",
} as const;

/** The OpenAPI 3.1 document, made of the schemas that validate. */
export const openApiDocument = (routes: readonly Route[], version: string): Json => {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Vehicle Inventory Service",
      version,
      description:
        "Vehicles, dealers, images and API keys. Every request carries `X-API-Key`. A key that is bound to a dealer sees " +
        "and changes that dealer's data only; nothing in a client changes for it. HEAD answers like GET without the body. " +
        "Unknown body fields are refused, read-only ones ignored, so that what was read can be sent back.",
    },
    servers: [{ url: "/" }],
    security: [{ ApiKey: [] }],
    tags: Object.values(TAGS).map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        ApiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "The full key, as shown on creation." },
      },
      parameters: {
        AppType: {
          name: "X-App-Type",
          in: "header",
          required: false,
          description: "When sent, must be the key's app type. Desktop applications send `desktop`.",
          schema: { type: "string", enum: ["web", "desktop", "mobile"] },
        },
      },
      schemas: { Error: errorSchema },
    },
  };
};
