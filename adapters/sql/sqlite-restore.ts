import { chmodSync, chownSync, constants, copyFileSync, existsSync, realpathSync, statSync } from "node:fs";
import { replace, syncFile } from "./durable-files.ts";
import { makeFolderOf, privately } from "./private-files.ts";
import { Sqlite } from "./sqlite-addon.ts";
import { damageOf, faultOf, isInUse, UnusableFile } from "./sqlite-inspection.ts";
import { discard, discardAbandoned, temporaryBeside } from "./sqlite-temporary.ts";

const BUSY_MS = 500;
/** Files in which SQLite keeps what it has not yet written into the database itself. */
const UNWRITTEN = ["-wal", "-journal"] as const;

const unwrittenBeside = (file: string): string | undefined =>
  UNWRITTEN.map((companion) => `${file}${companion}`).find((companion) => existsSync(companion));

const refuseUnfinished = (file: string): void => {
  const unwritten = unwrittenBeside(file);
  if (unwritten !== undefined)
    throw new UnusableFile(
      `${file} is in use, or was not closed: ${unwritten} is beside it; restore from a file that the command backup wrote`,
    );
};

/** Runs `work` while nobody else can open the database; refuses when somebody has it open. */
const alone = (database: string, work: () => void): void => {
  const connection = new Sqlite(database, { fileMustExist: true, timeout: BUSY_MS });
  try {
    // The service keeps its log open (`-wal`), which this cannot close while anybody else is there.
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

/** Makes the restored file its owner's alone, who is the one that the database had. */
const adoptRights = (temporary: string, database: string): void => {
  const { uid, gid } = statSync(existsSync(database) ? database : temporary);
  chmodSync(temporary, 0o600);
  if (process.getuid?.() === 0) chownSync(temporary, uid, gid);
};

const isSame = (one: string, other: string): boolean => {
  const [first, second] = [statSync(one), statSync(other)];
  return first.ino === second.ino && first.dev === second.dev;
};

/**
 * Puts a copy of `file` in the place of the database, once it is checked and on the disk. The database that was there
 * is kept beside it under its name with `suffix`, which is returned; `null` when there was none. Refuses with
 * UnusableFile, with nothing changed, when the file is no sound database of this service that this program can use,
 * and when anybody has the database open. Whatever fails, no content is lost.
 */
export const restore = (file: string, database: string, suffix: string): string | null => {
  if (!existsSync(file)) throw new UnusableFile(`there is no file ${file}`);
  refuseUnfinished(file);
  const place = existsSync(database) ? realpathSync(database) : database;
  const occupied = existsSync(place);
  if (occupied && isSame(file, place)) throw new UnusableFile(`${file} is the database itself`);
  // A log of another database would be played back into the restored one.
  if (!occupied && unwrittenBeside(place) !== undefined)
    throw new UnusableFile(`${unwrittenBeside(place)} belongs to a database that is gone; move it away, then restore`);
  makeFolderOf(place);
  discardAbandoned(place);
  const temporary = temporaryBeside(place);
  const kept = `${place}.${suffix}`;
  try {
    privately(() => copyFileSync(file, temporary, constants.COPYFILE_EXCL));
    adoptRights(temporary, place);
    const fault = faultOf(temporary);
    if (fault !== null) throw new UnusableFile(`${file} cannot be restored: ${fault}`);
    refuseUnfinished(file);
    syncFile(temporary);
    if (occupied) alone(place, () => replace(place, temporary, kept));
    else replace(place, temporary, kept);
    return occupied ? kept : null;
  } finally {
    discard(temporary);
  }
};
