import { DatabaseUnavailable, type Violation } from "../query/database.ts";

const field = (error: unknown, name: "code" | "errno" | "severity"): string => {
  const value = typeof error === "object" && error !== null && name in error ? Reflect.get(error, name) : undefined;
  return typeof value === "string" ? value : "";
};

/** The SQLSTATE of a server error; empty for errors of the connection itself. */
const sqlState = (error: unknown): string =>
  field(error, "code") === "ERR_POSTGRES_SERVER_ERROR" ? field(error, "errno") : "";

/**
 * Temporary states: time or the operator resolves them, and the same statement then works. Connection trouble (08), no
 * access (28, 3D000, 55000: a password or a database just replaced, or one closed to connections), no rights (42501, on
 * the database or a table), no resources (53), shutdown and cancellation (57), machine trouble (58), locks and
 * deadlocks (40, 55P03), idle timeouts (25P03), a read-only server (25006).
 */
const NOT_NOW = /^(?:08|28|53|57|58|40)|^(?:3D000|42501|55000|55P03|25P03|25006)$/;
/** The temporary states that end a connection. */
const CONNECTION_ENDED = /^(?:08|57P0[1-5]$|25P03$)/;
/** The temporary states that refuse a new connection: the server has not seen the statement. */
const NOT_ADMITTED = /^(?:28|53300$|57P03$|3D000$|55000$)/;

const isConnectionError = (error: unknown): boolean =>
  /^ERR_POSTGRES_(?:CONNECTION_|IDLE_|LIFETIME_|TLS_|AUTHENTICATION_|SASL_|QUERY_CANCELLED)/.test(field(error, "code"));

/** True if the connection was lost, and the answer with it. */
export const isConnectionLost = (error: unknown): boolean =>
  isConnectionError(error) || CONNECTION_ENDED.test(sqlState(error));

/**
 * File trouble (53100: disk full) and internal errors. Either the statement failed, or the server panicked because it
 * could not write its log, which may contain part of the statement.
 */
const FILE_TROUBLE = /^(?:53100|58030|XX\w{3})$/;

/**
 * True if the server ended the session or itself. Not decided by the severity, whose text depends on the server's
 * language.
 */
const isServerEnded = (error: unknown): boolean => {
  const severity = field(error, "severity");
  return /^(?:PANIC|FATAL)$/.test(severity) || (FILE_TROUBLE.test(sqlState(error)) && severity !== "ERROR");
};

/** True if the error does not tell whether a change was made. */
export const isOutcomeOpen = (error: unknown): boolean =>
  (isConnectionLost(error) || isServerEnded(error)) &&
  !NOT_ADMITTED.test(sqlState(error)) &&
  !/^ERR_POSTGRES_CONNECTION_(?:REFUSED|FAILED|TIMEOUT)$/.test(field(error, "code"));

/** True if others hold the lock: the wait timed out, or was a deadlock. */
export const isLockedByOthers = (error: unknown): boolean =>
  /^(?:55P03|40P01)$/.test(sqlState(error instanceof DatabaseUnavailable ? error.cause : error));

/**
 * Turns errors of a database that is out of reach, too slow or too busy into DatabaseUnavailable; returns others
 * unchanged.
 */
export const postgresError = (error: unknown, outcomeUnknown: boolean): unknown => {
  if (error instanceof DatabaseUnavailable) return error;
  const state = sqlState(error);
  if (!isConnectionError(error) && !NOT_NOW.test(state) && !isServerEnded(error)) return error;
  return new DatabaseUnavailable(`PostgreSQL: ${state || field(error, "code")}`, { cause: error, outcomeUnknown });
};

const VIOLATIONS: Readonly<Record<string, Violation>> = { "23503": "foreign-key", "23505": "unique" };

/** The schema constraint that a failed statement violated; `null` for any other error. */
export const postgresViolation = (error: unknown): Violation | null => VIOLATIONS[sqlState(error)] ?? null;
