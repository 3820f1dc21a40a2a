import type { Logger } from "pino";
import type { Clock } from "../../../core/clock.ts";
import type { KeyRefusal } from "../../../core/keys/credentials.ts";
import { asciiJson } from "../protocol/ascii-json.ts";
import type { IsSecret } from "../protocol/keys-in-text.ts";
import { bytesOf, codeOf } from "../protocol/response-facts.ts";
import { sentTraceOf } from "../protocol/trace-id.ts";
import { safeUserAgent } from "../protocol/user-agent.ts";

/** The service's log, in lines of JSON. */
export interface Log {
  readonly events: Logger;
  /**
   * Takes the line of each request, which is short and ASCII. It is `null` if the log level leaves out all of these
   * lines.
   */
  readonly access: ((line: string) => void) | null;
}

/**
 * A finished request, as it is logged. It never contains the path or the query, as clients put keys there by mistake.
 */
export interface LoggedRequest {
  readonly request: Request;
  readonly requestId: string;
  /** The client's address. */
  readonly address: string;
  /** The admitted caller; `null` if there is none. */
  readonly caller: {
    readonly keyId: number | null;
    readonly userId: number | null;
    readonly dealerId: number | null;
  } | null;
  /** The trace that the request is a part of, if the service records it. */
  readonly trace?: { readonly traceId: string } | null;
  /** The refused key with the reason; `null` if none was refused. The id is `null` if it is unknown. */
  readonly refused: { readonly keyId: number | null; readonly reason: KeyRefusal } | null;
}

/** What is needed to write lines of the log. */
export interface LogParts {
  readonly log: Log;
  readonly clock: Clock;
  readonly isSecret: IsSecret;
}

const THOUSANDTHS = Array.from({ length: 1000 }, (_, number) => `.${String(number).padStart(3, "0")}`);
/** The texts for durations below a millisecond. Nearly all requests are that fast. */
const SUB_MILLISECOND = THOUSANDTHS.map((text) => `0${text}`);

/** Milliseconds with three decimals. Writing whole numbers is faster than writing a fraction. */
const thousandths = (ms: number): string => {
  const micros = Math.round(ms * 1000);
  return SUB_MILLISECOND[micros] ?? `${Math.floor(micros / 1000)}${THOUSANDTHS[micros % 1000]}`;
};

type AccessLevel = "error" | "warn" | "info" | "debug";

/** What monitoring asks for every few seconds, and websites for each photo. Their successes would drown the other lines. */
const PROBED: ReadonlySet<string> = new Set(["/health/live", "/health/ready", "/metrics", "/images/*"]);
const FIRST_FAILURE = 400;

/** The levels of a route's lines, by status. */
const levelsOf = (route: string): ((status: number) => AccessLevel) => {
  const isProbed = PROBED.has(route);
  return (status) => {
    if (status >= 500) return "error";
    if (status === 401 || status === 429) return "warn";
    return isProbed && status < FIRST_FAILURE ? "debug" : "info";
  };
};

const MAX_AGENTS = 500;
const MAX_CACHED_LENGTH = 500;

/** User agents as JSON. They are cached, as there are few, and searching them for keys is slow. */
const agentTexts = (isSecret: IsSecret): ((userAgent: string | null) => string) => {
  const known = new Map<string, string>();
  return (userAgent) => {
    if (userAgent === null) return "null";
    const cached = known.get(userAgent);
    if (cached !== undefined) return cached;
    const made = asciiJson(safeUserAgent(userAgent, isSecret));
    if (userAgent.length > MAX_CACHED_LENGTH) return made;
    if (known.size >= MAX_AGENTS) known.clear();
    known.set(userAgent, made);
    return made;
  };
};

/** All routes of a service share one cache. */
const agentTextsOf = new WeakMap<IsSecret, ReturnType<typeof agentTexts>>();

/**
 * Writes a line for each request of a route (its pattern, or `unknown`). The line is built by hand, because the logger
 * would take as long as reading a vehicle.
 */
export const accessLog = (
  { log, clock, isSecret }: LogParts,
  route: string,
): ((seen: LoggedRequest, response: Response, ms: number) => void) => {
  const { access, events } = log;
  if (access === null) return () => {};
  const levelOf = levelsOf(route);
  const isWritten = {
    debug: events.isLevelEnabled("debug"),
    info: events.isLevelEnabled("info"),
    warn: events.isLevelEnabled("warn"),
    error: events.isLevelEnabled("error"),
  };
  const logsRefusals = isWritten.debug;
  const agentOf = agentTextsOf.get(isSecret) ?? agentTexts(isSecret);
  agentTextsOf.set(isSecret, agentOf);
  const begin = lineStarts(route, levelOf);
  let [lastAddress, lastAddressText] = ["", '""'];
  /**
   * The address as text. It is cached, as most requests come from the same address: that of a proxy or a busy client.
   */
  const addressText = (address: string): string => {
    if (address === lastAddress) return lastAddressText;
    lastAddress = address;
    lastAddressText = asciiJson(address);
    return lastAddressText;
  };
  return (seen, response, ms) => {
    const { request, requestId, caller } = seen;
    const { status } = response;
    if (logsRefusals && seen.refused !== null)
      events.debug(
        {
          reason: seen.refused.reason,
          key_id: seen.refused.keyId,
          client_address: seen.address,
          route,
          request_id: requestId,
        },
        "a key was refused",
      );
    if (!isWritten[levelOf(status)]) return;
    const { method, headers } = request;
    const bytes = method === "HEAD" ? 0 : bytesOf(response);
    const code = codeOf(response);
    const sent = seen.trace ?? sentTraceOf(headers.get("traceparent"));
    const who =
      caller === null
        ? `,"key_id":${seen.refused?.keyId ?? null},"user_id":null,"dealer_id":null,"request_id":`
        : `,"key_id":${caller.keyId},"user_id":${caller.userId},"dealer_id":${caller.dealerId},"request_id":`;
    access(
      `${begin(method, status)}${clock.now()}","ms":${thousandths(ms)},"bytes":${bytes},"error_code":${
        code === null ? "null" : `"${code}"`
      },"client_address":${addressText(seen.address)},"user_agent":${agentOf(headers.get("user-agent"))}${who}${asciiJson(requestId)}${
        sent === null ? "}\n" : `,"trace_id":"${sent.traceId}"}\n`
      }`,
    );
  };
};

/** The start of a route's lines, up to the time, for each method and status. */
const lineStarts = (
  route: string,
  levelOf: (status: number) => AccessLevel,
): ((method: string, status: number) => string) => {
  const byMethod = new Map<string, string[]>();
  return (method, status) => {
    let byStatus = byMethod.get(method);
    if (byStatus === undefined) {
      byStatus = [];
      byMethod.set(method, byStatus);
    }
    byStatus[status] ??=
      `{"level":"${levelOf(status)}","method":${JSON.stringify(method)},"route":${JSON.stringify(route)},"status":${status},"time":"`;
    return byStatus[status];
  };
};

/**
 * Logs what the client is not told: the error that caused a 500 or 503, or because of which an answer was broken off.
 */
export const logFailure = (
  { events }: Log,
  {
    route,
    requestId,
    error,
    level = "error",
  }: { readonly route: string; readonly requestId: string; readonly error: unknown; readonly level?: "error" | "info" },
): void => {
  events[level]({
    route,
    request_id: requestId,
    err: error instanceof Error ? error : { message: String(error) },
  });
};
