import Type, { type Static, type TObject, type TSchema } from "typebox";
import type { Operation } from "../../../core/access/policy.ts";
import type { Principal } from "../../../core/access/principal.ts";
import type { Timestamp } from "../../../core/clock.ts";
import type { Outcome } from "../../../core/failure.ts";
import type { Upload } from "../../../core/imports/reception.ts";
import type { MaybePromise } from "../../../core/maybe-promise.ts";
import type { SentParameters } from "./parameters.ts";
import type { ErrorCode } from "./problem.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** The arguments of a handler. All checks of interface 4 are done; the body is parsed but not validated. */
interface Call<Params, Query> {
  readonly principal: Principal;
  readonly params: Params;
  readonly query: Query;
  /** Parsed JSON; `undefined` if the operation takes no body, or none was sent where it is optional. */
  readonly body: unknown;
  /** The query as sent, for links to other pages. */
  readonly search: SentParameters;
  /** The address as sent, for links. */
  readonly url: string;
  /** Versions that If-Match names; `null` without the header or for `*`. */
  readonly versions: readonly Timestamp[] | null;
  /** True while the caller may still do what it could when it was admitted; for what is done in many steps. */
  readonly mayGoOn: () => MaybePromise<boolean>;
}

/** A body that is JSON text already. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** A success. */
export interface Answer {
  readonly status: 200 | 201 | 202;
  /** Serialized as JSON, unless it is JSON already. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The version of a single vehicle or dealer, for its ETag. */
  readonly version?: Version | undefined;
  /** Values of Set-Cookie. */
  readonly cookies?: readonly string[] | undefined;
}

/** One state of one record. */
export interface Version {
  readonly id: number;
  readonly updated_at: Timestamp;
  /** A letter that tells apart answers of one state that differ by something outside the record. */
  readonly variant?: string;
}

/** The required form of a request's body; the use case validates it. */
interface Body {
  /** The schema's name in the documentation. */
  readonly name: string;
  readonly schema: TObject;
  readonly readOnly: readonly string[];
  readonly optional?: boolean;
  /** How many members all its objects may have together, if more than other bodies. */
  readonly maxMembers?: number;
  /** A body that works when it is sent as it is. */
  readonly example: object;
}

/** A file as an answer. */
interface FileAnswer {
  /** The forms that it may have. */
  readonly types: readonly ("text/csv" | "text/tab-separated-values" | "application/x-ndjson")[];
  /** True if `X-Total-Count` says how many records there are. */
  readonly isCounted: boolean;
}

/** The file that a request sends in place of JSON, and what takes it in while it arrives. */
interface FileBody<Query> {
  /** The media types that are read, the one of the example first. */
  readonly types: readonly string[];
  /** A file that works when it is sent as it is. */
  readonly example: string;
  /** Its result becomes the `body` of the handler, which runs after the caller was looked up again. */
  readonly receive: (sending: {
    readonly principal: Principal;
    readonly query: Query;
    readonly upload: Upload;
  }) => Promise<Outcome<unknown>>;
}

interface RouteDefinition<Params extends TObject, Query extends TObject> {
  readonly operation: Operation;
  /** The operation's name in the documentation and in generated clients. */
  readonly name: string;
  readonly method: Method;
  readonly path: `/api/${string}`;
  readonly summary: string;
  readonly description?: string;
  readonly params: Params;
  readonly query: Query;
  readonly body?: Body;
  readonly file?: FileBody<Static<Query>>;
  readonly answer: {
    readonly status: 200 | 201 | 202;
    readonly schema: TSchema;
    readonly description: string;
    /** What the answer is, if not JSON: a file to be kept. */
    readonly file?: FileAnswer;
  };
  /**
   * Answers of `list` routes have X-Total-Count and Link. Those of `versioned` routes have an ETag and honour If-Match
   * and If-None-Match. Those of `progress` routes have Retry-After while the work goes on.
   */
  readonly traits?: readonly ("list" | "versioned" | "progress")[];
  /** Errors of the use case. Earlier errors follow from the entry point, the policy and the other fields. */
  readonly errors: readonly ErrorCode[];
  /** For a versioned read: true if it would answer with this version of the record. Costs less than reading it. */
  readonly isVersion?: (principal: Principal, params: Static<Params>, version: Timestamp) => MaybePromise<boolean>;
  readonly handle: (call: Call<Static<Params>, Static<Query>>) => MaybePromise<Outcome<Answer>>;
}

/** A route without its own types, for the router and the documentation. */
export type Route = RouteDefinition<TObject, TObject>;

const NO_PARAMETERS = Type.Object({});

/**
 * Declares a route. Every route names its operation, and so the policy's rule that admits callers. A route without an
 * operation does not compile.
 */
export const route = <Params extends TObject = typeof NO_PARAMETERS, Query extends TObject = typeof NO_PARAMETERS>(
  definition: Omit<RouteDefinition<Params, Query>, "params" | "query"> & {
    readonly params?: Params;
    readonly query?: Query;
  },
): Route => ({ params: NO_PARAMETERS, query: NO_PARAMETERS, ...definition }) as unknown as Route;

/** Answers 200 with this body. */
export const ok = (body: unknown, more: Pick<Answer, "headers" | "version" | "cookies"> = {}): Answer => ({
  status: 200,
  body,
  headers: more.headers,
  version: more.version,
  cookies: more.cookies,
});

/** Answers 201 with the record and its new location. */
export const created = (body: unknown, location: string, version?: Version): Answer => ({
  status: 201,
  body,
  headers: { location },
  ...(version !== undefined && { version }),
});

/** Answers 202: the work begins soon, and `location` shows its progress. */
export const accepted = (body: unknown, location: string): Answer => ({ status: 202, body, headers: { location } });

/** Answers a removal, or another action that has no record to show. */
export const done = (message: string, cookies?: readonly string[]): Answer =>
  ok({ success: true, message }, { cookies });
