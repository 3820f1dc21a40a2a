import { ERROR_CODES, type ErrorCode } from "../protocol/problem.ts";
import type { Json } from "./schemas.ts";

type Fields = { readonly [name: string]: Json };

const PAIR: Fields = {
  type: "object",
  required: ["resource", "action"],
  properties: { resource: { type: "string" }, action: { type: "string" } },
};

/** The schemas of errors and their parts. */
export const ERROR_RECORDS: Fields = {
  Error: {
    type: "object",
    description: "Every error has this form.",
    required: ["error", "code", "timestamp", "request_id"],
    properties: {
      error: { type: "string", description: "A message for people." },
      code: { $ref: "#/components/schemas/ErrorCode" },
      timestamp: { type: "string", format: "date-time" },
      request_id: { type: "string", description: "The same as in the header `X-Request-Id`." },
      details: {
        type: "array",
        description: "The invalid fields, up to 50. Names of fields are cut after 100 characters.",
        items: { $ref: "#/components/schemas/ErrorDetail" },
      },
      needs: {
        ...PAIR,
        description: "Of a 403 `permission_missing`: the permission that the caller lacks.",
      },
      has: { type: "array", items: PAIR, description: "Of a 403: the permissions that the key has." },
      bound_dealer_id: {
        type: ["integer", "null"],
        description: "Of a 403: the dealer that the key is bound to, or `null`.",
      },
      details_omitted: {
        type: "integer",
        minimum: 1,
        description: "The number of invalid fields that are not in `details`.",
      },
    },
    examples: [
      {
        error: "Invalid request: year must be a whole number from 1886 to 2028",
        code: "invalid_input",
        timestamp: "2026-11-20T09:11:00.000Z",
        request_id: "6f1f0f3e-6a0a-4f5e-9a53-0e8f6cf0a1b2",
        details: [{ path: "year", message: "must be a whole number from 1886 to 2028" }],
      },
    ],
  },
  ErrorCode: {
    type: "string",
    description: "A code for programs.",
    enum: Object.keys(ERROR_CODES),
  },
  ErrorDetail: {
    type: "object",
    required: ["path", "message"],
    properties: {
      path: { type: "string", description: "The field. Empty if the problem is not one of a single field." },
      message: {
        type: "string",
        description: "What is wrong, as the end of a sentence that begins with the field's name.",
      },
    },
  },
};

const text = (description: string, example: string, schema: Fields = {}): Fields => ({
  description,
  schema: { type: "string", ...schema },
  example,
});

/** All headers of answers that are documented. */
const HEADERS = {
  "X-Request-Id": text(
    "The id of the request. It is the one that was sent, or else a new one.",
    "6f1f0f3e-6a0a-4f5e-9a53-0e8f6cf0a1b2",
  ),
  "RateLimit-Policy": text("The caller's limit and window.", '"web";q=100;w=60'),
  RateLimit: text("The number of requests left, and the seconds until there are more.", '"web";r=42;t=17'),
  "X-Total-Count": {
    description: "The number of all matching records, on all pages.",
    schema: { type: "integer", minimum: 0 },
  },
  Link: text("The addresses of the first, previous, next and last page.", '</api/vehicles?limit=100>; rel="first"'),
  ETag: text("The version of the record, for `If-Match` and `If-None-Match`.", '"1-1-2026-11-20T09:11:00.000Z"'),
  "Cache-Control": text(
    "That clients may keep an answer about one dealer's inventory, and have to ask each time whether it is still right.",
    "private, max-age=0, must-revalidate",
  ),
  "Content-Disposition": text("The name of the file.", 'attachment; filename="audit.csv"'),
  Location: text("The address of the created record.", "/api/vehicles/1", { format: "uri-reference" }),
  "WWW-Authenticate": text("How to authenticate.", "ApiKey"),
  "X-Duplicate-Of": text(
    "The ids of the dealer's other unsold vehicles with the same VIN or stock number, if there are any: the 50 lowest.",
    "12, 15",
  ),
  "X-API-Key-Expires-In": text("The seconds until the key expires, if these are no more than seven days.", "86400"),
  "Idempotency-Replayed": text("Present if the request was sent before: this is its first answer.", "true"),
  "Retry-After": { description: "Seconds to wait before the next attempt.", schema: { type: "integer", minimum: 1 } },
} as const satisfies Record<string, Fields>;

/** The name of a response header. */
export type HeaderName = keyof typeof HEADERS;

/** The headers of an answer as references: those that it always has, and those that it may have. */
export const headersOf = (sure: readonly HeaderName[], possible: readonly HeaderName[] = []): Fields => ({
  ...Object.fromEntries(sure.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
  ...Object.fromEntries(possible.map((name) => [name, { $ref: `#/components/headers/${name}${OPTIONAL_SUFFIX}` }])),
});

const OPTIONAL_SUFFIX = "-if-known";

/** The definitions of the headers that a text refers to. */
export const headersReferredTo = (text: string): Fields =>
  Object.fromEntries(
    Object.entries<Fields>(HEADERS)
      .flatMap(([name, header]): [string, Fields][] => [
        [name, { ...header, required: true }],
        [name + OPTIONAL_SUFFIX, header],
      ])
      .filter(([name]) => text.includes(`#/components/headers/${name}"`)),
  );

const LIMIT_HEADERS: readonly HeaderName[] = ["RateLimit-Policy", "RateLimit"];
/** The headers that answers of the API may have. */
const OF_KEY: readonly HeaderName[] = ["X-API-Key-Expires-In"];
/**
 * The additional headers of errors, by their status. The API may give these errors before it knows the caller's limit.
 */
const EXTRA_HEADERS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ["WWW-Authenticate"],
  // A key that is used from another network is refused before it is counted.
  403: [],
  429: ["Retry-After"],
  500: [],
  503: ["Retry-After"],
};

const headersOfError = (status: number, isApi: boolean): Fields => {
  const extra = EXTRA_HEADERS[status];
  const possible: readonly HeaderName[] = [
    ...(isApi ? OF_KEY : []),
    ...(status === 409 ? (["Retry-After"] as const) : []),
  ];
  if (extra === undefined && isApi) return headersOf(["X-Request-Id", ...LIMIT_HEADERS], possible);
  const sure = (extra ?? []).filter((name) => isApi || name !== "WWW-Authenticate");
  return headersOf(["X-Request-Id", ...sure], [...LIMIT_HEADERS, ...possible]);
};

/** The responses for these errors, by their status. For the API, the headers that all of them have are known. */
export const errorResponses = (codes: readonly ErrorCode[], isApi: boolean): Fields => {
  const byStatus = Map.groupBy(codes, (code) => ERROR_CODES[code][0]);
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, some]) => [
        status,
        {
          description: some.map((code) => `\`${code}\`: ${ERROR_CODES[code][1]}`).join(" "),
          headers: headersOfError(status, isApi),
          content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
        },
      ]),
  );
};

/** The headers of a success. */
export const headersOfSuccess = (
  { sure, possible }: { readonly sure: readonly HeaderName[]; readonly possible: readonly HeaderName[] },
  isApi: boolean,
): Fields =>
  isApi
    ? headersOf(["X-Request-Id", ...LIMIT_HEADERS, ...sure], [...OF_KEY, ...possible])
    : headersOf(["X-Request-Id", ...sure], [...LIMIT_HEADERS, ...possible]);
