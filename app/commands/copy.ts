import { existsSync } from "node:fs";
import { type Command, Option } from "commander";
import { DatabaseUnavailable, type SqlDatabase } from "../../adapters/sql/query/database.ts";
import { CopyError, copyDatabase } from "../../adapters/sql/schema/copy.ts";
import { migrateToLatest, requireLatest } from "../../adapters/sql/schema/migrate.ts";
import { vehicleWordsIn } from "../../adapters/sql/search/vehicle-words.ts";
import { postgresLimitsOf, searchOf } from "../config.ts";
import { fileOf, forDatabase, openDatabase } from "../database.ts";
import { databaseUrlOf, isPostgresUrl } from "../database-url.ts";
import { CommandError, readBoth, usageError } from "./exit.ts";
import { jsonOption, readAs, required } from "./options.ts";
import { print, printJson, warn } from "./output.ts";
import { type Progress, showProgress, withProgress } from "./progress.ts";
import { printable } from "./table.ts";

interface CopyOptions {
  readonly from?: string;
  readonly to?: string;
  readonly json?: true;
}

/** An address in the form of DATABASE_URL. Errors name the option. */
const addressOf = (option: "--from" | "--to", url: string | undefined): string => {
  if (url === undefined) throw usageError(`${option}: is required`);
  readAs(option, () => databaseUrlOf({ DATABASE_URL: url }));
  if (fileOf(url) === ":memory:")
    throw usageError(`${option}: must not be a database in memory, which ends with the command`);
  if (option === "--from" && !isPostgresUrl(url) && !existsSync(fileOf(url)))
    throw new CommandError(`${option}: there is no database ${fileOf(url)}`);
  return url;
};

/** Copies a database. Errors are reported in one line; the target is unchanged then. */
const copyBetween = async (source: SqlDatabase, target: SqlDatabase, to: string) => {
  const shown: { progress?: Progress } = {};
  try {
    return await copyDatabase(source, target, (done, total) => {
      shown.progress ??= showProgress("rows", total);
      shown.progress.reach(done);
    });
  } catch (error) {
    if (error instanceof CopyError) throw new CommandError(`${printable(error.message)}; nothing was copied`);
    if (error instanceof DatabaseUnavailable) return await forDatabase<never>(to, () => Promise.reject(error));
    throw error;
  } finally {
    shown.progress?.end();
  }
};

/** Makes the words by which vehicles are found. The copy is complete without them, as they can be made later. */
const makeWords = async (target: SqlDatabase): Promise<void> => {
  try {
    await withProgress((reached) => vehicleWordsIn(target).fill(reached));
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error;
    const reason = printable(error.message);
    warn(
      `not all words of vehicles are made (${reason}); start the service on the target, or run reindex there, to make the others`,
    );
  }
};

const copy = async (options: CopyOptions): Promise<void> => {
  const [from, to] = readBoth(
    () => addressOf("--from", options.from),
    () => addressOf("--to", options.to),
  );
  if (from === to) throw usageError("--from and --to: must not be the same database");
  const limits = postgresLimitsOf(process.env);
  const started = performance.now();
  const source = openDatabase(from, { postgres: limits });
  try {
    await forDatabase(from, () => requireLatest(source));
    const target = openDatabase(to, { postgres: limits });
    try {
      await forDatabase(to, () => migrateToLatest(target));
      const counts = await copyBetween(source, target, to);
      if (searchOf(process.env)) await makeWords(target);
      if (options.json) return printJson(counts);
      for (const { table, rows, checksum } of counts)
        print(`${table.padEnd(16)} ${String(rows).padStart(9)}  ${checksum}`);
      print(`Copied and verified in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
};

/** Adds the command `copy`. */
export const addCopy = (program: Command): void => {
  program
    .command("copy")
    .description("copy a whole database into an empty one, from SQLite to PostgreSQL or back, and verify the copy")
    .addOption(required(new Option("--from <address>", "the database to copy, in the form of DATABASE_URL")))
    .addOption(required(new Option("--to <address>", "an empty database, in the form of DATABASE_URL")))
    .addOption(jsonOption())
    .action(copy);
};
