import { ConfigError, type Environment } from "./config-error.ts";

/** True for the address of a PostgreSQL database. */
export const isPostgresUrl = (url: string): boolean => /^postgres(?:ql)?:\/\/\S+$/.test(url) && URL.canParse(url);

/** The address of the database. Commands other than `serve` need only this. */
export const databaseUrlOf = (environment: Environment): string => {
  const url = environment.DATABASE_URL ?? "sqlite:./data/inventory.db";
  if (url === "sqlite://" || !(/^sqlite:./.test(url) || isPostgresUrl(url)))
    throw new ConfigError(
      "DATABASE_URL",
      "must be sqlite: and a file, sqlite::memory:, or a postgres:// address",
      "sqlite:./data/inventory.db",
    );
  return url;
};
