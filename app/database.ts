import { openPostgres, type PostgresLimits } from "../adapters/sql/postgres/open.ts";
import type { CurrentDeadline, SqlDatabase } from "../adapters/sql/query/database.ts";
import type { DatabaseFileListener } from "../adapters/sql/sqlite/database-file-watch.ts";
import { openSqlite } from "../adapters/sql/sqlite/open.ts";
import { makePrivate, type PermissionChanges } from "../adapters/sql/sqlite/private-files.ts";
import { isPostgresUrl } from "./database-url.ts";

/** Thrown if the database cannot be used. The message is one line for the person who started the program. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
}

const IN_MEMORY = ":memory:";
const SQLITE = /^sqlite:(?:\/\/)?/;

/** The file in a `sqlite:` address. `:memory:` is returned unchanged. */
export const fileOf = (databaseUrl: string): string => databaseUrl.replace(SQLITE, "");

/** The address of a database without secrets: a file, or a server without user and password. */
const withoutCredentials = (databaseUrl: string): string => {
  if (!isPostgresUrl(databaseUrl)) return fileOf(databaseUrl);
  const { host, pathname } = new URL(databaseUrl);
  return `postgres://${host}${pathname}`;
};

/** The reason of a failure in one line. */
export const reasonOf = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof Error && error.cause instanceof Error ? `${message} (${error.cause.message})` : message;
};

const openFile = (
  file: string,
  {
    listener,
    onMadePrivate,
    current,
  }: {
    readonly listener: DatabaseFileListener | undefined;
    readonly onMadePrivate: (found: PermissionChanges) => void;
    readonly current: CurrentDeadline | undefined;
  },
): SqlDatabase => {
  if (file !== IN_MEMORY) onMadePrivate(makePrivate(file));
  return openSqlite(file, listener, current);
};

/**
 * Opens the database at an address and makes its files private. `listener` is told if a file is lost. Throws
 * DatabaseError, which names the database and the fault.
 */
export const openDatabase = (
  databaseUrl: string,
  {
    postgres,
    listener,
    onMadePrivate = () => {},
    current,
  }: {
    readonly postgres: PostgresLimits;
    readonly listener?: DatabaseFileListener;
    readonly onMadePrivate?: (found: PermissionChanges) => void;
    readonly current?: CurrentDeadline;
  },
): SqlDatabase => {
  try {
    return isPostgresUrl(databaseUrl)
      ? openPostgres(databaseUrl, postgres, current)
      : openFile(fileOf(databaseUrl), { listener, onMadePrivate, current });
  } catch (error) {
    throw new DatabaseError(`cannot open the database ${withoutCredentials(databaseUrl)}: ${reasonOf(error)}`, {
      cause: error,
    });
  }
};

/** Runs a step of opening a database. Errors become a DatabaseError of one line. */
export const forDatabase = async <Result>(databaseUrl: string, step: () => Promise<Result>): Promise<Result> => {
  try {
    return await step();
  } catch (error) {
    throw new DatabaseError(`cannot use the database ${withoutCredentials(databaseUrl)}: ${reasonOf(error)}`, {
      cause: error,
    });
  }
};
