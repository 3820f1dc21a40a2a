import { Failure } from "../failure.ts";
import type { Credentials } from "./credentials.ts";

/** Why nothing was fetched. */
export type EgressProblem =
  | "address_refused"
  | "address_unknown"
  | "unreachable"
  | "certificate_wrong"
  | "redirect_wrong"
  | "answer_wrong"
  | "too_late"
  | "not_wanted"
  | "too_large";

/**
 * Thrown if an address could not be fetched. The message is for people outside, and names no more than the address's
 * host. `detail` is for the log: what the message must not tell, such as the network that a name leads to.
 */
export class EgressFailure extends Error {
  override readonly name = "EgressFailure";
  readonly detail: string | null;
  constructor(
    readonly problem: EgressProblem,
    message: string,
    { detail = null, ...options }: ErrorOptions & { readonly detail?: string | null } = {},
  ) {
    super(message, options);
    this.detail = detail;
  }
}

/** What is fetched. */
export interface EgressRequest {
  readonly url: string;
  /** Sent to every host of the way. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent to the host of `url` only, not behind a redirect to another one. */
  readonly credentials?: Credentials | null;
  /** The maximum length of the body in bytes. */
  readonly maxBytes: number;
  /** Ends the request when it resolves, however much was received. */
  readonly ended?: Promise<EgressFailure>;
}

/** What is posted, to one address without redirects. */
interface EgressPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The answer to a post. */
interface EgressReply {
  readonly status: number;
  /** The pause that its `Retry-After` asks for; `null` if it asks for none. */
  readonly retryAfterSeconds: number | null;
  /** Up to the first KiB of the body, as text. The rest is not read. */
  readonly beginning: string;
}

/** The answer after all redirects. */
export interface EgressAnswer {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The bytes as they were sent, not unpacked; it may be read once. It throws an EgressFailure where the limits end it.
   * Whoever does not read to the end calls `discard`, or leaves the loop.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** Releases the connection. */
  discard(): void;
}

/**
 * Fetches what people outside name, without being led into networks that only this machine reaches. All addresses of a
 * host are checked, and the connection goes to one that was. Every request to an address that was not fixed by whoever
 * runs the service goes this way.
 */
export interface Egress {
  /** Throws an EgressFailure. */
  get(request: EgressRequest): Promise<EgressAnswer>;

  /** Posts to an address. It has 10 seconds for the whole, and a redirect is an answer. Throws an EgressFailure. */
  post(request: EgressPost): Promise<EgressReply>;

  /**
   * What an address must be, if nothing will ever be fetched from it; `null` if that depends on looking up its host's
   * name, or if it is allowed. Nothing is looked up.
   */
  refusal(url: string): string | null;
}

/** How long and how far a request goes. Its body is to keep the lowest speed besides. */
export interface EgressLimits {
  /** From the start of a post to the end of its answer. */
  readonly postMs: number;
  /** From the start of each request of the way to its headers. */
  readonly firstByteMs: number;
  /** From the start to the last byte. */
  readonly wholeMs: number;
  readonly redirects: number;
}

const MINUTE_MS = 60_000;

export const EGRESS_LIMITS: EgressLimits = {
  postMs: 10_000,
  firstByteMs: MINUTE_MS,
  wholeMs: 15 * MINUTE_MS,
  redirects: 3,
};

/** The failure if nothing would ever be fetched from an address, or sent to it. */
export const targetFailure = (egress: Pick<Egress, "refusal">, address: string): Failure | null => {
  const message = egress.refusal(address);
  return message === null ? null : new Failure({ kind: "target-refused", issue: { path: "url", message } });
};
