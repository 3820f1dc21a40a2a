import type { Admission } from "../../core/access/rate-limits.ts";
import { WINDOW_MS } from "../../core/access/rate-limits.ts";
import { withBytes } from "./answer-facts.ts";

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

/**
 * Headers that are the same for many answers, in the runtime's own form. An answer's own are put among them and all are
 * copied at once, which costs a 304 3 % less than to set them on the finished response. Only those that the next
 * answer has none of are taken out again: to do so with all of them would cost as much as was saved.
 */
export class SharedHeaders {
  private readonly native: globalThis.Headers;
  private forNoBody: SharedHeaders | null = null;
  /** In no other place than these does `native` differ from `fixed`. */
  private lastOwn: Readonly<Headers> = {};

  constructor(private readonly fixed: Readonly<Headers>) {
    this.native = new globalThis.Headers(fixed);
  }

  /** The same for answers without a body: without its type. */
  get withoutType(): SharedHeaders {
    if (this.forNoBody === null) {
      const { "content-type": _, ...others } = this.fixed;
      this.forNoBody = new SharedHeaders(others);
    }
    return this.forNoBody;
  }

  /** An answer with these headers and its own, which go before; it has nothing of any answer before it. */
  respond(body: string | ReadableStream | null, status: number, own: Readonly<Headers>): Response {
    const { native, lastOwn } = this;
    for (const name in lastOwn) if (own[name] === undefined) this.restore(name);
    this.lastOwn = own;
    for (const name in own) native.set(name, own[name] ?? "");
    return new Response(body, { status, headers: native });
  }

  private restore(name: string): void {
    const before = this.fixed[name];
    if (before === undefined) this.native.delete(name);
    else this.native.set(name, before);
  }
}

const EVERY_ANSWERS = { "cache-control": "private, no-cache", "x-content-type-options": "nosniff" };
/** Of an answer that carries a secret: no cache on the way may keep it. */
export const UNSTORED = { "cache-control": "no-store" } as const;
const JSON_TEXT = { "content-type": "application/json" };
const JSON_ONLY = new SharedHeaders(JSON_TEXT);

const openTo = (origin: string) => ({
  "access-control-allow-origin": origin,
  "access-control-expose-headers": EXPOSED,
});

/** Headers every answer starts from. */
export const plainHeadersOf = (requestId: string): Headers => ({ ...EVERY_ANSWERS, "x-request-id": requestId });

/** What says that pages of the asking origin may read an answer of the API, if they may. */
const openness = (origins: Origins, origin: string | null): Headers => {
  if (origins === "*") return openTo("*");
  return { vary: "Origin", ...(origin !== null && origins.has(origin) && openTo(origin)) };
};

/** Headers every answer of the API starts from. */
export const apiHeaders = (requestId: string, origins: Origins, origin: string | null): Headers => ({
  ...plainHeadersOf(requestId),
  ...openness(origins, origin),
});

/** Headers of answers in JSON, made once for each origin whose pages may read them; `everyAnswers` are among all. */
export const sharedApiHeaders = (
  origins: Origins,
  everyAnswers: Headers,
): ((origin: string | null) => SharedHeaders) => {
  const madeFor = (origin: string | null): SharedHeaders =>
    new SharedHeaders({ ...EVERY_ANSWERS, ...everyAnswers, ...JSON_TEXT, ...openness(origins, origin) });
  const others = madeFor(null);
  if (origins === "*") return () => others;
  const known = new Map([...origins].map((origin) => [origin, madeFor(origin)]));
  return (origin) => (origin === null ? others : (known.get(origin) ?? others));
};

/** Headers of answers in JSON that nobody may keep, for pages of the service's own. */
export const sharedUnstored = (everyAnswers: Headers): SharedHeaders =>
  new SharedHeaders({ ...EVERY_ANSWERS, ...everyAnswers, ...JSON_TEXT, ...UNSTORED });

/** An answer of JSON text. */
export const jsonResponse = (
  text: string | ReadableStream,
  status: number,
  own: Headers,
  shared: SharedHeaders = JSON_ONLY,
): Response => {
  const response = shared.respond(text, status, own);
  return typeof text === "string" ? withBytes(response, Buffer.byteLength(text)) : response;
};

/** An answer to a client that has the record in this version already. */
export const notModified = (tag: string, own: Headers, shared: SharedHeaders): Response => {
  own.etag = tag;
  return shared.withoutType.respond(null, 304, own);
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
  /** Says so to the client. */
  readonly header: string;
  /** What a request must be admitted by as well; `null` for most. */
  readonly within: Budget | null;
}

/** What `subject`'s requests are counted under: `limit` a minute. */
export const budgetOf = (subject: string, policy: string, limit: number, within: Budget | null = null): Budget => ({
  subject,
  policy,
  limit,
  header: `"${policy}";q=${limit};w=${WINDOW_MS / 1000}`,
  within,
});

/** Where a caller stands with its limit (draft-ietf-httpapi-ratelimit-headers-11). */
export const addRateLimit = (
  headers: Headers,
  { policy, header }: Budget,
  { remaining, resetSeconds }: Admission,
): void => {
  headers["ratelimit-policy"] = header;
  headers.ratelimit = `"${policy}";r=${remaining};t=${resetSeconds}`;
};
