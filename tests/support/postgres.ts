import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { SQL } from "bun";
import { afterExit } from "./after-exit.ts";
import { freePort } from "./ports.ts";
import { initialisePostgres, PASSWORD, postmasterOf, startPostgres } from "./postgres-programs.ts";
import { scratchFolder } from "./scratch-folder.ts";

const ATTEMPTS = 3;

/** The data is temporary, so nothing waits for the disk and no cleanup runs in the background. */
const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "1000",
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

/** A server that was started here. */
interface Started {
  readonly address: string;
  /** Ends it before this process does. */
  end(): Promise<void>;
}

// Shut down cleanly first, so that no shared memory is left. A paused server must be resumed to receive the signal.
const END = `
  kill -CONT "$1"; kill -QUIT "$1"
  for moment in $(seq 100); do [ -e "$2/data/postmaster.pid" ] || break; sleep 0.05; done
  kill -KILL "$1"
  rm -rf "$2"
`;

const launch = async (): Promise<Started> => {
  const folder = scratchFolder("vehicle-inventory-postgres-");
  const place = { folder, port: freePort(), settings: SETTINGS };
  try {
    await initialisePostgres(place);
    await startPostgres(place);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  const end = afterExit(END, String(postmasterOf(folder)), folder);
  return { address: `postgres://postgres:${PASSWORD}@127.0.0.1:${place.port}/postgres`, end };
};

/** Starts a server that ends with this process, however that ends. */
export const startServer = async (attempts = ATTEMPTS): Promise<Started> => {
  try {
    return await launch();
  } catch (error) {
    // Another process may have taken the free port meanwhile.
    if (attempts > 1 && String(error).includes("Address already in use")) return startServer(attempts - 1);
    throw error;
  }
};

const prefixOf = ({ pid }: { readonly pid: number }): string => `inventory_${pid}_`;

/** Deletes the databases that a process, which has ended, has made on a server. */
export const dropDatabasesOf = async (maker: { readonly pid: number }, address: string): Promise<void> => {
  const owner = new SQL(address, { max: 1 });
  const rows: { datname: string }[] = await owner`
    SELECT datname FROM pg_database WHERE starts_with(datname, ${prefixOf(maker)})`;
  for (const { datname } of rows) await owner.unsafe(`DROP DATABASE ${datname} WITH (FORCE)`);
  await owner.close();
};

const serverAt = (address: string): Postgres => {
  const owner = new SQL(address, { max: 1 });
  const at = (database: string): string => address.replace(/\/postgres$/, `/${database}`);
  // Other processes make databases on the same server.
  const prefix = `${prefixOf(process)}${randomBytes(6).toString("hex")}`;
  let databases = 0;
  return {
    async freshDatabase(original = at("template1")) {
      const name = `${prefix}_${++databases}`;
      const template = new URL(original).pathname.slice(1);
      await owner.unsafe(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
      return at(name);
    },
  };
};

let shared: Promise<Postgres> | undefined;

/**
 * The server of all suites: that of the run, whose address is in `TEST_POSTGRES`, or one of this process, started on
 * first use. Nobody needs to stop it.
 */
export const postgres = (): Promise<Postgres> => {
  shared ??= (async () => serverAt(process.env.TEST_POSTGRES ?? (await startServer()).address))();
  return shared;
};
