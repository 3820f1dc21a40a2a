import type { Admission } from "../../core/access/rate-limits.ts";
import { WINDOW_MS } from "../../core/access/rate-limits.ts";

/** Headers that browsers may read. */
const EXPOSED = [
  "Allow",
  "ETag",
  "Link",
  "Location",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "WWW-Authenticate",
  "X-Request-Id",
  "X-Total-Count",
].join(", ");

const ACCEPTED = "Content-Type, If-Match, If-None-Match, X-API-Key, X-App-Type, X-Request-Id";
const PREFLIGHT_SECONDS = "86400";

/** Headers of a response, by lower-case name. */
export type Headers = Record<string, string>;

/** Which origins' pages may call the API (`*`: any; it takes no cookies). */
export type Origins = "*" | ReadonlySet<string>;

/** Headers every answer starts from. */
export const plainHeadersOf = (requestId: string): Headers => ({
  "cache-control": "private, no-cache",
  "x-content-type-options": "nosniff",
  "x-request-id": requestId,
});

/** Headers every answer of the API starts from. */
export const apiHeaders = (requestId: string, origins: Origins, origin: string | null): Headers => {
  const headers = plainHeadersOf(requestId);
  if (origins === "*") headers["access-control-allow-origin"] = "*";
  else {
    headers.vary = "Origin";
    if (origin === null || !origins.has(origin)) return headers;
    headers["access-control-allow-origin"] = origin;
  }
  headers["access-control-expose-headers"] = EXPOSED;
  return headers;
};

/** An answer of JSON text. Takes the headers as its own. */
export const jsonResponse = (text: string | ReadableStream, status: number, headers: Headers): Response => {
  headers["content-type"] = "application/json";
  return new Response(text, { status, headers });
};

/** What a preflight request is answered with besides. */
export const preflightHeaders = (methods: string): Headers => ({
  allow: methods,
  "access-control-allow-methods": methods,
  "access-control-allow-headers": ACCEPTED,
  "access-control-max-age": PREFLIGHT_SECONDS,
});

/** What a caller's requests are counted under. */
export interface Budget {
  readonly subject: string;
  /** The name of the limit: for a key its app type. */
  readonly policy: string;
  /** Requests a minute. */
  readonly limit: number;
}

/** Where a caller stands with its limit (draft-ietf-httpapi-ratelimit-headers-11). */
export const addRateLimit = (
  headers: Headers,
  { policy, limit }: Budget,
  { remaining, resetSeconds }: Admission,
): void => {
  headers["ratelimit-policy"] = `"${policy}";q=${limit};w=${WINDOW_MS / 1000}`;
  headers.ratelimit = `"${policy}";r=${remaining};t=${resetSeconds}`;
};
