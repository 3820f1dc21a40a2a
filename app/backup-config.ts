import { type Cron, cronOf } from "../core/cron/cron.ts";
import { ConfigError, type Environment } from "./config-error.ts";
import { wholeNumber } from "./config-values.ts";
import { databaseUrlOf, isPostgresUrl } from "./database-url.ts";

/** The backups that the service makes by itself. */
export interface BackupConfig {
  readonly folder: string;
  /** The schedule as it was written. Its times are in UTC. */
  readonly every: string;
  readonly cron: Cron;
  /** How many of them are kept. */
  readonly keep: number;
}

const MAX_KEPT = 1000;
const NIGHTLY = "30 2 * * *";
const EXAMPLE = "/var/backups/inventory";

/** Reads BACKUP_DIR, BACKUP_EVERY and BACKUP_KEEP; `null` if the service makes no backups. */
export const backupsOf = (environment: Environment): BackupConfig | null => {
  const { BACKUP_DIR: folder, BACKUP_EVERY: every = NIGHTLY, BACKUP_KEEP: text = "7" } = environment;
  const cron = cronOf(every);
  if (typeof cron === "string") throw new ConfigError("BACKUP_EVERY", cron, NIGHTLY);
  const keep = wholeNumber(text, MAX_KEPT);
  if (keep === null || keep === 0)
    throw new ConfigError("BACKUP_KEEP", `must be a whole number from 1 to ${MAX_KEPT}`, "7");
  if (folder === undefined) {
    const without = [environment.BACKUP_EVERY, environment.BACKUP_KEEP].some((value) => value !== undefined);
    if (without) throw new ConfigError("BACKUP_DIR", "is required with BACKUP_EVERY and BACKUP_KEEP", EXAMPLE);
    return null;
  }
  if (folder.trim() === "") throw new ConfigError("BACKUP_DIR", "must be the path of a folder", EXAMPLE);
  const databaseUrl = databaseUrlOf(environment);
  if (isPostgresUrl(databaseUrl) || databaseUrl.endsWith(":memory:"))
    throw new ConfigError(
      "BACKUP_DIR",
      "is for a SQLite file: on PostgreSQL unset it and use pg_dump, or archive the write-ahead log (docs/backup.md)",
      `${EXAMPLE} with DATABASE_URL=sqlite:./data/inventory.db`,
    );
  return { folder, every, cron, keep };
};
