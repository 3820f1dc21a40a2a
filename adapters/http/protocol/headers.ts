import type { Admission } from "../../../core/access/rate-limits.ts";
import { WINDOW_MS } from "../../../core/access/rate-limits.ts";
import { withBytes } from "./response-facts.ts";

/** The headers that pages in browsers may read. */
const EXPOSED_HEADERS = [
  "Allow",
  "ETag",
  "Idempotency-Replayed",
  "Link",
  "Location",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "WWW-Authenticate",
  "X-API-Key-Expires-In",
  "X-Duplicate-Of",
  "X-Request-Id",
  "X-Total-Count",
].join(", ");

/** Headers that pages of other origins may send. Files that they pack have `Content-Encoding`. */
const ALLOWED_HEADERS = [
  "Content-Encoding",
  "Content-Type",
  "Idempotency-Key",
  "If-Match",
  "If-None-Match",
  "Last-Event-ID",
  "Traceparent",
  "Tracestate",
  "X-API-Key",
  "X-App-Type",
  "X-Request-Id",
].join(", ");
const PREFLIGHT_SECONDS = "86400";

/** The headers of a response, by lower-case names. */
export type Headers = Record<string, string>;

/** The origins whose pages may call the API. `*` stands for all, as the API uses no cookies. */
export type Origins = "*" | ReadonlySet<string>;

/**
 * Headers that many answers share. They are in the runtime's own form, which is copied fast. They must not be changed.
 */
export type SharedHeaders = Readonly<globalThis.Headers>;

const COMMON_HEADERS = { "cache-control": "private, no-cache", "x-content-type-options": "nosniff" };
/** The headers of an answer that contains a secret. No cache may keep it. */
export const NO_STORE = { "cache-control": "no-store" } as const;
const JSON_TEXT = { "content-type": "application/json" };
/** The shared headers of JSON answers that need no others. */
export const JSON_ONLY = new globalThis.Headers(JSON_TEXT);

const openToOrigin = (origin: string) => ({
  "access-control-allow-origin": origin,
  "access-control-expose-headers": EXPOSED_HEADERS,
});

/** The headers that every answer has. */
export const baseHeaders = (requestId: string): Headers => ({ ...COMMON_HEADERS, "x-request-id": requestId });

/** The headers that allow pages of the requesting origin to read an answer of the API, if they may. */
const corsHeaders = (origins: Origins, origin: string | null): Headers => {
  if (origins === "*") return openToOrigin("*");
  return { vary: "Origin", ...(origin !== null && origins.has(origin) && openToOrigin(origin)) };
};

/** The headers that every answer of the API has. */
export const apiHeaders = (requestId: string, origins: Origins, origin: string | null): Headers => ({
  ...baseHeaders(requestId),
  ...corsHeaders(origins, origin),
});

/** The headers of JSON answers, made once for each allowed origin. They include `commonHeaders`. */
export const sharedApiHeaders = (
  origins: Origins,
  commonHeaders: Headers,
): ((origin: string | null) => SharedHeaders) => {
  const headersFor = (origin: string | null): SharedHeaders =>
    new globalThis.Headers({ ...COMMON_HEADERS, ...commonHeaders, ...JSON_TEXT, ...corsHeaders(origins, origin) });
  const others = headersFor(null);
  if (origins === "*") return () => others;
  const known = new Map<string | null, SharedHeaders>([...origins].map((origin) => [origin, headersFor(origin)]));
  return (origin) => known.get(origin) ?? others;
};

/** The headers of JSON answers that must not be cached. They are for the service's own pages. */
export const sharedNoStoreHeaders = (commonHeaders: Headers): SharedHeaders =>
  new globalThis.Headers({ ...COMMON_HEADERS, ...commonHeaders, ...JSON_TEXT, ...NO_STORE });

/** The status of an answer, and the headers that it shares with others, in the form that `Response` takes. */
interface SharedInit {
  readonly status: number;
  readonly headers: SharedHeaders;
}

/** A response with the shared headers and its own. Its own take precedence. */
const responseWith = (body: string | ReadableStream | null, init: SharedInit, own: Headers): Response => {
  const response = new Response(body, init);
  const { headers } = response;
  for (const name in own) headers.set(name, own[name] ?? "");
  return response;
};

/** An answer of JSON text. */
export const jsonResponse = (text: string | ReadableStream, init: SharedInit, own: Headers): Response => {
  const response = responseWith(text, init, own);
  return typeof text === "string" ? withBytes(response, Buffer.byteLength(text)) : response;
};

/** The answer to a client that already has this version of the record. */
export const notModified = (tag: string, own: Headers, shared: SharedHeaders): Response => {
  const response = responseWith(null, { status: 304, headers: shared }, { ...own, etag: tag });
  response.headers.delete("content-type");
  return response;
};

/** Additional headers of the answer to a preflight request. */
export const preflightHeaders = (methods: string): Headers => ({
  allow: methods,
  "access-control-allow-methods": methods,
  "access-control-allow-headers": ALLOWED_HEADERS,
  "access-control-max-age": PREFLIGHT_SECONDS,
});

/** The limit for a caller's requests. */
export interface Budget {
  readonly subject: string;
  /** The name of the limit; for a key, its app type. */
  readonly policy: string;
  /** The number of requests a minute. */
  readonly limit: number;
  /** The header that tells the client its limit. */
  readonly header: string;
  /** A second limit that the request must also meet; `null` for most callers. */
  readonly shared: Budget | null;
}

/** A limit of `limit` requests a minute for `subject`. */
export const budgetOf = ({
  subject,
  policy,
  limit,
  shared = null,
}: {
  readonly subject: string;
  readonly policy: string;
  readonly limit: number;
  readonly shared?: Budget | null;
}): Budget => ({
  subject,
  policy,
  limit,
  header: `"${policy}";q=${limit};w=${WINDOW_MS / 1000}`,
  shared,
});

/** Adds the headers that say how much of its limit a caller has left (draft-ietf-httpapi-ratelimit-headers-11). */
export const addRateLimit = (
  headers: Headers,
  { policy, header }: Budget,
  { remaining, resetSeconds }: Admission,
): void => {
  headers["ratelimit-policy"] = header;
  headers.ratelimit = `"${policy}";r=${remaining};t=${resetSeconds}`;
};

/** Before so many seconds, nobody is told that a key expires. */
const EXPIRY_TOLD_SECONDS = 7 * 24 * 60 * 60;

/** Adds the seconds until the caller's key expires, if these are few. */
export const addExpiry = (headers: Headers, seconds: number): void => {
  if (seconds <= EXPIRY_TOLD_SECONDS) headers["x-api-key-expires-in"] = String(seconds);
};
