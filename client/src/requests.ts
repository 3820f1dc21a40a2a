import { Call } from "./call.ts";
import { errorOf, InventoryError } from "./errors.ts";
import { List, nextQuery, type Page } from "./list.ts";
import type { CallOptions, ChangeOptions, InventoryOptions, Version, VersionedOptions } from "./options.ts";
import { newIdempotencyKey, waitAfter } from "./retries.ts";
import { pause, within } from "./waiting.ts";

/** A request of the API. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  /** In the client's spelling. */
  readonly query?: object;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** A file, in place of `body`; without a type, the form says its own. */
  readonly content?: { readonly data: Blob | FormData; readonly type?: string };
}
/** A request for a list; `items` is the property of its pages that has the items, `null` if the page is an array. */
export interface SentList extends Sent {
  readonly items: string | null;
}

type AnyOptions = CallOptions & Pick<ChangeOptions, "idempotencyKey"> & Pick<VersionedOptions, "ifMatch">;

const DEFAULTS = { timeout: 300_000, tryTimeout: 60_000, tries: 6 };

/** The tags of the records that were read by themselves. */
const tags = new WeakMap<object, string>();

const tagOf = (version: Version): string =>
  typeof version === "string"
    ? version
    : // A record of a list came without its tag. The service takes this one, too (interface 8.3).
      (tags.get(version) ?? `"any-${version.id}-${version.updated_at}"`);

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** `{ minPrice: 1, make: ["A", "B"] }` as `min_price=1&make=A&make=B`. */
const queryOf = (query: object): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null)
        search.append(snake(name), one instanceof Date ? one.toISOString() : String(one));
  return search.size === 0 ? "" : `?${search}`;
};

/** The answer with all of its body, which was read while the try could still fail. */
const whole = async (response: Response): Promise<Response> => {
  const { status, statusText, headers } = response;
  const body = await response.arrayBuffer();
  return new Response(body.byteLength === 0 ? null : body, { status, statusText, headers });
};

const dataOf = async <Data>(response: Response): Promise<Data> => {
  if (response.status === 304) throw new InventoryError("Not changed", { status: 304, headers: response.headers });
  const data = (await response.json()) as Data;
  const tag = response.headers.get("etag");
  if (tag?.startsWith('"') && typeof data === "object" && data !== null) tags.set(data, tag);
  return data;
};

/** Sends requests, and sends them again where that can help. */
export class Requests {
  readonly #options: InventoryOptions;
  readonly #base: string;

  constructor(options: InventoryOptions) {
    this.#options = options;
    this.#base = options.baseUrl.endsWith("/") ? options.baseUrl.slice(0, -1) : options.baseUrl;
  }

  /** A request that is answered with JSON. */
  send<Data>(sent: Sent, options?: AnyOptions): Call<Data> {
    return new Call(this.#answer(sent, options), dataOf<Data>);
  }

  /** A request that is answered with a file. It is not read here: its signal ends it, and the time of the call does not. */
  file(sent: Sent, options?: AnyOptions): Call<Response> {
    return new Call(this.#answer(sent, options, true), async (response) => response);
  }

  /** A list, page by page. */
  list<Item, Body>({ items, ...sent }: SentList, options?: AnyOptions): List<Item, Body> {
    const read = async (search: string): Promise<Page<Item, Body>> => {
      const path = `${sent.path}${search}`;
      const { data, response } = await this.send<Body>({ method: sent.method, path }, options).withResponse();
      const next = nextQuery(response.headers.get("link"));
      const total = response.headers.get("x-total-count");
      return {
        items: (items === null ? data : (data as Readonly<Record<string, unknown>>)[items]) as readonly Item[],
        total: total === null ? null : Number(total),
        body: data,
        response,
        hasNext: next !== null,
        next: async () => (next === null ? null : read(`?${next}`)),
      };
    };
    return new List(() => read(queryOf(sent.query ?? {})));
  }

  /** The first answer that is none of those after which another try may help. */
  async #answer(sent: Sent, options: AnyOptions = {}, isFile = false): Promise<Response> {
    const { timeout, tryTimeout, tries } = { ...DEFAULTS, ...this.#options, ...options };
    const { signal } = options;
    const ends = performance.now() + timeout;
    const named = sent.method === "GET" ? options : { idempotencyKey: newIdempotencyKey(), ...options };
    for (let attempt = 1; ; attempt++) {
      const left = ends - performance.now();
      const limits = { timeout: sent.content === undefined ? Math.min(left, tryTimeout) : left, signal, lasts: isFile };
      try {
        const headers = await this.#headers(sent, named);
        return await within(limits, async (ending) => {
          const response = await this.#fetch(sent, headers, ending);
          return isFile ? response : whole(response);
        });
      } catch (error) {
        const wait = waitAfter(error, attempt);
        if (wait === null || attempt >= tries || performance.now() + wait >= ends) throw error;
        await pause(wait, signal);
      }
    }
  }

  async #fetch(sent: Sent, headers: Record<string, string>, signal: AbortSignal): Promise<Response> {
    const { fetch: send = fetch } = this.#options;
    const { method, path, query = {}, content, body } = sent;
    const payload = content?.data ?? (body === undefined ? null : JSON.stringify(body));
    // The key goes to nobody else.
    const init: RequestInit = { method, headers, body: payload, signal, redirect: "manual" };
    const response = await send(`${this.#base}${path}${queryOf(query)}`, init);
    if (response.ok || response.status === 304) return response;
    throw errorOf(response, await response.text());
  }

  async #headers({ body, content }: Sent, options: AnyOptions): Promise<Record<string, string>> {
    const { apiKey, appType } = this.#options;
    const type = body === undefined ? content?.type : "application/json";
    return {
      "X-API-Key": typeof apiKey === "string" ? apiKey : await apiKey(),
      ...(appType !== undefined && { "X-App-Type": appType }),
      ...(type !== undefined && { "Content-Type": type }),
      ...(options.idempotencyKey !== undefined && { "Idempotency-Key": options.idempotencyKey }),
      ...(options.ifMatch !== undefined && { "If-Match": tagOf(options.ifMatch) }),
      ...options.headers,
    };
  }
}
