import type { Command } from "commander";
import { backUp } from "../../adapters/sql/sqlite-backup.ts";
import { print } from "./output.ts";
import { databaseFile, onFiles } from "./sqlite-files.ts";

const MEBIBYTE = 1024 * 1024;

const backup = (file: string): void => {
  const database = databaseFile("backed up");
  const bytes = onFiles("backed up", () => backUp(database, file));
  print(`Backed up ${database} to ${file} (${(bytes / MEBIBYTE).toFixed(1)} MiB).`);
};

/** Adds `backup`. SQLite only. */
export const addBackup = (program: Command): void => {
  program
    .command("backup")
    .description("write a checked copy of the SQLite database, also while the service runs")
    .argument("<file>", "where to; must not exist")
    .action(backup);
};
