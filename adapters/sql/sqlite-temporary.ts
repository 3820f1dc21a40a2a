import { rmSync } from "node:fs";

/** A name beside `file` that nobody else uses, for a database on its way there. */
export const temporaryBeside = (file: string): string => `${file}.${crypto.randomUUID().slice(0, 8)}.partial`;

/** What SQLite may put beside a database. */
const COMPANIONS = ["-journal", "-wal", "-shm"] as const;

/** Removes a temporary database, if it is there, with everything beside it. */
export const discard = (temporary: string): void => {
  for (const companion of ["", ...COMPANIONS]) rmSync(`${temporary}${companion}`, { force: true });
};
