import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";

/** What the service writes about itself, in lines of JSON. */
export interface Log {
  readonly events: Logger;
  /** Takes the line of each request, which is ASCII and short; `null` where the level leaves these out. */
  readonly access: ((line: string) => void) | null;
}

/** One finished request, as the log has it. Never the path or query themselves: clients put keys there by mistake. */
export interface Access {
  readonly method: string;
  readonly status: number;
  readonly startedAt: number;
  readonly keyId: number | null;
  readonly requestId: string;
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** A request id as JSON; what is a UUID, as nearly all are, has nothing to be escaped. */
const quoted = (requestId: string): string => (UUID.test(requestId) ? `"${requestId}"` : JSON.stringify(requestId));

const THOUSANDTHS = Array.from({ length: 1000 }, (_, number) => `.${String(number).padStart(3, "0")}`);

/** Milliseconds since a moment, with the microseconds; to write whole numbers takes less than a fraction. */
const elapsed = (startedAt: number): string => {
  const micros = Math.round((performance.now() - startedAt) * 1000);
  return `${Math.floor(micros / 1000)}${THOUSANDTHS[micros % 1000]}`;
};

/**
 * Writes one line for each request of a route (its pattern; `unknown` for a path that is none). Put together by hand:
 * the logger's own way costs 4 µs a line, as much as reading a vehicle.
 */
export const accessLog = ({ access }: Log, clock: Clock, route: string): ((request: Access) => void) => {
  if (access === null) return () => {};
  const middles = new Map<string, string>();
  const middleOf = (method: string): string => {
    const known = middles.get(method);
    if (known !== undefined) return known;
    const made = `","method":${JSON.stringify(method)},"route":${JSON.stringify(route)},"status":`;
    middles.set(method, made);
    return made;
  };
  return ({ method, status, startedAt, keyId, requestId }) => {
    const start = `{"level":30,"time":"${clock.now()}${middleOf(method)}${status},"ms":${elapsed(startedAt)}`;
    access(`${start},"key_id":${keyId},"request_id":${quoted(requestId)}}\n`);
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
