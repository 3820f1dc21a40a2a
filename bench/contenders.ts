import { copyFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { tagOf as tagOfService } from "../adapters/http/protocol/etag.ts";
import { tagOf as tagByHand } from "./bases/inventory.ts";
import type { Dataset } from "./data.ts";
import { NODE } from "./node.ts";
import { dropDocumentsOfDatabase, dropDocumentsOfFile } from "./without-documents.ts";
import type { VehicleVersion } from "./workloads.ts";

/** The place in which one server runs: its own folder, a free port, and the source of its data. */
export interface ServerSetup {
  readonly data: Dataset;
  /** The address of a new PostgreSQL database with the same data. */
  readonly freshPostgres: () => Promise<string>;
  readonly folder: string;
  readonly port: number;
}

/** A server to measure. To add one, add a record to CONTENDERS. It must answer the same paths as the service. */
export interface Contender {
  readonly name: string;
  readonly description: string;
  /** The contender to which its figures are relative. */
  readonly base: string;
  readonly engine: "sqlite" | "postgres";
  /** The program with its arguments. It is started in the root of the project. */
  readonly command: readonly string[];
  /** Gives the server its own database. Returns the environment variables with the database and the port. */
  readonly environment: (place: ServerSetup) => Promise<Readonly<Record<string, string>>>;
  /** The headers of every request. */
  readonly headers: (data: Dataset) => Readonly<Record<string, string>>;
  /** Answers 200 once the server is ready. */
  readonly readyPath: string;
  /** The ETag of a vehicle. */
  readonly tag: (version: VehicleVersion) => string;
  /**
   * Whether a whole comparison measures it on this workload, so that one takes minutes. It is left out if that is so on
   * every one. What a command line names is measured on all of its workloads.
   */
  readonly isCompared?: (workload: string) => boolean;
}

type Environment = Contender["environment"];

const bun = process.execPath;
const ROOT = join(import.meta.dir, "..");
const PROGRAM = join(ROOT, "dist/vehicle-inventory");

/** Compiles the service in the same way as for a release. */
export const buildProgram = (): void => {
  const { success, stderr } = Bun.spawnSync([bun, "build.ts"], { cwd: ROOT, stdout: "ignore", stderr: "pipe" });
  if (!success) throw new Error(`the program could not be built: ${stderr.toString()}`);
};
/** For all contenders on PostgreSQL. It is the service's default. */
const CONNECTIONS = "10";
/** Longer than the service's default. If a disk stalls for a second, that should show in p99, but not end the run. */
const WAIT_MS = "20000";

const copiedDatabase = async ({ data, folder }: ServerSetup): Promise<string> => {
  const file = join(folder, "inventory.db");
  await copyFile(data.file, file);
  return file;
};

const onFile: Environment = async (place) => {
  const file = await copiedDatabase(place);
  dropDocumentsOfFile(file);
  return { DATABASE_FILE: file, PORT: String(place.port), NODE_ENV: "production" };
};

const onPostgres: Environment = async ({ freshPostgres, port }) => ({
  DATABASE_URL: await freshPostgres(),
  DATABASE_CONNECTIONS: CONNECTIONS,
  DATABASE_POOL_WAIT_MS: WAIT_MS,
  DATABASE_STATEMENT_TIMEOUT_MS: WAIT_MS,
  HOST: "127.0.0.1",
  PORT: String(port),
});

const onBarePostgres: Environment = async (place) => {
  const url = await place.freshPostgres();
  await dropDocumentsOfDatabase(url);
  return onPostgres({ ...place, freshPostgres: async () => url });
};

/** These are compared with the bare handler on SQLite alone. */
const FINDING: readonly string[] = ["words", "facets", "sorted", "history"];
const WRITING: readonly string[] = ["crud", "update", "create"];
const exceptFinding = (workload: string): boolean => !FINDING.includes(workload);
const onlyWriting = (workload: string): boolean => WRITING.includes(workload);
const onlyIfNamed = (): boolean => false;

const keyed: Contender["headers"] = ({ apiKey }) => ({ "x-api-key": apiKey });

const byHand = {
  base: "bare",
  engine: "sqlite",
  environment: onFile,
  readyPath: "/api/vehicles/1",
  tag: ({ updatedAt }: VehicleVersion) => tagByHand({ updated_at: updatedAt }),
} as const;

const bareOnPostgres = {
  ...byHand,
  base: "bare-postgres",
  engine: "postgres",
  environment: onBarePostgres,
  headers: () => ({}),
  isCompared: exceptFinding,
} as const;

/** What the image and the systemd unit set for the runtime (see docs/deployment.md). */
export const AS_DEPLOYED: Readonly<Record<string, string>> = { BUN_JSC_heapGrowthMaxIncrease: "1" };

const shipped = {
  command: [PROGRAM],
  headers: keyed,
  readyPath: "/health/ready",
  tag: ({ id, updatedAt }: VehicleVersion) => tagOfService(id, updatedAt),
} as const;

/** The service on SQLite. */
export const SERVICE: Contender = {
  ...shipped,
  name: "service",
  description: "this service, the compiled program, everything on",
  base: "bare",
  engine: "sqlite",
  environment: async (place) => ({
    ...AS_DEPLOYED,
    DATABASE_URL: `sqlite:${await copiedDatabase(place)}`,
    HOST: "127.0.0.1",
    PORT: String(place.port),
  }),
};

export const CONTENDERS: readonly Contender[] = [
  {
    ...byHand,
    name: "bare",
    description: "bare Bun.serve on better-sqlite3, without authentication",
    command: [bun, "bench/bases/better-sqlite3.ts"],
    headers: () => ({}),
  },
  {
    ...byHand,
    name: "bare-lazy",
    description: "the same, which flushes its log to disk only now and then",
    command: [bun, "bench/bases/better-sqlite3.ts", "lazy"],
    headers: () => ({}),
    isCompared: onlyWriting,
  },
  {
    ...byHand,
    name: "bare-bun-sqlite",
    description: "the same on bun:sqlite",
    command: [bun, "bench/bases/bun-sqlite.ts"],
    headers: () => ({}),
    isCompared: onlyIfNamed,
  },
  {
    ...byHand,
    name: "hono",
    description: "hand-written with Hono on Bun: routes and keys, nothing else",
    command: [bun, "bench/bases/hono.ts"],
    headers: keyed,
    isCompared: exceptFinding,
  },
  {
    ...byHand,
    name: "fastify",
    description: "hand-written with Fastify on Node: routes and keys, nothing else",
    command: [NODE, "bench/bases/fastify.ts"],
    headers: keyed,
    isCompared: exceptFinding,
  },
  SERVICE,
  {
    ...bareOnPostgres,
    name: "bare-postgres",
    description: "bare Bun.serve on PostgreSQL through Bun's driver, without authentication",
    command: [bun, "bench/bases/postgres.ts"],
  },
  {
    ...bareOnPostgres,
    name: "bare-postgres-js",
    description: "the same through postgres.js",
    command: [bun, "bench/bases/postgres-js.ts"],
    isCompared: onlyIfNamed,
  },
  {
    ...shipped,
    name: "service-postgres",
    description: "this service on PostgreSQL, everything on",
    base: "bare-postgres",
    engine: "postgres",
    environment: async (place) => ({ ...AS_DEPLOYED, ...(await onPostgres(place)) }),
    isCompared: exceptFinding,
  },
];

/** Another program of the service, such as that of the last release, and this one, whose figures are relative to it. */
export const besideProgram = (program: string): readonly Contender[] => [
  { ...SERVICE, name: "service-before", description: program, base: "service-before", command: [resolve(program)] },
  { ...SERVICE, base: "service-before" },
];
