import type { Command } from "commander";
import { restore } from "../../adapters/sql/sqlite/restore.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { fileArgument } from "./options.ts";
import { print } from "./output.ts";
import { databaseFile, withFileErrors } from "./sqlite-files.ts";

/** The current time as a part of a file name, such as 2026-11-20T09-11-00-000Z. */
const fileTimestamp = (): string => systemClock.now().replaceAll(/[:.]/g, "-");

const restoreFrom = (file: string): void => {
  const database = databaseFile("restored");
  const kept = withFileErrors("restored", () => restore(file, database, `before-restore-${fileTimestamp()}`));
  print(`Restored ${database} from ${file}.`);
  if (kept !== null) print(`The database that was there is kept as ${kept}.`);
};

/** Adds the command `restore`, which is for SQLite only. */
export const addRestore = (program: Command): void => {
  program
    .command("restore")
    .description(
      "replace the SQLite database with a backup, keeping the old database next to it; stop the service first",
    )
    .addArgument(fileArgument("a file that the backup command wrote"))
    .action(restoreFrom);
};
