import type { ErrorCode } from "./made/records.ts";

/** One invalid field of a request. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** The body of an answer that is an error. */
export interface ErrorBody {
  readonly error?: string;
  readonly code?: ErrorCode;
  readonly request_id?: string;
  readonly details?: readonly Issue[];
  /** Of a 403: the permission that the key lacks. */
  readonly needs?: { readonly resource: string; readonly action: string };
  /** Of a 403: the permissions that the key has. */
  readonly has?: readonly { readonly resource: string; readonly action: string }[];
}

/** What the service refused, or failed to do; or no answer at all, which has the status 0. */
export class InventoryError extends Error {
  override readonly name: string = "InventoryError";
  /** The status of the answer; 0 if there was none. */
  readonly status: number;
  /** What was wrong, for programs; `null` if the answer does not come from the service. */
  readonly code: ErrorCode | null;
  /** Finds the request in the service's log. */
  readonly requestId: string | null;
  /** The invalid fields. */
  readonly issues: readonly Issue[];
  /** How many seconds the service asks to wait. */
  readonly retryAfter: number | null;
  readonly body: ErrorBody;
  /** The headers of the answer; `null` if there was none. */
  readonly headers: Headers | null;

  constructor(message: string, { status = 0, headers = null, body = {}, cause }: ErrorFacts = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = body.code ?? null;
    this.requestId = body.request_id ?? headers?.get("x-request-id") ?? null;
    this.issues = body.details ?? [];
    this.headers = headers;
    this.body = body;
    const seconds = Number(headers?.get("retry-after") ?? Number.NaN);
    this.retryAfter = Number.isFinite(seconds) ? seconds : null;
  }
}

/** What is known of a failure. */
export interface ErrorFacts {
  readonly status?: number;
  readonly headers?: Headers | null;
  readonly body?: ErrorBody;
  readonly cause?: unknown;
}

/** 400: fields are invalid; `issues` names each of them. */
export class InvalidInput extends InventoryError {
  override readonly name: string = "InvalidInput";
}
/** 401: the key is missing, or does not work. */
export class KeyRefused extends InventoryError {
  override readonly name: string = "KeyRefused";
}
/** 403: the caller may not do this. */
export class Forbidden extends InventoryError {
  override readonly name: string = "Forbidden";
}
/** 403 `permission_missing`: `body.needs` is the permission that the key lacks. */
export class PermissionMissing extends Forbidden {
  override readonly name: string = "PermissionMissing";
}
/** 404: there is no such record. */
export class NotFound extends InventoryError {
  override readonly name: string = "NotFound";
}
/** 409: the state of the records does not allow it; `code` says why. */
export class Conflict extends InventoryError {
  override readonly name: string = "Conflict";
}
/** 410 `cursor_expired`: empty the copy and begin anew. `changes.follow` does so by itself and says `reset`. */
export class CursorExpired extends InventoryError {
  override readonly name: string = "CursorExpired";
}
/** 412: the record has changed since it was read. */
export class PreconditionFailed extends InventoryError {
  override readonly name: string = "PreconditionFailed";
}
/** 429, after as many tries as allowed: `retryAfter` says how many seconds to wait. */
export class RateLimited extends InventoryError {
  override readonly name: string = "RateLimited";
}
/** 502, 503 or 504, after as many tries as allowed. */
export class Unavailable extends InventoryError {
  override readonly name: string = "Unavailable";
}
/** No answer, after as many tries as allowed. A change may have been made: send it again with its `idempotencyKey`. */
export class ConnectionLost extends InventoryError {
  override readonly name: string = "ConnectionLost";
}
/** The time of the call is over. A change may have been made: send it again with its `idempotencyKey`. */
export class TimedOut extends InventoryError {
  override readonly name: string = "TimedOut";
}

type ErrorClass = new (message: string, facts: ErrorFacts) => InventoryError;

const BY_CODE: Partial<Record<ErrorCode, ErrorClass>> = {
  permission_missing: PermissionMissing,
  cursor_expired: CursorExpired,
};
const BY_STATUS: Readonly<Record<number, ErrorClass>> = {
  400: InvalidInput,
  401: KeyRefused,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  412: PreconditionFailed,
  429: RateLimited,
  502: Unavailable,
  503: Unavailable,
  504: Unavailable,
};

const bodyOf = (text: string): ErrorBody => {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null ? body : {};
  } catch {
    return {};
  }
};

/** The error that an answer is. A proxy's answer need not be JSON. */
export const errorOf = ({ status, headers }: Response, text: string): InventoryError => {
  const body = bodyOf(text);
  const known = body.code === undefined ? undefined : BY_CODE[body.code];
  // Browsers hide the status of a redirect.
  if (status === 0 || (status >= 300 && status < 400))
    return new InventoryError("This address redirects: give the service's own as `baseUrl`", { status, headers });
  const Kind = known ?? BY_STATUS[status] ?? InventoryError;
  return new Kind(body.error ?? `The service answered ${status}`, { status, headers, body });
};
