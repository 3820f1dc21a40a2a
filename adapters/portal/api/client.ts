import type { AnsweredWord } from "../../../core/vehicles/understanding.ts";

/** One invalid field, with the server's message. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

interface Refusal {
  readonly status: number;
  readonly code: string;
  /** The server's message for people. */
  readonly sentence: string;
  readonly details?: readonly Issue[] | undefined;
  /** Seconds to wait before another try. */
  readonly retrySeconds?: number | null;
}

/** An error response of the server, or no response at all (status 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly sentence: string;
  readonly details: readonly Issue[];
  readonly retrySeconds: number | null;

  constructor({ status, code, sentence, details = [], retrySeconds = null }: Refusal) {
    super(sentence);
    this.status = status;
    this.code = code;
    this.sentence = sentence;
    this.details = details;
    this.retrySeconds = retrySeconds;
  }
}

type Method = "GET" | "POST" | "PUT" | "DELETE";

/** Query parameters; those without a value are left out, and arrays repeat the parameter. */
export type Query = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** One page of a list, with `total` and `next` if the server sends them. */
export interface ListResult<Item> {
  readonly items: readonly Item[];
  readonly total: number;
  /** The query of the next page, for lists with cursors. */
  readonly next: string | null;
  /** What the words of a search for vehicles stand for. */
  readonly understood?: readonly AnsweredWord[];
}

const BASE = "/portal/api";

/** The URL of a request: the same query always gives the same text. */
const urlOf = (path: string, query: Query = {}): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== "") search.append(name, String(one));
  return search.size === 0 ? `${BASE}${path}` : `${BASE}${path}?${search}`;
};

interface ErrorBody {
  readonly error?: string;
  readonly code?: string;
  readonly details?: readonly Issue[];
}

/** What to do without a response: a new record may exist although no answer arrived. */
const noResponseMessage = (method: Method): string => {
  if (!navigator.onLine) return "This device is offline. Connect it and try again.";
  const look = method === "POST" ? ", and whether it is done already," : "";
  return `The service does not answer. Check the connection${look} and try again.`;
};

const refusalOf = async (response: Response): Promise<ApiError> => {
  const body: ErrorBody = await response.json().catch(() => ({}));
  const retry = Number(response.headers.get("retry-after") ?? Number.NaN);
  return new ApiError({
    status: response.status,
    code: body.code ?? "unknown",
    sentence: body.error ?? `The service answered with status ${response.status}.`,
    details: body.details,
    retrySeconds: Number.isFinite(retry) ? retry : null,
  });
};

/** What a request consists of besides its address. */
interface TransportedRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | FormData;
  readonly signal?: AbortSignal;
}

/** Sends a request of this origin and returns the answer. Another one than `fetch` can tell how much was sent. */
export type Transport = (address: string, request: TransportedRequest) => Promise<Response>;

const byFetch: Transport = (address, request) => fetch(address, { ...request, credentials: "same-origin" });

let expectedUserId: number | null = null;

/**
 * Names the user for whom this page sends everything from now on. If another one has signed in meanwhile, the service
 * refuses it as it does when nobody is signed in.
 */
export const sendOnlyFor = (userId: number): void => {
  expectedUserId = userId;
};

interface RequestParts {
  readonly query?: Query;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as a multipart form, instead of a body. */
  readonly form?: FormData;
  /** The version of the record to change; the server refuses any other. */
  readonly version?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly transport?: Transport;
  /** The last event that was read of a stream. */
  readonly lastEventId?: string | null;
}

const send = async (
  method: Method,
  address: string,
  { body, form, version, signal, lastEventId = null, transport = byFetch }: RequestParts,
): Promise<Response> => {
  let response: Response;
  try {
    response = await transport(address, {
      method,
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(version !== undefined && { "if-match": version }),
        ...(lastEventId !== null && { "last-event-id": lastEventId }),
        ...(expectedUserId !== null && { "x-portal-user": String(expectedUserId) }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(form !== undefined && { body: form }),
      ...(signal !== undefined && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError({ status: 0, code: "no_answer", sentence: noResponseMessage(method) });
  }
  if (!response.ok) throw await refusalOf(response);
  return response;
};

const versionsByRecord = new WeakMap<object, string>();

/** The version of a record as it was read, for `put`; `undefined` if the record has none. */
export const versionOf = (record: object): string | undefined => versionsByRecord.get(record);

/** Gives the copy of a record the original's version. */
export const copyVersion = <Body>(copy: Body, original: unknown): Body => {
  const version = typeof original === "object" && original !== null ? versionOf(original) : undefined;
  if (version !== undefined && typeof copy === "object" && copy !== null) versionsByRecord.set(copy, version);
  return copy;
};

/** The body of a response, remembering the record's version. */
const bodyOf = async <Body>(response: Response): Promise<Body> => {
  const text = await response.text();
  const body = (text === "" ? null : JSON.parse(text)) as Body;
  const version = response.headers.get("etag");
  if (version !== null && typeof body === "object" && body !== null) versionsByRecord.set(body, version);
  return body;
};

/** Reads one record. */
export const read = async <Body>(path: string, query?: Query, signal?: AbortSignal): Promise<Body> =>
  bodyOf<Body>(await send("GET", urlOf(path, query), { signal }));

/** The query of the next page, from the service's Link header. */
const nextQueryOf = (link: string | null): string | null => {
  const next = link?.split(", ").find((part) => part.endsWith('>; rel="next"'));
  return next?.slice(next.indexOf("?") + 1, next.lastIndexOf(">")) ?? null;
};

/** A page of a list: a plain array, or, for vehicles and cursor lists, an object with facts about the page. */
type ListBody<Item> =
  | readonly Item[]
  | { readonly meta: { readonly total: number; readonly next_cursor: string | null }; readonly data: readonly Item[] }
  | {
      readonly meta: { readonly total: number } & Pick<ListResult<Item>, "understood">;
      readonly vehicles: readonly Item[];
    };

/** Reads one page of a list. */
export const readList = async <Item>(path: string, query?: Query, signal?: AbortSignal): Promise<ListResult<Item>> => {
  const response = await send("GET", urlOf(path, query), { signal });
  const body = (await response.json()) as ListBody<Item>;
  const next = nextQueryOf(response.headers.get("link"));
  if ("data" in body) {
    const { total, next_cursor: cursor } = body.meta;
    return { items: body.data, total, next: cursor === null ? null : String(new URLSearchParams({ cursor })) };
  }
  if ("meta" in body) {
    const { total, understood } = body.meta;
    return { items: body.vehicles, total, next, ...(understood !== undefined && { understood }) };
  }
  return { items: body, total: Number(response.headers.get("x-total-count") ?? body.length), next };
};

/** Reads a whole file. */
export const readFile = async (path: string, query?: Query): Promise<Blob> =>
  (await send("GET", urlOf(path, query), {})).blob();

/** Opens a stream. */
export const readStream = async (
  path: string,
  query: Query,
  parts: Pick<RequestParts, "signal" | "lastEventId">,
): Promise<ReadableStream<Uint8Array>> => {
  const { body } = await send("GET", urlOf(path, query), parts);
  if (body === null) throw new Error("a stream has no body");
  return body;
};

/** What the server may require before a change: a recent proof, or a session. */
const REQUIREMENTS = ["reauthentication_required", "signed_out"] as const;
type Requirement = (typeof REQUIREMENTS)[number];
/** Asks the user for it; false if they cancel. */
type AskUser = () => Promise<boolean>;
const askHandlers: Partial<Record<Requirement, AskUser>> = {};

/** Sets the function that asks the user to meet a requirement; returns a function that unsets it. */
export const onRequirement = (requirement: Requirement, ask: AskUser): (() => void) => {
  askHandlers[requirement] = ask;
  return () => {
    if (askHandlers[requirement] === ask) delete askHandlers[requirement];
  };
};

/** Signing in or out never waits for a session. */
const isSignInOrOut = (path: string): boolean => path.startsWith("/sign-");

/** Sends a change. If the server requires a session or a proof first, asks the user and sends it again. */
const sendChange = async <Body>(method: Exclude<Method, "GET">, path: string, parts: RequestParts): Promise<Body> => {
  const request = () => send(method, urlOf(path, parts.query), parts);
  const response = await request().catch(async (error) => {
    const requirement = REQUIREMENTS.find((code) => error instanceof ApiError && error.code === code);
    const ask = requirement === undefined || isSignInOrOut(path) ? undefined : askHandlers[requirement];
    if (ask === undefined || !(await ask())) throw error;
    return request();
  });
  return bodyOf<Body>(response);
};

/** Sends a change and returns the answer. */
export const change = <Body>(method: Exclude<Method, "GET">, path: string, body?: unknown): Promise<Body> =>
  sendChange<Body>(method, path, { body });

/** Sends a form with a file, and returns the answer. */
export const sendForm = <Body>(
  path: string,
  form: FormData,
  parts: Pick<RequestParts, "query" | "signal" | "transport">,
): Promise<Body> => sendChange<Body>("POST", path, { ...parts, form });

/** Sends a file with its name and type, and returns the answer. */
export const sendFile = <Body>(path: string, query: Query, file: File): Promise<Body> => {
  const form = new FormData();
  form.append("file", file);
  return sendForm<Body>(path, form, { query });
};

const deletedPaths = new Set<string>();

/** True for deleted records and everything below them, which must not be read again. */
export const isDeleted = (path: string): boolean =>
  [...deletedPaths].some((deleted) => path === deleted || path.startsWith(`${deleted}/`));

/** Notes that a deleted record exists again. */
export const markRestored = (path: string): void => void deletedPaths.delete(path);

/** Deletes a record; nothing reads it afterwards. */
export const deleteRecord = async (path: string): Promise<void> => {
  await change("DELETE", path);
  deletedPaths.add(path);
};

/** Changes a record if it still has this version; otherwise the server refuses with status 412. */
export const put = <Body>(path: string, body: object, version: string | undefined): Promise<Body> =>
  sendChange<Body>("PUT", path, { body, version });
