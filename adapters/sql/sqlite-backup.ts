import { closeSync, existsSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { publish, syncFile } from "./durable-files.ts";
import { Sqlite } from "./sqlite-addon.ts";
import { damageOf, faultOf, UnusableFile } from "./sqlite-inspection.ts";
import { discard, discardAbandoned, temporaryBeside } from "./sqlite-temporary.ts";

const BUSY_MS = 5000;

/** Copies one moment of a database, which may be in use meanwhile, into a file that is there and empty. */
const copyMoment = (database: string, file: string): void => {
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
 * Writes the database as it is at one moment into `file`, while others go on reading and writing it, and returns the
 * size in bytes. `file` appears complete, checked and on the disk, or not at all; a file that is there is never replaced.
 */
export const backUp = (database: string, file: string): number => {
  if (existsSync(file)) throw new UnusableFile(`${file} exists already, and a backup replaces nothing`);
  if (!existsSync(database)) throw new UnusableFile(`there is no database ${database}`);
  if (!existsSync(dirname(file))) throw new UnusableFile(`there is no folder ${dirname(file)}`);
  discardAbandoned(file);
  const temporary = temporaryBeside(file);
  try {
    closeSync(openSync(temporary, "wx", 0o600));
    copyMoment(database, temporary);
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
