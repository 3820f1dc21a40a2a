import { copyFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Sqlite } from "../../adapters/sql/sqlite/addon.ts";
import { fileOf } from "../../app/database.ts";
import { afterExit } from "./after-exit.ts";
import { BRIEFLY } from "./briefly.ts";
import { type Ran, runCommand } from "./command.ts";
import { DEEP } from "./depth.ts";
import { ENGINES } from "./engines.ts";
import { eventually } from "./eventually.ts";
import { PROGRAM } from "./executable.ts";
import { freePort } from "./ports.ts";

export type { Ran } from "./command.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A program that is serving. */
export interface RunningProgram {
  readonly url: string;
  /** Stops it as an operator would. */
  stop(): Promise<Ran>;
}

/** The program with its own folder and database file. */
export interface TestProgram {
  readonly folder: string;
  /** The database file, which exists once a command creates it. */
  readonly database: string;
  /** A path in the folder. */
  path(name: string): string;
  /** Runs a command to its end. */
  run(...args: readonly string[]): Promise<Ran>;
  /** Runs a command with additional variables; they may replace DATABASE_URL. */
  runWith(environment: Environment, ...args: readonly string[]): Promise<Ran>;
  /** Runs a command whose standard input is a file. */
  from(file: string, ...args: readonly string[]): Promise<Ran>;
  /** Runs a command and pipes its output into a shell command; the code is the program's own. */
  through(reader: string, ...args: readonly string[]): Promise<Ran>;
  /** Serves on a free port until it is stopped. */
  serve(environment?: Environment): Promise<RunningProgram>;
}

/** The time limit of a test or its preparation. Most need a second, but many more on a busy machine. */
export const TEST_TIMEOUT_MS = 300_000;

const parent = mkdtempSync(join(tmpdir(), "vehicle-inventory-commands-"));
afterExit('rm -rf "$1"', parent);

const optionsOf = (cwd: string, environment: Environment) => ({
  cwd,
  env: { PATH: process.env.PATH, TMPDIR: parent, ...BRIEFLY, ...environment },
});

const start = (cwd: string, environment: Environment, command: readonly string[]) =>
  Bun.spawn([...command], {
    ...optionsOf(cwd, environment),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });

const spawn = (cwd: string, environment: Environment, args: readonly string[]) =>
  start(cwd, environment, [...PROGRAM, ...args]);

const PIPED = 'reader="$1"; shift; "$@" | sh -c "$reader"; exit $PIPESTATUS';
const WITH_INPUT = 'input="$1"; shift; exec "$@" <"$input"';

const finish = async (child: ReturnType<typeof start>): Promise<Ran> => {
  const [code, out, err] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code, out, err };
};

const serve = async (cwd: string, environment: Environment): Promise<RunningProgram> => {
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(cwd, { LOG_LEVEL: "silent", ...environment, PORT: String(port) }, ["serve"]);
  const release = afterExit('kill -KILL "$1"', String(child.pid));
  const ended = finish(child).finally(release);
  const isReady = async (): Promise<boolean> => {
    if (child.exitCode !== null) throw new Error(`the program ended with ${child.exitCode}: ${(await ended).err}`);
    return (await fetch(`${url}/health/ready`).catch(() => null))?.status === 200;
  };
  await eventually(isReady, Boolean);
  return {
    url,
    stop() {
      child.kill("SIGTERM");
      return ended;
    },
  };
};

/** The program on a new folder and database file. */
export const testProgram = (): TestProgram => {
  const folder = mkdtempSync(join(parent, "place-"));
  const database = join(folder, "inventory.db");
  const own = { DATABASE_URL: `sqlite:${database}` };
  return {
    folder,
    database,
    path: (name) => join(folder, name),
    run: (...args) => finish(spawn(folder, own, args)),
    runWith: (environment, ...args) => finish(spawn(folder, { ...own, ...environment }, args)),
    from: (file, ...args) => finish(start(folder, own, ["bash", "-c", WITH_INPUT, "bash", file, ...PROGRAM, ...args])),
    through: (reader, ...args) =>
      finish(start(folder, own, ["bash", "-c", PIPED, "bash", reader, ...PROGRAM, ...args])),
    serve: (environment = {}) => serve(folder, { ...own, ...environment }),
  };
};

const [sqlite] = ENGINES;
const migrated = fileOf(await sqlite.original());

/**
 * The program on a new folder with a database that is migrated and empty, for what is about neither: to migrate a new
 * file costs as much as to start the program.
 */
export const migratedProgram = (): TestProgram => {
  const program = testProgram();
  copyFileSync(migrated, program.database);
  return program;
};

/**
 * A program for what commands do: in the gate `run` and `runWith` run them in this process, where files have their
 * whole paths. `json.test.ts` and `command-line.test.ts` start the program for each kind. The deep run starts it always.
 */
export const inThisProcess = (program: TestProgram): TestProgram => {
  if (DEEP) return program;
  const own = { DATABASE_URL: `sqlite:${program.database}` };
  return {
    ...program,
    run: (...args) => runCommand(own, ...args),
    runWith: (environment, ...args) => runCommand({ ...own, ...environment }, ...args),
  };
};

/** The same on a new folder and migrated database. */
export const testCommands = (): TestProgram => inThisProcess(migratedProgram());

/** Everything a command wrote to a terminal of `columns` characters. */
export const onTerminal = async (
  program: TestProgram,
  columns: number,
  ...args: readonly string[]
): Promise<string> => {
  const written: string[] = [];
  const child = Bun.spawn([...PROGRAM, ...args], {
    ...optionsOf(program.folder, { DATABASE_URL: `sqlite:${program.database}`, TERM: "xterm" }),
    terminal: { cols: columns, rows: 24, data: (_, chunk) => void written.push(chunk.toString()) },
  });
  await child.exited;
  return written.join("");
};

type Row = Readonly<Record<string, unknown>>;

/** Reads a database file, which another process may have open. */
const reading = <Result>(file: string, work: (connection: InstanceType<typeof Sqlite>) => Result): Result => {
  const connection = new Sqlite(file, { fileMustExist: true });
  try {
    return work(connection);
  } finally {
    connection.close();
  }
};

/** The result of a query on a database file, which another process may have open. */
export const rowsOf = (file: string, query: string): Row[] =>
  reading(file, (connection) => connection.prepare(query).all() as Row[]);

/** Changes a database file without the service. */
export const alter = (file: string, text: string): void => {
  const connection = new Sqlite(file);
  try {
    connection.exec(text);
  } finally {
    connection.close();
  }
};

/**
 * Every row of every table of a database file, for comparison: without the name of the change feed's numbering, which a
 * restored database has of its own.
 */
export const contentOf = (file: string): Readonly<Record<string, readonly Row[]>> =>
  reading(file, (connection) => {
    const allOf = (query: string) => connection.prepare(query).all() as Row[];
    const tables = allOf(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'change_numbering' ORDER BY name`,
    );
    return Object.fromEntries(tables.map(({ name }) => [String(name), allOf(`SELECT * FROM "${String(name)}"`)]));
  });
