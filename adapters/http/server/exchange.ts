import type { Principal } from "../../../core/access/principal.ts";
import type { KeyRefusal } from "../../../core/keys/credentials.ts";
import type { MaybePromise } from "../../../core/maybe-promise.ts";
import { addressOfRequest } from "../protocol/addresses.ts";
import type { Headers } from "../protocol/headers.ts";
import { NOTHING_SENT, type Sent } from "../protocol/parameters.ts";
import type { Problem } from "../protocol/problem.ts";
import { requestIdOf } from "../protocol/request-id.ts";
import type { Answer } from "../protocol/route.ts";
import type { Deadline, PipelineParts } from "./parts.ts";

/** A request as the router hands it over. */
export interface Incoming {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  /** The address that the request's connection comes from. */
  readonly peerOf: (request: Request) => string | null;
}

/** The parameters of a request, checked. */
interface Input {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** The query's known parameters as they were sent. */
  readonly search: Sent;
}

const NO_INPUT: Input = { params: {}, query: {}, search: NOTHING_SENT };

/** One request on its way to an answer, and what the steps have found out about it. */
export class Exchange {
  readonly request: Request;
  readonly params: Incoming["params"];
  readonly requestId: string;
  /** By `performance.now`. */
  readonly startedAt = performance.now();
  readonly deadline: Deadline;
  /** The answer's own headers, besides those that all answers share. */
  readonly headers: Headers;
  /** Who was let in, if anybody was. */
  caller: Principal | null = null;
  /** The caller as the entry point knows it. The same object as long as nothing about the caller changes. */
  identified: Principal | null = null;
  /** The key that was refused, if one was: its number, where it is known, and the reason. */
  refused: { readonly keyId: number | null; readonly reason: KeyRefusal } | null = null;
  /** The answer to a request over its limit, given once the checks that come before have passed. */
  overLimit: Problem | null = null;
  input = NO_INPUT;
  /** Parsed JSON, or the Problem with it; `undefined` without a body. */
  body: unknown = undefined;
  private knownAddress: string | null = null;

  constructor(
    private readonly incoming: Incoming,
    private readonly parts: Pick<PipelineParts, "isSecret" | "trustedProxyHops" | "deadlines">,
  ) {
    this.request = incoming.request;
    this.params = incoming.params;
    this.requestId = requestIdOf(incoming.request.headers.get("x-request-id"), parts.isSecret);
    this.deadline = parts.deadlines.deadlineOf(this.request, this.startedAt);
    this.headers = { "x-request-id": this.requestId };
  }

  /** The client's address, found out when it is first asked for. */
  get address(): string {
    this.knownAddress ??= addressOfRequest(this.request, this.incoming.peerOf, this.parts.trustedProxyHops);
    return this.knownAddress;
  }

  /** The caller. Throws before a step has let anybody in. */
  get principal(): Principal {
    if (this.caller === null) throw new Error("nobody was let in yet");
    return this.caller;
  }
}

/** How a request ends: a success, or an error. */
export type Result = Answer | Problem;

/** One step on a request's way: ends it with a result, or lets it go on with `undefined`. */
export type Step<Of extends Exchange = Exchange> = (exchange: Of) => MaybePromise<Result | undefined>;

/** Takes the steps in their order until one ends the request. Waits only for steps that have to wait. */
export const takeSteps = <Of extends Exchange>(
  steps: readonly Step<Of>[],
  exchange: Of,
  from = 0,
): MaybePromise<Result> => {
  for (let index = from; index < steps.length; index++) {
    const result = steps[index]?.(exchange);
    if (result instanceof Promise) return result.then((late) => late ?? takeSteps(steps, exchange, index + 1));
    if (result !== undefined) return result;
  }
  throw new Error("no step answered the request");
};
