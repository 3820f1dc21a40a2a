import type { Logger } from "pino";

/** One finished request, as the log has it. Never the path or query themselves: clients put keys there by mistake. */
export interface Access {
  readonly method: string;
  /** The route's pattern; `unknown` for a path that is none. */
  readonly route: string;
  readonly status: number;
  readonly startedAt: number;
  readonly keyId: number | null;
  readonly requestId: string;
}

const KEY_LIKE = /vis_(?:web|desktop|mobile)_/i;
const MAX_PUBLIC = 31;

/** A request id fit for the log: one that may be a key, sent there by mistake, is left out. */
const loggable = (requestId: string): string =>
  requestId.length > MAX_PUBLIC && (KEY_LIKE.test(requestId) || !UUID.test(requestId)) ? "withheld" : requestId;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Writes one line for each request. */
export const logAccess = (log: Logger, { method, route, status, startedAt, keyId, requestId }: Access): void => {
  log.info({
    method,
    route,
    status,
    ms: Math.round((performance.now() - startedAt) * 1000) / 1000,
    key_id: keyId,
    request_id: loggable(requestId),
  });
};

/** Writes what a client is not told: the error behind a 500 or 503. */
export const logFailure = (log: Logger, route: string, requestId: string, error: unknown): void => {
  log.error({
    route,
    request_id: loggable(requestId),
    err: error instanceof Error ? error : { message: String(error) },
  });
};
