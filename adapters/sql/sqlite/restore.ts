import { chmodSync, chownSync, constants, copyFileSync, existsSync, realpathSync, statSync } from "node:fs";
import { Sqlite } from "./addon.ts";
import { replace, syncFile } from "./durable-files.ts";
import { damageOf, faultOf, isInUse, UnusableFile } from "./inspection.ts";
import { makeFolderOf, withPrivateUmask } from "./private-files.ts";
import { discard, discardAbandoned, temporaryFileFor } from "./temporary.ts";

const BUSY_MS = 500;
const ADVICE = "restore from a file that the command backup wrote";
/** Suffixes of files with changes that SQLite has not yet written into the database file. */
const UNWRITTEN = ["-wal", "-journal"] as const;

const unwrittenFileOf = (file: string): string | undefined =>
  UNWRITTEN.map((companion) => `${file}${companion}`).find((companion) => existsSync(companion));

const refuseUnfinished = (file: string): void => {
  const unwritten = unwrittenFileOf(file);
  if (unwritten !== undefined)
    throw new UnusableFile(`${file} is in use, or was not closed: ${unwritten} is beside it; ${ADVICE}`);
};

/** Runs `work` while nobody else can open the database. Throws if another program has it open. */
const withExclusiveAccess = (database: string, work: () => void): void => {
  const connection = new Sqlite(database, { fileMustExist: true, timeout: BUSY_MS });
  try {
    // A running service has the log (`-wal`) open, so that this statement cannot remove the log.
    if (connection.pragma("journal_mode = DELETE", { simple: true }) !== "delete")
      throw new UnusableFile(`${database} is in use; stop the service, then restore`);
    connection.exec("BEGIN EXCLUSIVE");
    work();
  } catch (error) {
    if (isInUse(error)) throw new UnusableFile(`${database} is in use; stop the service, then restore`);
    if (damageOf(error) === null) throw error;
    throw new UnusableFile(
      `${database} is too damaged to tell whether it is in use; stop the service, move it away together with the files beside it, then restore`,
    );
  } finally {
    connection.close();
  }
};

/** Gives the restored file the owner of the database that it replaces, and makes it private to that owner. */
const adoptOwner = (temporary: string, database: string): void => {
  const { uid, gid } = statSync(existsSync(database) ? database : temporary);
  chmodSync(temporary, 0o600);
  if (process.getuid?.() === 0) chownSync(temporary, uid, gid);
};

/**
 * Ends the cursors of the change feed: they count changes that the restored database does not have. Nothing happens to
 * the database of an earlier version, which has no feed.
 */
const renameNumbering = (database: string): void => {
  const connection = new Sqlite(database, { fileMustExist: true });
  try {
    const has = connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'change_numbering'").all();
    if (has.length > 0) connection.exec("UPDATE change_numbering SET name = lower(hex(randomblob(6)))");
  } finally {
    connection.close();
  }
};

const isSame = (one: string, other: string): boolean => {
  const [first, second] = [statSync(one), statSync(other)];
  return first.ino === second.ino && first.dev === second.dev;
};

/**
 * Replaces the database by a copy of `file`, after the copy was verified and flushed to disk. The old database is kept
 * beside it, under its name with `suffix`. Returns that name, or `null` if there was no database. Throws UnusableFile,
 * with nothing changed, if the file is not an intact database that this program can use, or if another program has the
 * database open. Whatever fails, no content is lost.
 */
export const restore = (file: string, database: string, suffix: string): string | null => {
  if (!existsSync(file)) throw new UnusableFile(`there is no file ${file}`);
  if (!statSync(file).isFile()) throw new UnusableFile(`${file} is not a file; ${ADVICE}`);
  refuseUnfinished(file);
  const path = existsSync(database) ? realpathSync(database) : database;
  const occupied = existsSync(path);
  if (occupied && isSame(file, path)) throw new UnusableFile(`${file} is the database itself`);
  // SQLite would apply the log that another database has left behind to the restored one.
  if (!occupied && unwrittenFileOf(path) !== undefined)
    throw new UnusableFile(`${unwrittenFileOf(path)} belongs to a database that is gone; move it away, then restore`);
  makeFolderOf(path);
  discardAbandoned(path);
  const temporary = temporaryFileFor(path);
  const oldFile = `${path}.${suffix}`;
  try {
    withPrivateUmask(() => copyFileSync(file, temporary, constants.COPYFILE_EXCL));
    adoptOwner(temporary, path);
    const fault = faultOf(temporary);
    if (fault !== null) throw new UnusableFile(`${file} cannot be restored: ${fault}`);
    refuseUnfinished(file);
    renameNumbering(temporary);
    syncFile(temporary);
    if (occupied) withExclusiveAccess(path, () => replace(path, temporary, oldFile));
    else replace(path, temporary, oldFile);
    return occupied ? oldFile : null;
  } finally {
    discard(temporary);
  }
};
