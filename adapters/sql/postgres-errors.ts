import { DatabaseUnavailable, type Violation } from "./database.ts";

const field = (error: unknown, name: "code" | "errno"): string => {
  const value = typeof error === "object" && error !== null && name in error ? Reflect.get(error, name) : undefined;
  return typeof value === "string" ? value : "";
};

/** The SQLSTATE of an error that the server reported; empty for errors of the connection itself. */
const sqlState = (error: unknown): string =>
  field(error, "code") === "ERR_POSTGRES_SERVER_ERROR" ? field(error, "errno") : "";

/**
 * States that say "not now" rather than "wrong": connection trouble (08), no resources (53), shutdown and cancelling
 * (57), locks and deadlocks (40, 55P03), a server that only reads (25006).
 */
const NOT_NOW = /^(?:08|53|57|40)|^(?:55P03|25006)$/;
/** Of those, the ones that end the connection. */
const CONNECTION_ENDED = /^08|^57P0[1-3]$/;

const isConnectionError = (error: unknown): boolean =>
  /^ERR_POSTGRES_(?!SERVER_ERROR|SYNTAX)/.test(field(error, "code"));

/** True when the connection was lost, and with it the answer. */
export const isConnectionLost = (error: unknown): boolean =>
  isConnectionError(error) || CONNECTION_ENDED.test(sqlState(error));

/** Errors of a database that is out of reach, too slow or too busy become DatabaseUnavailable; others stay. */
export const postgresError = (error: unknown, outcomeUnknown: boolean): unknown => {
  if (error instanceof DatabaseUnavailable) return error;
  if (!isConnectionError(error) && !NOT_NOW.test(sqlState(error))) return error;
  const detail = sqlState(error) || field(error, "code");
  return new DatabaseUnavailable(`PostgreSQL: ${detail}`, { cause: error, outcomeUnknown });
};

const VIOLATIONS: Readonly<Record<string, Violation>> = { "23503": "foreign-key", "23505": "unique" };

/** The rule of the schema that a failed statement broke; `null` for any other error. */
export const postgresViolation = (error: unknown): Violation | null => VIOLATIONS[sqlState(error)] ?? null;
