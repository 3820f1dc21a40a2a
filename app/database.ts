import type { SqlDatabase } from "../adapters/sql/database.ts";
import { openSqlite } from "../adapters/sql/sqlite.ts";

/** A database that cannot be used, in one line for the person who started the program. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
}

const SQLITE = /^sqlite:(?:\/\/)?/;

/** The file of a `sqlite:` address; `:memory:` stays as it is. */
export const fileOf = (databaseUrl: string): string => databaseUrl.replace(SQLITE, "");

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Opens the database behind an address. Throws DatabaseError with the file and what is wrong with it. */
export const openDatabase = (databaseUrl: string): SqlDatabase => {
  const file = fileOf(databaseUrl);
  try {
    return openSqlite(file);
  } catch (error) {
    throw new DatabaseError(`cannot open the database ${file}: ${reasonOf(error)}`, { cause: error });
  }
};

/** Runs a step of opening a database, its errors turned into one line that names the file. */
export const forDatabase = async <Result>(databaseUrl: string, step: () => Promise<Result>): Promise<Result> => {
  try {
    return await step();
  } catch (error) {
    throw new DatabaseError(`cannot use the database ${fileOf(databaseUrl)}: ${reasonOf(error)}`, { cause: error });
  }
};
