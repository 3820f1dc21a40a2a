import { UnusableFile } from "../../adapters/sql/sqlite/inspection.ts";
import { fileOf } from "../database.ts";
import { databaseUrlOf, isPostgresUrl } from "../database-url.ts";
import { CommandError } from "./exit.ts";

/** The database file in DATABASE_URL. If there is none, the error contains `purpose`, such as "backed up". */
export const databaseFile = (purpose: string): string => {
  const url = databaseUrlOf(process.env);
  if (isPostgresUrl(url))
    throw new CommandError(`only a SQLite database can be ${purpose} here; PostgreSQL has pg_dump and pg_restore`);
  const file = fileOf(url);
  if (file === ":memory:")
    throw new CommandError(`a database in memory cannot be ${purpose}; set DATABASE_URL to the database's file`);
  return file;
};

/**
 * Runs work on files. Errors that the user can correct (missing rights, a full disk, a file that is not a database)
 * become one line.
 */
export const withFileErrors = <Result>(purpose: string, work: () => Result): Result => {
  try {
    return work();
  } catch (error) {
    if (error instanceof UnusableFile) throw new CommandError(error.message);
    if (error instanceof Error && "code" in error && typeof error.code === "string")
      throw new CommandError(`the database cannot be ${purpose}: ${error.message}`);
    throw error;
  }
};
