import { DatabaseUnavailable, type Violation } from "./database.ts";

const field = (error: unknown, name: "code" | "errno" | "severity"): string => {
  const value = typeof error === "object" && error !== null && name in error ? Reflect.get(error, name) : undefined;
  return typeof value === "string" ? value : "";
};

/** The SQLSTATE of an error that the server reported; empty for errors of the connection itself. */
const sqlState = (error: unknown): string =>
  field(error, "code") === "ERR_POSTGRES_SERVER_ERROR" ? field(error, "errno") : "";

/**
 * States that say "not now" rather than "wrong": time or the operator mends them, and the same statement then works.
 * Connection trouble (08), no entry (28, 3D000, 55000: a password or a database just replaced, or one closed to
 * connections), no rights (42501, to the database as to a table), no resources (53), shutdown and cancelling (57), the
 * machine's own trouble (58), locks and deadlocks (40, 55P03), sessions ended for idleness (25P03), a server that only
 * reads (25006).
 */
const NOT_NOW = /^(?:08|28|53|57|58|40)|^(?:3D000|42501|55000|55P03|25P03|25006)$/;
/** Of those, the ones that end a connection. */
const CONNECTION_ENDED = /^(?:08|57P0[1-5]$|25P03$)/;
/** Of those, the ones that refuse a new connection: nothing of what was asked has been heard. */
const NOT_ADMITTED = /^(?:28|53300$|57P03$|3D000$|55000$)/;

const isConnectionError = (error: unknown): boolean =>
  /^ERR_POSTGRES_(?:CONNECTION_|IDLE_|LIFETIME_|TLS_|AUTHENTICATION_|SASL_|QUERY_CANCELLED)/.test(field(error, "code"));

/** True when the connection was lost, and with it the answer. */
export const isConnectionLost = (error: unknown): boolean =>
  isConnectionError(error) || CONNECTION_ENDED.test(sqlState(error));

/**
 * Trouble with files (53100: full), and what has no state of its own: an error of the statement, or the panic of a
 * server that could not write its log, on which some of it may be.
 */
const FILE_TROUBLE = /^(?:53100|58030|XX\w{3})$/;

/** True when the server ended the session, or itself: its word for how bad an error is may be of another language. */
const isServerEnded = (error: unknown): boolean => {
  const severity = field(error, "severity");
  return /^(?:PANIC|FATAL)$/.test(severity) || (FILE_TROUBLE.test(sqlState(error)) && severity !== "ERROR");
};

/** True when a change was asked for and the answer does not tell whether it was made. */
export const isOutcomeOpen = (error: unknown): boolean =>
  (isConnectionLost(error) || isServerEnded(error)) &&
  !NOT_ADMITTED.test(sqlState(error)) &&
  !/^ERR_POSTGRES_CONNECTION_(?:REFUSED|FAILED|TIMEOUT)$/.test(field(error, "code"));

/** True when others hold what is to be locked: waiting for it was given up, or could have gone on for ever. */
export const isLockedByOthers = (error: unknown): boolean =>
  /^(?:55P03|40P01)$/.test(sqlState(error instanceof DatabaseUnavailable ? error.cause : error));

/** Errors of a database that is out of reach, too slow or too busy become DatabaseUnavailable; others stay. */
export const postgresError = (error: unknown, outcomeUnknown: boolean): unknown => {
  if (error instanceof DatabaseUnavailable) return error;
  const state = sqlState(error);
  if (!isConnectionError(error) && !NOT_NOW.test(state) && !isServerEnded(error)) return error;
  return new DatabaseUnavailable(`PostgreSQL: ${state || field(error, "code")}`, { cause: error, outcomeUnknown });
};

const VIOLATIONS: Readonly<Record<string, Violation>> = { "23503": "foreign-key", "23505": "unique" };

/** The rule of the schema that a failed statement broke; `null` for any other error. */
export const postgresViolation = (error: unknown): Violation | null => VIOLATIONS[sqlState(error)] ?? null;
