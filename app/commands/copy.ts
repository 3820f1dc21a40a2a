import { existsSync } from "node:fs";
import type { Command } from "commander";
import { CopyError, copyDatabase } from "../../adapters/sql/copy.ts";
import { DatabaseUnavailable, type SqlDatabase } from "../../adapters/sql/database.ts";
import { migrateToLatest, requireLatest } from "../../adapters/sql/migrate.ts";
import { databaseUrlOf, isPostgresUrl, postgresLimitsOf } from "../config.ts";
import { fileOf, forDatabase, openDatabase } from "../database.ts";
import { CommandError } from "./exit.ts";
import { print } from "./output.ts";
import { type Progress, showProgress } from "./progress.ts";

interface CopyOptions {
  readonly from: string;
  readonly to: string;
}

/** An address as in DATABASE_URL, with its faults told of the option it came from. */
const addressOf = (option: "--from" | "--to", url: string): string => {
  try {
    databaseUrlOf({ DATABASE_URL: url });
  } catch {
    throw new CommandError(`${option} must be sqlite: and a file, or a postgres:// address`);
  }
  if (!isPostgresUrl(url) && fileOf(url) === ":memory:")
    throw new CommandError(`${option} must not be a database in memory, which ends with the command`);
  if (option === "--from" && !isPostgresUrl(url) && !existsSync(fileOf(url)))
    throw new CommandError(`there is no database ${fileOf(url)}`);
  return url;
};

/** Errors of the copy in one line; the target is as it was. */
const copyBetween = async (source: SqlDatabase, target: SqlDatabase, to: string) => {
  const shown: Progress[] = [];
  try {
    return await copyDatabase(source, target, (done, total) => {
      if (shown.length === 0) shown.push(showProgress("rows", total));
      shown[0]?.reach(done);
    });
  } catch (error) {
    if (error instanceof CopyError) throw new CommandError(`${error.message}; nothing was copied`);
    if (error instanceof DatabaseUnavailable) return await forDatabase<never>(to, () => Promise.reject(error));
    throw error;
  } finally {
    shown[0]?.end();
  }
};

const copy = async (options: CopyOptions): Promise<void> => {
  const from = addressOf("--from", options.from);
  const to = addressOf("--to", options.to);
  if (from === to) throw new CommandError("--from and --to are the same database");
  const limits = postgresLimitsOf(process.env);
  const started = performance.now();
  const source = openDatabase(from, limits);
  try {
    await forDatabase(from, () => requireLatest(source));
    const target = openDatabase(to, limits);
    try {
      await forDatabase(to, () => migrateToLatest(target));
      const counts = await copyBetween(source, target, to);
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

/** Adds `copy`. */
export const addCopy = (program: Command): void => {
  program
    .command("copy")
    .description(
      "copy a whole database into an empty one, from SQLite to PostgreSQL or back, in one snapshot, verified",
    )
    .requiredOption("--from <address>", "the database to copy, as in DATABASE_URL")
    .requiredOption("--to <address>", "an empty database, as in DATABASE_URL")
    .action(copy);
};
