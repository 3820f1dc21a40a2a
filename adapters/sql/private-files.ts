import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const OTHERS = 0o077;
/** Sticky, set-group and set-user: a folder with one of them is for several users. */
const SPECIAL = 0o7000;

/** What is beside a database: its log, databases on their way to it, and those that a restore kept. */
const COMPANION =
  /^(?:-wal|-shm|-journal|\.(?:\d{1,10}-)?[0-9a-f]{8}\.partial(?:-journal|-wal|-shm)?|\.before-restore-[0-9TZ-]+)$/;
/** What a folder of the service holds: databases and their companions, backups and the secret key. */
const OWN =
  /^(?:secret\.key|[^/]+\.db(?:-wal|-shm|-journal|\.(?:\d{1,10}-)?[0-9a-f]{8}\.partial(?:-journal|-wal|-shm)?|\.before-restore-[0-9TZ-]+)?)$/;

/** Runs `work`, which must not wait for anything; the files that it makes are nobody's but the owner's from the start. */
export const privately = <Result>(work: () => Result): Result => {
  const before = process.umask(OTHERS);
  try {
    return work();
  } finally {
    process.umask(before);
  }
};

/** Makes the folder of a file, and those above it, where there are none; what is made is the owner's alone. */
export const makeFolderOf = (file: string): void =>
  void privately(() => mkdirSync(dirname(file), { recursive: true, mode: FOLDER_MODE }));

const isOwn = (path: string): boolean => statSync(path).uid === process.getuid?.();

/**
 * Whether a folder is the service's own, so that nobody is locked out of theirs: it belongs to the service's user, is
 * no home, working, temporary or root folder, has no special bits, and holds nothing but files of the service.
 */
const isOwnFolder = (folder: string): boolean => {
  const shared = ["/", homedir(), tmpdir(), process.cwd()].filter(existsSync).map((path) => realpathSync(path));
  if (shared.includes(folder) || !isOwn(folder) || (statSync(folder).mode & SPECIAL) !== 0) return false;
  return readdirSync(folder).every((name) => OWN.test(name) && lstatSync(join(folder, name)).isFile());
};

/** What was found readable for others: what is private now, and what could not be made so. */
export interface Tightened {
  readonly changed: readonly string[];
  readonly refused: readonly string[];
}

/**
 * Takes from others what they may do with a database's file, all that is beside it, and its folder if that is the
 * service's own: files become 0600, the folder 0700. Where the system knows no such rights, nothing is done.
 */
export const makePrivate = (file: string): Tightened => {
  const changed: string[] = [];
  const refused: string[] = [];
  const tighten = (path: string, mode: number): void => {
    if ((statSync(path).mode & OTHERS) === 0) return;
    try {
      chmodSync(path, mode);
      changed.push(path);
    } catch {
      refused.push(path);
    }
  };
  if (process.getuid === undefined || !existsSync(file)) return { changed, refused };
  const database = realpathSync(file);
  const folder = dirname(database);
  const name = basename(database);
  for (const other of readdirSync(folder))
    if (other === name || (other.startsWith(name) && COMPANION.test(other.slice(name.length)))) {
      const path = join(folder, other);
      if (lstatSync(path).isFile()) tighten(path, FILE_MODE);
    }
  if (isOwnFolder(folder)) tighten(folder, FOLDER_MODE);
  return { changed, refused };
};
