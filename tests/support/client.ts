import { type Documentation, documentationOf } from "./documentation.ts";
import type { Reply } from "./reply.ts";

export type { Reply } from "./reply.ts";

/** The parts of a request besides method and path. */
export interface Sent {
  /** `null` sends none; without it the super-admin's key is sent. */
  readonly key?: string | null;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged, as `application/json` unless the headers say otherwise. */
  readonly raw?: string | Uint8Array | undefined;
  /** Added to the usual headers, or replacing them. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends one request. Every answer is checked against the service's own documentation. */
export type Api = <Body = unknown>(method: string, path: string, sent?: Sent) => Promise<Reply<Body>>;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

let addresses = 0;

/** A client address that nobody has used, as a proxy would name it: failed authentications are limited by address. */
export const freshAddress = (): string => {
  addresses++;
  return `198.18.${Math.floor(addresses / 250) % 250}.${(addresses % 250) + 1}`;
};

const requestOf = ({ body, raw, key, headers }: Sent, superAdminKey: string): RequestInit => {
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const sent = new Headers({ "x-forwarded-for": freshAddress() });
  if (key !== null) sent.set("x-api-key", key ?? superAdminKey);
  if (payload !== undefined) sent.set("content-type", "application/json");
  for (const [name, value] of Object.entries(headers ?? {})) sent.set(name, value);
  return { headers: sent, redirect: "manual", ...(payload !== undefined && { body: payload }) };
};

/** A whole key, which an answer shows once. Keys that clients put into records by mistake do not count. */
const SHOWN_KEY = /"api_key":"vis_(?:web|desktop|mobile)_[A-Za-z0-9._-]{1,64}_[0-9A-Za-z]{28}/;

/** Finds an answer with a key that a cache might keep. */
const secrecyFaults = ({ text, headers }: Reply): string[] =>
  SHOWN_KEY.test(text) && headers.get("cache-control") !== "no-store" ? ["shows a key and may be kept"] : [];

/** The documentation of the service at `url`, which makes it when it is asked for the first time. */
export const documentationAt = async (url: string): Promise<Documentation> =>
  documentationOf(await (await fetch(`${url}/openapi.json`)).text());

/**
 * A client of the service at `url`, whose answers are checked against this documentation. It sends the super-admin's
 * key by default.
 */
export const clientOf =
  (url: string, superAdminKey: string, documentation: Documentation): Api =>
  async <Body>(method: string, path: string, sent: Sent = {}) => {
    const response = await fetch(url + path, { method, ...requestOf(sent, superAdminKey) });
    const text = await response.text();
    const reply = { status: response.status, headers: response.headers, text, body: parsed(text) };
    const faults = [...documentation.faultsOf(method, path, reply), ...secrecyFaults(reply)];
    if (faults.length > 0) throw new Error(`${method} ${path} answered ${reply.status} ${text}\n${faults.join("\n")}`);
    return reply as Reply<Body>;
  };
