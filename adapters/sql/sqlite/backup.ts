import { closeSync, existsSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Sqlite } from "./addon.ts";
import { publish, syncFile } from "./durable-files.ts";
import { damageOf, faultOf, UnusableFile } from "./inspection.ts";
import { discard, discardAbandoned, temporaryFileFor } from "./temporary.ts";

const BUSY_MS = 5000;

/** Copies a consistent snapshot of a database into an existing empty file. The database may be in use. */
const copySnapshot = (database: string, file: string): void => {
  const connection = new Sqlite(database, { fileMustExist: true, timeout: BUSY_MS });
  try {
    connection.prepare("VACUUM INTO ?").run(file);
  } catch (error) {
    const damage = damageOf(error);
    throw damage === null ? error : new UnusableFile(`${database} cannot be backed up: ${damage}`);
  } finally {
    connection.close();
  }
};

/**
 * Writes a consistent snapshot of the database into `file`, and returns its size in bytes. Others can read and write
 * meanwhile. `file` either appears complete, verified and flushed to disk, or does not appear. An existing file is
 * never replaced.
 */
export const backUp = (database: string, file: string): number => {
  if (existsSync(file)) throw new UnusableFile(`${file} exists already, and a backup replaces nothing`);
  if (!existsSync(database)) throw new UnusableFile(`there is no database ${database}`);
  if (!existsSync(dirname(file))) throw new UnusableFile(`there is no folder ${dirname(file)}`);
  discardAbandoned(file);
  const temporary = temporaryFileFor(file);
  try {
    closeSync(openSync(temporary, "wx", 0o600));
    copySnapshot(database, temporary);
    const fault = faultOf(temporary);
    if (fault !== null) throw new UnusableFile(`${database} cannot be backed up: ${fault}`);
    syncFile(temporary);
    const { size } = statSync(temporary);
    publish(temporary, file);
    return size;
  } finally {
    discard(temporary);
  }
};
