/** One offending field, in the server's words. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

interface Refusal {
  readonly status: number;
  readonly code: string;
  /** The server's own sentence for a person. */
  readonly sentence: string;
  readonly details?: readonly Issue[] | undefined;
  /** Seconds to wait before the next try. */
  readonly retrySeconds?: number | null;
}

/** A refusal by the server, or no answer at all (status 0). */
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

/** Parameters of a list; those without a value are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** One page of a list; `total` and `next` where the server sends them. */
export interface Listed<Item> {
  readonly items: readonly Item[];
  readonly total: number;
  /** The query of the next page, for lists with cursors. */
  readonly next: string | null;
}

const BASE = "/portal/api";

/** The URL of a call: the same query always gives the same text. */
const addressOf = (path: string, query: Query = {}): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== "") search.set(name, String(value));
  return search.size === 0 ? `${BASE}${path}` : `${BASE}${path}?${search}`;
};

interface ErrorBody {
  readonly error?: string;
  readonly code?: string;
  readonly details?: readonly Issue[];
}

const NO_ANSWER = "The service does not answer. Check the connection and try again.";

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

const send = async (
  method: Method,
  address: string,
  { body, signal }: { readonly body?: unknown; readonly signal?: AbortSignal | undefined },
): Promise<Response> => {
  let response: Response;
  try {
    response = await fetch(address, {
      method,
      credentials: "same-origin",
      ...(body !== undefined && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
      ...(signal !== undefined && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError({ status: 0, code: "no_answer", sentence: NO_ANSWER });
  }
  if (!response.ok) throw await refusalOf(response);
  return response;
};

/** Reads one record. */
export const read = async <Body>(path: string, query?: Query, signal?: AbortSignal): Promise<Body> =>
  (await (await send("GET", addressOf(path, query), { signal })).json()) as Body;

/** The query of the next page's address, from a Link header as the service writes it. */
const nextOf = (link: string | null): string | null => {
  const next = link?.split(", ").find((part) => part.endsWith('>; rel="next"'));
  return next?.slice(next.indexOf("?") + 1, next.lastIndexOf(">")) ?? null;
};

/** Reads one page of a list that is a plain array. */
export const readList = async <Item>(path: string, query?: Query, signal?: AbortSignal): Promise<Listed<Item>> => {
  const response = await send("GET", addressOf(path, query), { signal });
  const items = (await response.json()) as readonly Item[];
  const total = Number(response.headers.get("x-total-count") ?? items.length);
  return { items, total, next: nextOf(response.headers.get("link")) };
};

/** Asks the signed-in user to authenticate again; false when they cancel. */
type AskForProof = () => Promise<boolean>;
let askForProof: AskForProof | null = null;

/** Sets the function that asks for a new proof when a change needs one; returns a function that unsets it. */
export const onProofWanted = (ask: AskForProof): (() => void) => {
  askForProof = ask;
  return () => {
    if (askForProof === ask) askForProof = null;
  };
};

const isProofWanted = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "reauthentication_required";

/** Makes a change and reads the answer. When the server asks for a recent proof, asks the user and sends the change again. */
export const change = async <Body>(method: Exclude<Method, "GET">, path: string, body?: unknown): Promise<Body> => {
  const request = () => send(method, addressOf(path), { body });
  const response = await request().catch(async (error) => {
    if (!isProofWanted(error) || askForProof === null || !(await askForProof())) throw error;
    return request();
  });
  const text = await response.text();
  return (text === "" ? null : JSON.parse(text)) as Body;
};
