import { DatabaseUnavailable, type Violation } from "../query/database.ts";

const field = (error: unknown, name: "code" | "errno" | "severity"): string => {
  const value = typeof error === "object" && error !== null && name in error ? Reflect.get(error, name) : undefined;
  return typeof value === "string" ? value : "";
};

/** The SQLSTATE of a server error; empty for errors of the connection itself. */
const sqlState = (error: unknown): string =>
  field(error, "code") === "ERR_POSTGRES_SERVER_ERROR" ? field(error, "errno") : "";

/**
 * Temporary states: they end with time or with the help of the operator, and then the same statement works. They are
 * trouble with the connection (08), no access (28, 3D000, 55000: a password or a database that was just replaced, or a
 * database that is closed to connections), missing rights (42501, on the database or a table), missing resources (53),
 * shutdown and cancellation (57), trouble of the machine (58), locks and deadlocks (40, 55P03), idle timeouts (25P03),
 * and a read-only server (25006).
 */
const NOT_NOW = /^(?:08|28|53|57|58|40)|^(?:3D000|42501|55000|55P03|25P03|25006)$/;
/** The temporary states that end a connection. */
const CONNECTION_ENDED = /^(?:08|57P0[1-5]$|25P03$)/;
/** The temporary states in which a new connection is refused. The server has not seen the statement then. */
const NOT_ADMITTED = /^(?:28|53300$|57P03$|3D000$|55000$)/;

const isConnectionError = (error: unknown): boolean =>
  /^ERR_POSTGRES_(?:CONNECTION_|IDLE_|LIFETIME_|TLS_|AUTHENTICATION_|SASL_|QUERY_CANCELLED)/.test(field(error, "code"));

/** True if the connection was lost, so that the answer is unknown. */
export const isConnectionLost = (error: unknown): boolean =>
  isConnectionError(error) || CONNECTION_ENDED.test(sqlState(error));

/**
 * Errors of files (53100: disk full) and internal errors. Either the statement failed, or the server stopped because it
 * could not write its log, which may contain a part of the statement.
 */
const FILE_TROUBLE = /^(?:53100|58030|XX\w{3})$/;

/**
 * True if the server ended the session or stopped itself. The text of the severity depends on the server's language, so
 * for errors that can have this cause any other word than ERROR counts.
 */
const isServerEnded = (error: unknown): boolean => {
  const severity = field(error, "severity");
  return /^(?:PANIC|FATAL)$/.test(severity) || (FILE_TROUBLE.test(sqlState(error)) && severity !== "ERROR");
};

/** The states of a server that is starting, stopping, or has no connection left. */
const STARTING = /^(?:08|57P0[1-3]$|53300$)/;

/** True if waiting may help: the server is out of reach, or does not let anybody in yet. A wrong password stays wrong. */
export const isOutOfReach = (error: unknown): boolean => {
  const { cause } = error instanceof DatabaseUnavailable ? error : { cause: error };
  return /^ERR_POSTGRES_CONNECTION_/.test(field(cause, "code")) || STARTING.test(sqlState(cause));
};

/** True if the error leaves open whether a change was made. */
export const isOutcomeOpen = (error: unknown): boolean =>
  (isConnectionLost(error) || isServerEnded(error)) &&
  !NOT_ADMITTED.test(sqlState(error)) &&
  !/^ERR_POSTGRES_CONNECTION_(?:REFUSED|FAILED|TIMEOUT)$/.test(field(error, "code"));

/** True if others held the lock: the wait timed out, or there was a deadlock. */
export const isLockedByOthers = (error: unknown): boolean =>
  /^(?:55P03|40P01)$/.test(sqlState(error instanceof DatabaseUnavailable ? error.cause : error));

/**
 * Converts errors of a database that cannot be reached, or is too slow or too busy, into DatabaseUnavailable. Other
 * errors are returned unchanged.
 */
export const postgresError = (error: unknown, outcomeUnknown: boolean): unknown => {
  if (error instanceof DatabaseUnavailable) return error;
  const state = sqlState(error);
  if (!isConnectionError(error) && !NOT_NOW.test(state) && !isServerEnded(error)) return error;
  return new DatabaseUnavailable(`PostgreSQL: ${state || field(error, "code")}`, { cause: error, outcomeUnknown });
};

const VIOLATIONS: Readonly<Record<string, Violation>> = { "23503": "foreign-key", "23505": "unique" };

/** The rule of the schema that a failed statement violated; `null` for any other error. */
export const postgresViolation = (error: unknown): Violation | null => VIOLATIONS[sqlState(error)] ?? null;
