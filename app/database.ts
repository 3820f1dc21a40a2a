import type { CurrentErrand, SqlDatabase } from "../adapters/sql/database.ts";
import { openPostgres, type PostgresLimits } from "../adapters/sql/postgres.ts";
import { makePrivate, type Tightened } from "../adapters/sql/private-files.ts";
import { openSqlite } from "../adapters/sql/sqlite.ts";
import type { PlaceListener } from "../adapters/sql/sqlite-place.ts";
import { isPostgresUrl } from "./config.ts";

/** A database that cannot be used, in one line for the person who started the program. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
}

const IN_MEMORY = ":memory:";
const SQLITE = /^sqlite:(?:\/\/)?/;

/** The file of a `sqlite:` address; `:memory:` stays as it is. */
export const fileOf = (databaseUrl: string): string => databaseUrl.replace(SQLITE, "");

/** The database of an address as it may be shown: a file, or a server without user and password. */
const shownOf = (databaseUrl: string): string => {
  if (!isPostgresUrl(databaseUrl)) return fileOf(databaseUrl);
  const { host, pathname } = new URL(databaseUrl);
  return `postgres://${host}${pathname}`;
};

const reasonOf = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof Error && error.cause instanceof Error ? `${message} (${error.cause.message})` : message;
};

const openFile = (
  file: string,
  listener: PlaceListener | undefined,
  tightened: (found: Tightened) => void,
  current: CurrentErrand | undefined,
): SqlDatabase => {
  if (file !== IN_MEMORY) tightened(makePrivate(file));
  return openSqlite(file, listener, current);
};

/** Opens the database behind an address, its files made private; `listener` hears of a file that is lost. Throws DatabaseError with the database and what is wrong with it. */
export const openDatabase = (
  databaseUrl: string,
  postgres: PostgresLimits,
  listener?: PlaceListener,
  tightened: (found: Tightened) => void = () => {},
  current?: CurrentErrand,
): SqlDatabase => {
  try {
    return isPostgresUrl(databaseUrl)
      ? openPostgres(databaseUrl, postgres, current)
      : openFile(fileOf(databaseUrl), listener, tightened, current);
  } catch (error) {
    throw new DatabaseError(`cannot open the database ${shownOf(databaseUrl)}: ${reasonOf(error)}`, { cause: error });
  }
};

/** Runs a step of opening a database, its errors turned into one line that names the database. */
export const forDatabase = async <Result>(databaseUrl: string, step: () => Promise<Result>): Promise<Result> => {
  try {
    return await step();
  } catch (error) {
    throw new DatabaseError(`cannot use the database ${shownOf(databaseUrl)}: ${reasonOf(error)}`, { cause: error });
  }
};
