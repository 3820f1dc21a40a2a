import { readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** A name beside `file` that nobody else uses, for a database on its way there. Says which process it belongs to. */
export const temporaryBeside = (file: string): string =>
  `${file}.${process.pid}-${crypto.randomUUID().slice(0, 8)}.partial`;

/** What SQLite may put beside a database. */
const COMPANIONS = ["-journal", "-wal", "-shm"] as const;

/** Removes a temporary database, if it is there, with everything beside it. */
export const discard = (temporary: string): void => {
  for (const companion of ["", ...COMPANIONS]) rmSync(`${temporary}${companion}`, { force: true });
};

/** What follows a database's name in that of a temporary one, by this version and by those that named no process. */
const TEMPORARY = /^\.(?:(\d{1,10})-)?[0-9a-f]{8}\.partial(?:-journal|-wal|-shm)?$/;

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // One that belongs to somebody else is there, too.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};

/** Removes the temporary databases beside `file` whose process was ended before it was done with them. */
export const discardAbandoned = (file: string): void => {
  const [folder, name] = [dirname(file), basename(file)];
  for (const found of readdirSync(folder)) {
    const match = found.startsWith(name) ? TEMPORARY.exec(found.slice(name.length)) : null;
    if (match === null || (match[1] !== undefined && isRunning(Number(match[1])))) continue;
    rmSync(join(folder, found), { force: true });
  }
};
