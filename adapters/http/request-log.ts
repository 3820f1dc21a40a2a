import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";
import { bytesOf, type LogBatch, put, putAscii, putMilliseconds, putNumber } from "./log-batch.ts";

/** What the service writes about itself, in lines of JSON. */
export interface Log {
  readonly events: Logger;
  /** Takes the line of each request; `null` where the level leaves these out. */
  readonly access: LogBatch | null;
}

/** One finished request, as the log has it. Never the path or query themselves: clients put keys there by mistake. */
export interface Access {
  readonly method: string;
  readonly status: number;
  readonly startedAt: number;
  readonly keyId: number | null;
  readonly requestId: string;
}

const MAX_PUBLIC = 31;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** A request id fit for the log: one that may be a key, sent there by mistake, is left out. */
const loggable = (requestId: string): string =>
  requestId.length > MAX_PUBLIC && !UUID.test(requestId) ? "withheld" : requestId;

/** The same as it stands within quotes in JSON; a longer one is a UUID and has nothing to be escaped. */
const escaped = (requestId: string): string => {
  const shown = loggable(requestId);
  return shown.length > MAX_PUBLIC ? shown : JSON.stringify(shown).slice(1, -1);
};

const START = bytesOf('{"level":30,"time":"');
const DURATION = bytesOf(',"ms":');
const KEY = bytesOf(',"key_id":');
const NO_KEY = bytesOf("null");
const REQUEST = bytesOf(',"request_id":"');
const END = bytesOf('"}\n');
/** More than a line has besides its method and route. */
const ROOM = 400;

/**
 * Writes one line for each request of a route (its pattern; `unknown` for a path that is none). Put together by hand:
 * the logger's own way costs 4 µs a line, as much as reading a vehicle.
 */
export const accessLog = ({ access }: Log, clock: Clock, route: string): ((request: Access) => void) => {
  if (access === null) return () => {};
  const middles = new Map<string, Uint8Array>();
  const middleOf = (method: string): Uint8Array => {
    const known = middles.get(method);
    if (known !== undefined) return known;
    const made = bytesOf(`","method":${JSON.stringify(method)},"route":${JSON.stringify(route)},"status":`);
    middles.set(method, made);
    return made;
  };
  return ({ method, status, startedAt, keyId, requestId }) => {
    const middle = middleOf(method);
    access.reserve(middle.length + ROOM);
    const { bytes } = access;
    let at = put(bytes, access.filled, START);
    at = putAscii(bytes, at, clock.now());
    at = put(bytes, at, middle);
    at = putNumber(bytes, at, status);
    at = put(bytes, at, DURATION);
    at = putMilliseconds(bytes, at, performance.now() - startedAt);
    at = put(bytes, at, KEY);
    at = keyId === null ? put(bytes, at, NO_KEY) : putNumber(bytes, at, keyId);
    at = put(bytes, at, REQUEST);
    at = putAscii(bytes, at, escaped(requestId));
    access.filled = put(bytes, at, END);
  };
};

/** Writes what a client is not told: the error behind a 500 or 503. */
export const logFailure = ({ events }: Log, route: string, requestId: string, error: unknown): void => {
  events.error({
    route,
    request_id: loggable(requestId),
    err: error instanceof Error ? error : { message: String(error) },
  });
};
