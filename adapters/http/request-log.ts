import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";
import { bytesOf, codeOf } from "./answer-facts.ts";
import { asciiJson } from "./ascii-json.ts";
import type { IsSecret } from "./request-id.ts";
import { traceIdOf } from "./trace-id.ts";
import { shownUserAgent } from "./user-agent.ts";

/** What the service writes about itself, in lines of JSON. */
export interface Log {
  readonly events: Logger;
  /** Takes the line of each request, which is ASCII and short; `null` where the level leaves all of these out. */
  readonly access: ((line: string) => void) | null;
}

/** One finished request, as the log has it. Never the path or query themselves: clients put keys there by mistake. */
export interface Access {
  readonly request: Request;
  readonly startedAt: number;
  readonly requestId: string;
  /** Who was let in, if anybody was. */
  readonly caller: {
    readonly keyId: number | null;
    readonly userId: number | null;
    readonly dealerId: number | null;
  } | null;
  /** The key that was refused because it, or the secret sent, works no more. */
  readonly refusedKeyId: number | null;
}

/** What lines are made with. */
export interface LogParts {
  readonly log: Log;
  readonly clock: Clock;
  readonly isSecret: IsSecret;
}

const THOUSANDTHS = Array.from({ length: 1000 }, (_, number) => `.${String(number).padStart(3, "0")}`);

/** Milliseconds since a moment, with the microseconds; to write whole numbers takes less than a fraction. */
const elapsed = (startedAt: number): string => {
  const micros = Math.round((performance.now() - startedAt) * 1000);
  return `${Math.floor(micros / 1000)}${THOUSANDTHS[micros % 1000]}`;
};

const levelOf = (status: number): "error" | "warn" | "info" => {
  if (status >= 500) return "error";
  return status === 401 || status === 429 ? "warn" : "info";
};

const MAX_AGENTS = 500;
const LONGEST_KEPT = 500;

/** User agents as JSON. There are few of them, and to look for keys in one costs a microsecond. */
const agentTexts = (isSecret: IsSecret): ((userAgent: string | null) => string) => {
  const known = new Map<string, string>();
  return (userAgent) => {
    if (userAgent === null) return "null";
    const kept = known.get(userAgent);
    if (kept !== undefined) return kept;
    const made = asciiJson(shownUserAgent(userAgent, isSecret));
    if (userAgent.length > LONGEST_KEPT) return made;
    if (known.size >= MAX_AGENTS) known.clear();
    known.set(userAgent, made);
    return made;
  };
};

/** One for all routes of a service. */
const agentTextsOf = new WeakMap<IsSecret, ReturnType<typeof agentTexts>>();

/**
 * Writes one line for each request of a route (its pattern; `unknown` for a path that is none). Put together by hand:
 * the logger's own way costs 4 µs a line, as much as reading a vehicle.
 */
export const accessLog = <Seen extends Access>(
  { log, clock, isSecret }: LogParts,
  route: string,
  addressOf: (seen: Seen) => string,
): ((seen: Seen, response: Response) => void) => {
  const { access, events } = log;
  if (access === null) return () => {};
  const isWritten = {
    info: events.isLevelEnabled("info"),
    warn: events.isLevelEnabled("warn"),
    error: events.isLevelEnabled("error"),
  };
  const agentOf = agentTextsOf.get(isSecret) ?? agentTexts(isSecret);
  agentTextsOf.set(isSecret, agentOf);
  const middles = new Map<string, string>();
  const middleOf = (method: string): string => {
    const known = middles.get(method);
    if (known !== undefined) return known;
    const made = `","method":${JSON.stringify(method)},"route":${JSON.stringify(route)},"status":`;
    middles.set(method, made);
    return made;
  };
  return (seen, response) => {
    const { request, startedAt, requestId, caller } = seen;
    const { status } = response;
    const level = levelOf(status);
    if (!isWritten[level]) return;
    const { method, headers } = request;
    const bytes = method === "HEAD" ? 0 : bytesOf(response);
    const code = codeOf(response);
    const traceId = traceIdOf(headers.get("traceparent"));
    const what = `{"level":"${level}","time":"${clock.now()}${middleOf(method)}${status},"ms":${elapsed(startedAt)},"bytes":${bytes}`;
    const error = code === null ? "null" : `"${code}"`;
    const from = `"client_address":${asciiJson(addressOf(seen))},"user_agent":${agentOf(headers.get("user-agent"))}`;
    const who =
      caller === null
        ? `"key_id":${seen.refusedKeyId},"user_id":null,"dealer_id":null`
        : `"key_id":${caller.keyId},"user_id":${caller.userId},"dealer_id":${caller.dealerId}`;
    const ids = `"request_id":${asciiJson(requestId)}${traceId === null ? "" : `,"trace_id":"${traceId}"`}`;
    access(`${what},"error_code":${error},${from},${who},${ids}}\n`);
  };
};

/** Writes what a client is not told: the error behind a 500 or 503. */
export const logFailure = ({ events }: Log, route: string, requestId: string, error: unknown): void => {
  events.error({
    route,
    request_id: requestId,
    err: error instanceof Error ? error : { message: String(error) },
  });
};
