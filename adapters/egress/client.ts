import type http from "node:http";
import type https from "node:https";
import type { SteadyClock } from "../../core/clock.ts";
import type { Credentials } from "../../core/egress/credentials.ts";
import {
  EGRESS_LIMITS,
  type Egress,
  type EgressAnswer,
  EgressFailure,
  type EgressLimits,
  type EgressProblem,
  type EgressRequest,
} from "../../core/egress/egress.ts";
import { type Network, networkOf } from "../../core/egress/networks.ts";
import { MIN_SPEED, Pace } from "../../core/pace.ts";
import {
  permittedAddresses,
  type Resolve,
  refusalWithoutLookUp,
  systemResolve,
  type Target,
  targetOf,
} from "./target.ts";

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MAX_HEADER_BYTES = 16 * 1024;
/** The maximum number of informational responses, such as 103, before the final response. */
const MAX_INFORMATIONAL = 8;

const KIBIBYTE = 1024;
/** How often the speed of a body is checked. */
const CHECK_MS = 100;

/** The settings of a client. The service sets only `allowed` and `clock`; the others are for tests. */
interface Parts {
  /** Networks that may be reached, also without TLS, although they would be refused otherwise. */
  readonly allowed: readonly Network[];
  /** The clock that measures the speed of bodies. */
  readonly clock: SteadyClock;
  readonly resolve?: Resolve;
  readonly limits?: EgressLimits;
  /** A certificate authority to trust in addition to those of the system. */
  readonly ca?: string;
}

type Meaning = readonly [code: RegExp, problem: EgressProblem, meaning: string];

/** The problem that each error code of a connection means. The first pattern that matches applies. */
const MEANINGS: readonly Meaning[] = [
  [/^HPE_/, "answer_wrong", "gave no answer of HTTP that can be read"],
  [/CERT|VERIFY|TLS|SSL/, "certificate_wrong", "has no certificate that is valid for it"],
];
/** The problem of all other codes. */
const UNREACHABLE: Meaning = [/./, "unreachable", "could not be reached, or broke off"];

/** Errors after which another address of the host is tried, because no connection was made. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "ETIMEDOUT",
  "ConnectionRefused",
  "FailedToOpenSocket",
]);

const codeOf = (error: unknown): string => String((error as { readonly code?: unknown } | null)?.code);

const failureOf = (error: unknown, { host }: Target): EgressFailure => {
  if (error instanceof EgressFailure) return error;
  const code = codeOf(error);
  const [, problem, meaning] = MEANINGS.find(([pattern]) => pattern.test(code)) ?? UNREACHABLE;
  return new EgressFailure(problem, `${host} ${meaning}`, { cause: error });
};

/** A time limit: `signal` aborts with the failure when the time is over or `end` is called. */
const timeLimit = (ms: number, failure: () => EgressFailure) => {
  const controller = new AbortController();
  const end = (why: EgressFailure): void => controller.abort(why);
  const timer = setTimeout(() => end(failure()), ms);
  return { signal: controller.signal, end, clear: () => clearTimeout(timer) };
};
type TimeLimit = ReturnType<typeof timeLimit>;

/** The result of `work`. Throws the signal's reason if the signal aborts first. */
const unlessAborted = <Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    const over = (): void => reject(signal.reason);
    if (signal.aborted) over();
    signal.addEventListener("abort", over, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", over));
  });

const headersOf = (credentials: Credentials): Readonly<Record<string, string>> =>
  credentials.type === "header"
    ? { [credentials.name]: credentials.value }
    : {
        authorization: `Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString("base64")}`,
      };

/** What one request sends. */
interface Outgoing {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** The body of a POST; a GET has none. */
  readonly sent?: string;
}

/** The headers of an answer, by names in lower case. */
const headersIn = ({ headers }: http.IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** The first bytes of an answer as text; the rest is not read. It may end early if the connection does. */
const beginningOf = async (message: http.IncomingMessage): Promise<string> => {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of message as AsyncIterable<Uint8Array>) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes >= KIBIBYTE) break;
  }
  return Buffer.concat(pieces).subarray(0, KIBIBYTE).toString().replaceAll("\0", "");
};

/** The pause that `Retry-After` asks for, as a number or as a date beside that of the answer; `null` for neither. */
const retryAfterSeconds = ({ "retry-after": value = "", date = "" }: http.IncomingHttpHeaders): number | null => {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const ms = Date.parse(value) - Date.parse(date);
  return Number.isNaN(ms) ? null : Math.max(0, Math.ceil(ms / 1000));
};

const seconds = (ms: number): string => `${ms / 1000} seconds`;

/** Makes requests. It is loaded with the first one, as few services fetch anything, and all of them start. */
const requesterOf = async ({ url }: Target): Promise<typeof https.request> =>
  (await (url.protocol === "https:" ? import("node:https") : import("node:http"))).request;

/** A client that checks the addresses that it connects to. The port describes what it guarantees. */
export const guardedEgress = ({
  allowed,
  clock,
  resolve = systemResolve,
  limits = EGRESS_LIMITS,
  ca,
}: Parts): Egress => {
  const addressesOf = permittedAddresses(allowed, resolve);

  /** The response from this address, as soon as its headers have arrived. */
  const requestTo = async (
    target: Target,
    address: string,
    { headers, signal, sent }: Outgoing,
  ): Promise<http.IncomingMessage> => {
    const request = await requesterOf(target);
    signal.throwIfAborted();
    const { url, host } = target;
    return new Promise((resolve, reject) => {
      const isName = networkOf(host) === null;
      const outgoing = request({
        // The connection goes to the address that was checked. The name is not resolved again, and no proxy is used.
        host: address,
        port: target.port,
        path: `${url.pathname}${url.search}`,
        method: sent === undefined ? "GET" : "POST",
        agent: false,
        maxHeaderSize: MAX_HEADER_BYTES,
        headers: { accept: "*/*", "accept-encoding": "gzip", ...headers, host: url.host },
        // Set explicitly, because the environment could switch it off.
        rejectUnauthorized: true,
        ...(isName && { servername: host.replace(/\.$/, "") }),
        ...(ca !== undefined && { ca }),
      });
      let information = 0;
      outgoing.on("information", () => {
        if (++information > MAX_INFORMATIONAL)
          outgoing.destroy(new EgressFailure("answer_wrong", `${host} does not come to its answer`));
      });
      outgoing.on("response", resolve);
      outgoing.on("error", reject);
      signal.addEventListener("abort", () => outgoing.destroy(signal.reason), { once: true });
      outgoing.end(sent);
    });
  };

  /** The response to one request. Redirects are not followed. */
  const responseOf = async (
    target: Target,
    { headers, sent, signal: whole }: Outgoing,
  ): Promise<http.IncomingMessage> => {
    const late = () =>
      new EgressFailure("too_late", `${target.host} did not answer within ${seconds(limits.firstByteMs)}`);
    const first = timeLimit(limits.firstByteMs, late);
    const signal = AbortSignal.any([first.signal, whole]);
    try {
      let refused: unknown;
      for (const address of await unlessAborted(signal, addressesOf(target)))
        try {
          return await unlessAborted(
            signal,
            requestTo(target, address, { headers, signal, ...(sent !== undefined && { sent }) }),
          );
        } catch (error) {
          if (!NOT_CONNECTED.has(codeOf(error))) throw error;
          refused = error;
        }
      throw refused;
    } catch (error) {
      throw failureOf(error, target);
    } finally {
      first.clear();
    }
  };

  const tooLarge = (host: string, maxBytes: number) =>
    new EgressFailure("too_large", `${host} sent more than ${maxBytes} bytes`);

  const tooSlow = (host: string) =>
    new EgressFailure("too_late", `${host} sent too slowly: less than ${MIN_SPEED / KIBIBYTE} KiB a second`);

  async function* bodyOf(
    message: http.IncomingMessage,
    target: Target,
    { maxBytes, whole, release }: { maxBytes: number; whole: TimeLimit; release: () => void },
  ): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    const pace = new Pace(clock);
    const checkPace = (): void => {
      if (pace.isTooSlow()) whole.end(tooSlow(target.host));
    };
    const timer = setInterval(checkPace, CHECK_MS);
    try {
      pace.wait();
      for await (const piece of message as AsyncIterable<Uint8Array>) {
        pace.moved(piece.length);
        bytes += piece.length;
        if (bytes > maxBytes) throw tooLarge(target.host, maxBytes);
        yield piece;
        pace.wait();
      }
    } catch (error) {
      throw failureOf(error, target);
    } finally {
      clearInterval(timer);
      release();
    }
  }

  /** The final response, after all redirects. */
  const followRedirects = async (
    { url, headers = {}, credentials = null, maxBytes }: EgressRequest,
    whole: TimeLimit,
  ): Promise<EgressAnswer> => {
    let target = targetOf(url);
    let isTrusted = true;
    for (let redirects = 0; ; redirects++) {
      const sent = { ...headers, ...(isTrusted && credentials !== null && headersOf(credentials)) };
      const message = await responseOf(target, { headers: sent, signal: whole.signal });
      const status = message.statusCode ?? 0;
      const { location } = message.headers;
      if (!REDIRECTS.has(status) || location === undefined) {
        const release = (): void => {
          whole.clear();
          message.destroy();
        };
        // This also ends a body that is being read.
        whole.signal.addEventListener("abort", () => message.destroy(whole.signal.reason), { once: true });
        if (Number(message.headers["content-length"] ?? 0) > maxBytes) {
          release();
          throw tooLarge(target.host, maxBytes);
        }
        const body = bodyOf(message, target, { maxBytes, whole, release });
        return { status, headers: headersIn(message), body, discard: release };
      }
      message.destroy();
      if (redirects === limits.redirects)
        throw new EgressFailure("redirect_wrong", `${target.host} leads on after ${limits.redirects} redirects`);
      const next = targetOf(location, target.url);
      // After a redirect to another origin, credentials are not sent any more.
      isTrusted &&= next.url.origin === target.url.origin;
      target = next;
    }
  };

  return {
    refusal: refusalWithoutLookUp(allowed),

    async post({ url, headers, body }) {
      const target = targetOf(url);
      const late = () =>
        new EgressFailure("too_late", `${target.host} did not answer within ${seconds(limits.postMs)}`);
      const whole = timeLimit(limits.postMs, late);
      // What is kept of the answer is read by people.
      const own = { "accept-encoding": "identity", "content-length": String(Buffer.byteLength(body)) };
      try {
        const message = await responseOf(target, {
          headers: { ...headers, ...own },
          signal: whole.signal,
          sent: body,
        });
        try {
          const beginning = await unlessAborted(whole.signal, beginningOf(message));
          return { status: message.statusCode ?? 0, retryAfterSeconds: retryAfterSeconds(message.headers), beginning };
        } finally {
          message.destroy();
        }
      } catch (error) {
        throw failureOf(error, target);
      } finally {
        whole.clear();
      }
    },

    async get(request) {
      const late = () => new EgressFailure("too_late", `The whole was not there within ${seconds(limits.wholeMs)}`);
      const whole = timeLimit(limits.wholeMs, late);
      request.ended?.then(whole.end);
      try {
        return await followRedirects(request, whole);
      } catch (error) {
        whole.clear();
        throw error;
      }
    },
  };
};
