import { DatabaseUnavailable, type Violation } from "../query/database.ts";

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error && typeof error.code === "string" ? error.code : "";

const VIOLATIONS: Readonly<Record<string, Violation>> = {
  SQLITE_CONSTRAINT_FOREIGNKEY: "foreign-key",
  SQLITE_CONSTRAINT_UNIQUE: "unique",
  SQLITE_CONSTRAINT_PRIMARYKEY: "unique",
};

const UNAVAILABLE = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY)/;

/**
 * Converts errors about a full disk, a lost file or a lock timeout into DatabaseUnavailable. Other errors are returned
 * unchanged.
 */
export const sqliteError = (error: unknown): unknown =>
  UNAVAILABLE.test(codeOf(error)) ? new DatabaseUnavailable(`SQLite: ${codeOf(error)}`, { cause: error }) : error;

/** The rule of the schema that a failed statement violated; `null` for any other error. */
export const sqliteViolation = (error: unknown): Violation | null => VIOLATIONS[codeOf(error)] ?? null;
