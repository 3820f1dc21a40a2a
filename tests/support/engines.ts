import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { migrateToLatest } from "../../adapters/sql/schema/migrate.ts";
import { postgresLimitsOf } from "../../app/config.ts";
import { openDatabase } from "../../app/database.ts";
import { afterwards } from "./afterwards.ts";
import { postgres } from "./postgres.ts";

/** A database, and the address at which others find it. */
export interface TestDatabase extends SqlDatabase {
  readonly url: string;
}

/** A database engine that every suite runs on. */
export interface TestEngine {
  readonly name: "SQLite" | "PostgreSQL";
  /** The DATABASE_URL of a database that nobody has used yet; it is gone when the tests are over. */
  url(): Promise<string>;
  /** A migrated database: a fresh one, or the one at this address once more, as another process has it. Close it. */
  open(url?: string): Promise<TestDatabase>;
}

/** Where PostgreSQL has to wait for a slow machine, it may. */
export const PATIENT = {
  REQUEST_TIMEOUT_MS: "60000",
  DATABASE_POOL_WAIT_MS: "60000",
  DATABASE_STATEMENT_TIMEOUT_MS: "60000",
} as const;

/** The database at an address as it is, not migrated. Close it. */
export const connect = (url: string): SqlDatabase => openDatabase(url, { postgres: postgresLimitsOf(PATIENT) });

const openMigrated = async (url: string): Promise<TestDatabase> => {
  const db = connect(url);
  await migrateToLatest(db);
  return { ...db, url };
};

const folder = mkdtempSync(join(tmpdir(), "vehicle-inventory-tests-"));
afterwards('rm -rf "$1"', folder);

let files = 0;

const sqlite: TestEngine = {
  name: "SQLite",
  url: async () => `sqlite:${join(folder, `${++files}.db`)}`,
  open: async (url) => openMigrated(url ?? (await sqlite.url())),
};

const postgresql: TestEngine = {
  name: "PostgreSQL",
  url: async () => (await postgres()).freshDatabase(),
  open: async (url) => openMigrated(url ?? (await postgresql.url())),
};

/** The same fresh database twice, as two instances of the service have it. Close both. */
export const openTwice = async (engine: TestEngine): Promise<[TestDatabase, TestDatabase]> => {
  const url = await engine.url();
  return [await engine.open(url), await engine.open(url)];
};

/** Every engine the service runs on. Suites are written for all: `for (const engine of ENGINES) describe(…)`. */
export const ENGINES: readonly TestEngine[] = [sqlite, postgresql];
