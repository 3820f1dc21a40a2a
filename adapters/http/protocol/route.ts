import Type, { type Static, type TObject, type TSchema } from "typebox";
import type { Operation } from "../../../core/access/policy.ts";
import type { Caller } from "../../../core/access/use-case.ts";
import type { Timestamp } from "../../../core/clock.ts";
import { Failure, type Outcome } from "../../../core/failure.ts";
import type { ArrivingUpload } from "../../../core/imports/reception.ts";
import type { Arrival } from "../../../core/keys/me.ts";
import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import type { ArrivingPhoto } from "../../../core/photos/photos.ts";
import type { SentParameters } from "./parameters.ts";
import type { ErrorCode } from "./problem.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** The arguments of a handler. All checks of interface 4 were made. The body was parsed, but not validated. */
export interface Call<Params, Query> {
  readonly principal: Caller;
  readonly params: Params;
  readonly query: Query;
  /** The parsed JSON; `undefined` if the operation takes no body, or if it is optional and none was sent. */
  readonly body: unknown;
  /** The query as it was sent, for links to other pages. */
  readonly search: SentParameters;
  /** The address as it was sent, for links. */
  readonly url: string;
  /** The versions in If-Match; `null` if there is no such header, or if it is `*`. */
  readonly versions: readonly Timestamp[] | null;
  /** True while the caller may still do what it could when it was admitted. It is for work with many steps. */
  readonly mayGoOn: () => MaybePromise<boolean>;
  /** How the request arrived. */
  readonly arrival: Arrival;
  /** How a request waits for what others do. */
  readonly waiting: Waiting;
}

/** Waiting for what others do. */
export interface Waiting {
  /** The id of the last event that the client has; `null` if it has none. */
  readonly lastEventId: string | null;
  /** Waits without counting the time for the request. */
  during<Value>(happening: Promise<Value>): Promise<Value>;
  /** Calls `end` if the client goes away. Returns a function that takes this back. */
  onGone(end: () => void): () => void;
}

/** A body that is already JSON text. */
export class JsonText {
  constructor(readonly text: string) {}
}

const TIMESTAMP_KEY = '"timestamp":"';

/** JSON text that says when it was answered. The time is written when it is sent. */
export class StampedJson {
  private constructor(
    private readonly before: string,
    private readonly after: string,
    /** The number of characters. */
    readonly length: number,
  ) {}

  /** Takes the time out of a JSON text, from its first `timestamp`; `null` if it has none. */
  static of(text: string): StampedJson | null {
    // Within a text of JSON, the quotes of the key would be escaped.
    const key = text.indexOf(TIMESTAMP_KEY);
    if (key === -1) return null;
    const start = key + TIMESTAMP_KEY.length;
    return new StampedJson(text.slice(0, start), text.slice(text.indexOf('"', start)), text.length);
  }

  /** The text with this time. */
  at(time: Timestamp): string {
    return `${this.before}${time}${this.after}`;
  }
}

/** A success. */
export interface Answer {
  readonly status: 200 | 201 | 202;
  /** It is serialized as JSON, unless it is JSON text already. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The version of a single vehicle or dealer, for its ETag. */
  readonly version?: Version | undefined;
  /** The values of Set-Cookie headers. */
  readonly cookies?: readonly string[] | undefined;
}

/** One state of a record. */
export interface Version {
  readonly id: number;
  readonly updated_at: Timestamp;
  /** Up to 14 letters that tell apart different answers in one state, if they depend on something outside the record. */
  readonly variant?: string;
}

/** The form that a request's body must have. The use case validates the body. */
interface Body {
  /** The schema's name in the documentation. */
  readonly name: string;
  readonly schema: TObject;
  readonly readOnly: readonly string[];
  readonly optional?: boolean;
  /** The maximum number of members in all its objects together, if it is more than in other bodies. */
  readonly maxMembers?: number;
  /** A body that can be sent without changes. */
  readonly example: object;
}

interface FileAnswer {
  /** The media types that it may have. */
  readonly types: readonly string[];
  /** True if `X-Total-Count` contains the number of records. */
  readonly isCounted: boolean;
  /** The beginning of a file of the first of the types. */
  readonly example: string;
}

/** The file that a request sends instead of JSON, and the function that receives it. */
interface FileBody<Query> {
  /** The media types that are read, beginning with that of the example. */
  readonly types: readonly string[];
  /** A file that can be sent without changes. */
  readonly example: string;
  /** Its result becomes the `body` of the handler. The handler runs after the caller was looked up again. */
  readonly receive: (sending: {
    readonly principal: Caller;
    readonly query: Query;
    readonly upload: ArrivingUpload;
  }) => Promise<Outcome<unknown> | null>;
}

/** The photo that a request may send instead of JSON, and the function that receives it. */
interface PhotoBody<Params> {
  /** The media types that are documented. What counts are the bytes. */
  readonly types: readonly string[];
  /** The fields that a form may have beside the file. */
  readonly fields: readonly string[];
  /** Its result becomes the `body` of the handler. The handler runs after the caller was looked up again. */
  readonly receive: (sending: {
    readonly principal: Caller;
    readonly params: Params;
    readonly photo: ArrivingPhoto;
  }) => Promise<Outcome<unknown> | null>;
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
  /** Beside `body`, whose media type is JSON. */
  readonly photo?: PhotoBody<Static<Params>>;
  /** Work for some bodies that takes longer than a request may take. Its time does not count for the request. */
  readonly prepare?: {
    readonly isNeeded: (body: unknown) => boolean;
    /** Its result becomes the `body` of the handler. */
    readonly work: (sent: {
      readonly principal: Caller;
      readonly params: Static<Params>;
      readonly body: unknown;
    }) => MaybePromise<Outcome<unknown>>;
  };
  readonly answer: {
    readonly status: 200 | 201 | 202;
    readonly schema: TSchema;
    readonly description: string;
    /** Set if the answer is not JSON, but a file. */
    readonly file?: FileAnswer;
  };
  /** A second success, with the same schema. */
  readonly also?: { readonly status: 200; readonly description: string };
  /**
   * Answers of `list` routes have X-Total-Count and Link. Those of `versioned` routes have an ETag and honour If-Match
   * and If-None-Match. Those of `waiting` routes may come late: the caller's rights are judged again if they change
   * meanwhile. Those of `stream` routes are events, and take `Last-Event-ID`. Those of `progress` routes have
   * Retry-After while the work goes on. Those of `duplicates` routes have X-Duplicate-Of if there are any.
   */
  readonly traits?: readonly ("list" | "versioned" | "progress" | "duplicates" | "waiting" | "stream")[];
  /**
   * Errors of the use case. Those that are given before follow from the entry point, the policy and the other fields.
   */
  readonly errors: readonly ErrorCode[];
  /**
   * For a versioned read: true if the answer would have this version of the record. It costs less than reading the
   * record.
   */
  readonly isVersion?: (
    principal: Caller,
    asked: { readonly params: Static<Params>; readonly query: Static<Query> },
    version: Timestamp,
  ) => MaybePromise<boolean>;
  /**
   * For a read that may be about one dealer's inventory: the version of the answer, or `null` if it has none. It costs
   * less than the answer.
   */
  readonly listVersion?: (
    call: Pick<Call<Static<Params>, Static<Query>>, "principal" | "params" | "query">,
  ) => MaybePromise<string | null>;
  /** The fields of its answer that are shown once: a repeated request gets `null`. */
  readonly secrets?: readonly string[];
  /** The operation that a body needs besides the route's own. A repeated request needs it, too. */
  readonly alsoNeeds?: (body: unknown) => Operation;
  readonly handle: Handle<Static<Params>, Static<Query>, Answer>;
}

type Handle<Params, Query, Success> = (call: Call<Params, Query>) => MaybePromise<Outcome<Success>>;

/**
 * How the answer is made from what the use case returns: the record (200), a created record (201) or work that was
 * accepted (202) with its location, or a sentence that says what was done. Other answers have a `handle` of their own.
 */
type Answering<Params, Query> =
  | { readonly handle: Handle<Params, Query, Answer> }
  | { readonly answers: "record"; readonly of: Handle<Params, Query, unknown> }
  | { readonly answers: "created" | "accepted"; readonly of: Handle<Params, Query, { readonly id: number }> }
  | { readonly answers: "done"; readonly of: Handle<Params, Query, unknown>; readonly says: (of: Params) => string };

/** A route without its own types, for the router and the documentation. */
export type Route = RouteDefinition<TObject, TObject>;

/** Answers 200 with this body. */
export const ok = (body: unknown, more: Pick<Answer, "headers" | "version" | "cookies"> = {}): Answer => ({
  status: 200,
  body,
  headers: more.headers,
  version: more.version,
  cookies: more.cookies,
});

/** Answers 201 with the record and its location. */
export const created = (body: unknown, location: string, version?: Version): Answer => ({
  status: 201,
  body,
  headers: { location },
  ...(version !== undefined && { version }),
});

/** Answers 202: the work will begin soon, and `location` shows its progress. */
const accepted = (body: unknown, location: string): Answer => ({ status: 202, body, headers: { location } });

/** Answers a removal, or another action that has no record to show. */
export const done = (message: string, cookies?: readonly string[]): Answer =>
  ok({ success: true, message }, { cookies });

const handleOf = <Params, Query>(path: string, answering: Answering<Params, Query>): Handle<Params, Query, Answer> => {
  if ("handle" in answering) return answering.handle;
  // A record is at the path of its list, and so is what becomes of an action on it.
  const [list] = path.split("/:id");
  return (call) => {
    switch (answering.answers) {
      case "record":
        return andThen(answering.of(call), (record) => (record instanceof Failure ? record : ok(record)));
      case "done":
        return andThen(answering.of(call), (outcome) =>
          outcome instanceof Failure ? outcome : done(answering.says(call.params)),
        );
      default: {
        const answer = answering.answers === "created" ? created : accepted;
        return andThen(answering.of(call), (record) =>
          record instanceof Failure ? record : answer(record, `${list}/${record.id}`),
        );
      }
    }
  };
};

const NO_PARAMETERS = Type.Object({});

/**
 * Declares a route. Every route names its operation, and with it the rule of the policy that admits callers. A route
 * without an operation does not compile.
 */
export const route = <Params extends TObject = typeof NO_PARAMETERS, Query extends TObject = typeof NO_PARAMETERS>(
  definition: Omit<RouteDefinition<Params, Query>, "params" | "query" | "handle"> & {
    readonly params?: Params;
    readonly query?: Query;
  } & Answering<Static<Params>, Static<Query>>,
): Route =>
  ({
    params: NO_PARAMETERS,
    query: NO_PARAMETERS,
    ...definition,
    handle: handleOf(definition.path, definition),
  }) as unknown as Route;
