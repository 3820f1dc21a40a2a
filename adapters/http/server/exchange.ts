import type { Principal } from "../../../core/access/principal.ts";
import type { KeyRefusal } from "../../../core/keys/credentials.ts";
import type { Arrival, Limits } from "../../../core/keys/me.ts";
import type { MaybePromise } from "../../../core/maybe-promise.ts";
import { addressOfRequest } from "../protocol/addresses.ts";
import type { Headers } from "../protocol/headers.ts";
import { NO_PARAMETERS, type SentParameters } from "../protocol/parameters.ts";
import type { Problem } from "../protocol/problem.ts";
import { requestIdOf } from "../protocol/request-id.ts";
import type { Answer, Waiting } from "../protocol/route.ts";
import type { AdmittedBy } from "./dealer-budget.ts";
import type { Deadline, PipelineParts } from "./parts.ts";
import type { RequestTrace } from "./request-tracer.ts";

/** A request as the router passes it on. */
export interface Incoming {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  /** Returns the address of the other end of the request's connection. */
  readonly peerOf: (request: Request) => string | null;
  /** How long the connection of a request may be silent from now on. */
  readonly waitFor?: (request: Request, seconds: number) => void;
}

/** The checked parameters of a request. */
interface Input {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** The known parameters of the query as they were sent. */
  readonly search: SentParameters;
}

const NO_INPUT: Input = { params: {}, query: {}, search: NO_PARAMETERS };

/** A request on its way to an answer, with everything that the steps have found out. */
export class Exchange implements Arrival, Waiting {
  readonly request: Request;
  readonly params: Incoming["params"];
  readonly requestId: string;
  /** The time of `performance.now()` when the request began. */
  readonly startedAt = performance.now();
  readonly deadline: Deadline;
  /** The answer's own headers, without those that all answers share. */
  readonly headers: Headers;
  /** The admitted caller; `null` if there is none. */
  caller: Principal | null = null;
  /** The caller, as the entry point identified it. It is the same object while nothing about the caller changes. */
  identified: Principal | null = null;
  /** The refused key with the reason; `null` if none was refused. The id is `null` if it is unknown. */
  refused: { readonly keyId: number | null; readonly reason: KeyRefusal } | null = null;
  /** The caller whose key may not be used from its address. */
  outside: Principal | null = null;
  /** The answer for a request over its limit. It is given after the earlier checks have passed. */
  overLimit: Problem | null = null;
  /** The tightest limit of the caller, and what is left of it; `null` until the request is counted. */
  counted: AdmittedBy | null = null;
  /** The tag of the answer, if it is about one dealer's inventory. */
  listTag: string | null = null;
  /** Keeps the answer for later requests, if it is about one dealer's inventory. */
  keepAnswer: ((answer: Answer) => Answer) | null = null;
  /** What the caller calls the change, so that it can be sent again; `null` if it has no name. */
  idempotencyKey: string | null = null;
  /** A hash of what was sent, if the change has a name and something was sent. */
  fingerprint: string | null = null;
  /** Follows the request; `null` if it is not recorded. */
  trace: RequestTrace | null = null;
  input = NO_INPUT;
  /** The parsed JSON, or the Problem with it; `undefined` if there is no body. */
  body: unknown = undefined;
  private knownAddress: string | null = null;

  constructor(
    private readonly incoming: Incoming,
    private readonly parts: Pick<PipelineParts, "isSecret" | "trustedProxyHops" | "deadlines">,
  ) {
    this.request = incoming.request;
    this.params = incoming.params;
    this.requestId = requestIdOf(incoming.request, parts.isSecret);
    this.deadline = parts.deadlines.deadlineOf(this.request);
    this.headers = { "x-request-id": this.requestId };
  }

  /** How long the connection may be silent from now on. */
  waitFor(seconds: number): void {
    this.incoming.waitFor?.(this.request, seconds);
  }

  /** The client's address. It is determined when it is first needed. */
  get address(): string {
    this.knownAddress ??= addressOfRequest(this.request, this.incoming.peerOf, this.parts.trustedProxyHops);
    return this.knownAddress;
  }

  /** The tightest limit of the caller, and what is left of it. Throws if the request was not counted. */
  get limits(): Limits {
    if (this.counted === null) throw new Error("the request was not counted yet");
    const { budget, admission } = this.counted;
    return { per_minute: budget.limit, remaining: admission.remaining, reset_seconds: admission.resetSeconds };
  }

  get lastEventId(): string | null {
    return this.request.headers.get("last-event-id");
  }

  async during<Value>(happening: Promise<Value>): Promise<Value> {
    return this.deadline.waitForClient(happening);
  }

  onGone(end: () => void): () => void {
    const { signal } = this.request;
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
    return () => signal.removeEventListener("abort", end);
  }

  /** The caller. Throws if no step has admitted one. */
  get principal(): Principal {
    if (this.caller === null) throw new Error("the caller is not known yet");
    return this.caller;
  }
}

/** The outcome of a request: a success or an error. */
export type Result = Answer | Problem;

/** One step of a request. It ends the request with a result, or lets it continue by returning `undefined`. */
export type Step<Of extends Exchange = Exchange> = (exchange: Of) => MaybePromise<Result | undefined>;

/** Runs the steps in order until one of them ends the request. Returns a promise only if a step does. */
export const runSteps = <Of extends Exchange>(
  steps: readonly Step<Of>[],
  exchange: Of,
  from = 0,
): MaybePromise<Result> => {
  for (let index = from; index < steps.length; index++) {
    const result = steps[index]?.(exchange);
    if (result instanceof Promise) return result.then((late) => late ?? runSteps(steps, exchange, index + 1));
    if (result !== undefined) return result;
  }
  throw new Error("no step answered the request");
};
