import { readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** A unique name beside `file` for an unfinished database. It contains the process id. */
export const temporaryFileFor = (file: string): string =>
  `${file}.${process.pid}-${crypto.randomUUID().slice(0, 8)}.partial`;

/** Suffixes of files that SQLite may create beside a database. */
const COMPANIONS = ["-journal", "-wal", "-shm"] as const;

/** Removes a temporary database, if it exists, with all the files that belong to it. */
export const discard = (temporary: string): void => {
  for (const companion of ["", ...COMPANIONS]) rmSync(`${temporary}${companion}`, { force: true });
};

/** The suffix of temporary databases. Earlier versions made names without a process id. */
const TEMPORARY = /^\.(?:(\d{1,10})-)?[0-9a-f]{8}\.partial(?:-journal|-wal|-shm)?$/;

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM means that the process exists, but belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};

/** Removes the temporary databases beside `file` whose processes ended without finishing them. */
export const discardAbandoned = (file: string): void => {
  const [folder, name] = [dirname(file), basename(file)];
  for (const found of readdirSync(folder)) {
    const match = found.startsWith(name) ? TEMPORARY.exec(found.slice(name.length)) : null;
    if (match === null || (match[1] !== undefined && isRunning(Number(match[1])))) continue;
    rmSync(join(folder, found), { force: true });
  }
};
