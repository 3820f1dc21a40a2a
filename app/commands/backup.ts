import type { Command } from "commander";
import { backUp } from "../../adapters/sql/sqlite/backup.ts";
import { keyFileFor } from "../secret-key.ts";
import { fileArgument } from "./options.ts";
import { note, print } from "./output.ts";
import { databaseFile, withFileErrors } from "./sqlite-files.ts";

const MEBIBYTE = 1024 * 1024;

/**
 * A note about the secret key: without it, the second factors in a backup are useless, and it must not be stored beside
 * the backup.
 */
const keyAdvice = (database: string): string => {
  const key = process.env.SECRET_KEY === undefined ? keyFileFor(database) : "SECRET_KEY";
  return `The key of second factors (${key}) is not in it: keep it, apart from the backup.`;
};

const backup = (file: string): void => {
  const database = databaseFile("backed up");
  const bytes = withFileErrors("backed up", () => backUp(database, file));
  print(`Backed up ${database} to ${file} (${(bytes / MEBIBYTE).toFixed(1)} MiB).`);
  note(keyAdvice(database));
};

/** Adds the command `backup`, which is for SQLite only. */
export const addBackup = (program: Command): void => {
  program
    .command("backup")
    .description("write a verified copy of the SQLite database; the service may be running")
    .addArgument(fileArgument("the file to write, which must not exist yet"))
    .action(backup);
};
