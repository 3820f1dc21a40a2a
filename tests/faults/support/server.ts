import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterExit } from "../../support/after-exit.ts";
import { eventually } from "../../support/eventually.ts";
import { queryDatabase } from "../../support/inspect-database.ts";
import { freePort } from "../../support/ports.ts";
import { initialisePostgres, PASSWORD, postmasterOf, startPostgres } from "../../support/postgres-programs.ts";

// Acknowledged changes must survive a crash of the server's processes. A crash of the machine is not tested.
const SETTINGS = { listen_addresses: "127.0.0.1", unix_socket_directories: "", fsync: "off", max_connections: "40" };

const END = `
  pid=$(head -n 1 "$1/data/postmaster.pid")
  for process in "$pid" $(cat "/proc/$pid/task/$pid/children"); do kill -CONT "$process"; done
  kill -QUIT "$pid"
  for moment in $(seq 100); do [ -e "$1/data/postmaster.pid" ] || break; sleep 0.05; done
  rm -rf "$1"
`;

export type Row = Readonly<Record<string, unknown>>;

/** A PostgreSQL server that tests can crash and freeze. */
export interface FaultyServer {
  readonly port: number;
  /** The address of one of its databases, for this user and password. */
  address(user?: string, password?: string, database?: string): string;
  /** Runs statements as the owner, bypassing the service. */
  query(text: string): Promise<readonly Row[]>;
  /** Kills the server at once, whatever it is doing. */
  crash(): Promise<void>;
  start(): Promise<void>;
  /** Stops all of its processes. */
  freeze(): void;
  thaw(): void;
  remove(): Promise<void>;
}

/** Starts a new server, which ends with the test process at the latest. */
export const startFaultyServer = async (): Promise<FaultyServer> => {
  const folder = mkdtempSync(join(tmpdir(), "vehicle-inventory-faults-"));
  const port = freePort();
  const place = { folder, port, settings: SETTINGS };
  await initialisePostgres(place);
  await startPostgres(place);
  const end = afterExit(END, folder);

  const address = (user = "postgres", password = PASSWORD, database = "postgres"): string =>
    `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;

  const isThere = (pid: number): boolean => readdirSync("/proc").includes(String(pid));
  const signal = (name: "SIGSTOP" | "SIGCONT"): void => {
    const pid = postmasterOf(folder);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
    process.kill(pid, name);
    for (const child of children) {
      try {
        process.kill(child, name);
      } catch (error) {
        // A process of a connection that has just closed.
        if (isThere(child)) throw error;
      }
    }
  };

  return {
    port,
    address,
    query: (text) => queryDatabase(address(), text),
    async crash() {
      const pid = postmasterOf(folder);
      process.kill(pid, "SIGQUIT");
      await eventually(
        () => isThere(pid),
        (there) => !there,
      );
    },
    start: () => startPostgres(place),
    freeze: () => signal("SIGSTOP"),
    thaw: () => signal("SIGCONT"),
    remove: () => end(),
  };
};
