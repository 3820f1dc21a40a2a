import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const OTHERS = 0o077;
/** The sticky, setgid and setuid bits. A folder with one of them is shared by several users. */
const SPECIAL = 0o7000;

/** Names of files that belong to a database: its log, unfinished copies, and databases that a restore has kept. */
const COMPANION =
  /^(?:-wal|-shm|-journal|-serving|\.(?:\d{1,10}-)?[0-9a-f]{8}\.partial(?:-journal|-wal|-shm)?|\.before-restore-[0-9TZ-]+)$/;
/**
 * Names of files in a folder of the service: databases with the files that belong to them, backups, and the secret key.
 */
const OWN =
  /^(?:secret\.key|[^/]+\.db(?:-wal|-shm|-journal|-serving|\.(?:\d{1,10}-)?[0-9a-f]{8}\.partial(?:-journal|-wal|-shm)?|\.before-restore-[0-9TZ-]+)?)$/;

/** Runs `work`, which must be synchronous. The files that it creates are private to their owner from the start. */
export const withPrivateUmask = <Result>(work: () => Result): Result => {
  const before = process.umask(OTHERS);
  try {
    return work();
  } finally {
    process.umask(before);
  }
};

/** Creates the folder of a file and its parents if needed. They are private to their owner. */
export const makeFolderOf = (file: string): void =>
  void withPrivateUmask(() => mkdirSync(dirname(file), { recursive: true, mode: FOLDER_MODE }));

/**
 * The entry at a path, without following links; `undefined` if there is none. SQLite removes a log when the last
 * program that uses it closes it.
 */
export const entryAt = (path: string) => lstatSync(path, { throwIfNoEntry: false });

const isOwn = (path: string): boolean => statSync(path).uid === process.getuid?.();

/**
 * True if a folder belongs to the service alone, so that nobody else is locked out: it belongs to the service's user;
 * it is not the root, a home, the working or the temporary folder; it has no special bits; and it contains only files
 * of the service.
 */
const isOwnFolder = (folder: string): boolean => {
  const shared = ["/", homedir(), tmpdir(), process.cwd()].filter(existsSync).map((path) => realpathSync(path));
  if (shared.includes(folder) || !isOwn(folder) || (statSync(folder).mode & SPECIAL) !== 0) return false;
  return readdirSync(folder).every((name) => OWN.test(name) && entryAt(join(folder, name))?.isFile() !== false);
};

/** Files that others could read: those that are private now, and those whose permissions could not be changed. */
export interface PermissionChanges {
  readonly changed: readonly string[];
  readonly refused: readonly string[];
}

/**
 * Removes the access of others to a database file, to the files that belong to it, and to its folder if that belongs to
 * the service alone. Files become 0600, the folder 0700. Does nothing on systems without such permissions.
 */
export const makePrivate = (file: string): PermissionChanges => {
  const changed: string[] = [];
  const refused: string[] = [];
  const tighten = (path: string, mode: number): void => {
    const entry = entryAt(path);
    if (entry === undefined || (entry.mode & OTHERS) === 0) return;
    try {
      // A file that is read-only stays so.
      chmodSync(path, entry.mode & mode);
      changed.push(path);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) refused.push(path);
    }
  };
  if (process.getuid === undefined || !existsSync(file)) return { changed, refused };
  const database = realpathSync(file);
  const folder = dirname(database);
  const name = basename(database);
  for (const other of readdirSync(folder))
    if (other === name || (other.startsWith(name) && COMPANION.test(other.slice(name.length)))) {
      const path = join(folder, other);
      if (entryAt(path)?.isFile() === true) tighten(path, FILE_MODE);
    }
  if (isOwnFolder(folder)) tighten(folder, FOLDER_MODE);
  return { changed, refused };
};
