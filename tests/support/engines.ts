import { copyFileSync } from "node:fs";
import { join } from "node:path";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { migrateToLatest } from "../../adapters/sql/schema/migrate.ts";
import { postgresLimitsOf } from "../../app/config.ts";
import { fileOf, openDatabase } from "../../app/database.ts";
import { afterExit } from "./after-exit.ts";
import { inGate } from "./depth.ts";
import { postgres } from "./postgres.ts";
import { scratchFolder } from "./scratch-folder.ts";

/** A database and the address at which other processes reach it. */
export interface TestDatabase extends SqlDatabase {
  readonly url: string;
}

/** A database engine; every suite runs on each. */
export interface TestEngine {
  readonly name: "SQLite" | "PostgreSQL";
  /** The DATABASE_URL of an unused database, which is deleted after the tests. */
  url(): Promise<string>;
  /** The DATABASE_URL of an unused, migrated database, which is deleted after the tests. */
  migratedUrl(): Promise<string>;
  /** The DATABASE_URL of the migrated database that the others are copies of. Nobody opens it. */
  original(): Promise<string>;
  /**
   * A fresh, migrated database, or a second connection to the one at this address, as from another process. Nothing is
   * migrated, so that opening costs little. Close it.
   */
  open(url?: string): Promise<TestDatabase>;
}

/** PostgreSQL may wait for a slow machine. */
export const PATIENT = {
  REQUEST_TIMEOUT_MS: "60000",
  DATABASE_CONNECT_TIMEOUT_MS: "60000",
  DATABASE_POOL_WAIT_MS: "60000",
  DATABASE_STATEMENT_TIMEOUT_MS: "60000",
} as const;

/** Opens the database at an address without migrating it. Close it. */
export const connect = (url: string): SqlDatabase => openDatabase(url, { postgres: postgresLimitsOf(PATIENT) });

const folder = scratchFolder("vehicle-inventory-tests-");
afterExit('rm -rf "$1"', folder);

/** The migrated databases that all processes of a run copy, if the run has made them. */
const { TEST_SQLITE_ORIGINAL, TEST_POSTGRES_ORIGINAL } = process.env;

interface Making {
  /** Creates a database: an empty one, or a copy of one that nobody has open. */
  readonly fresh: (original?: string) => Promise<string>;
  /** A migrated database that is there already. */
  readonly made: string | undefined;
}

const engineOf = (name: TestEngine["name"], { fresh, made }: Making): TestEngine => {
  const makeOriginal = async (): Promise<string> => {
    const url = await fresh();
    const db = connect(url);
    await migrateToLatest(db);
    await db.close();
    return url;
  };
  // Migrated only once: a copy costs a tenth as much.
  let migrated: Promise<string> | undefined;
  const original = (): Promise<string> => {
    migrated ??= made === undefined ? makeOriginal() : Promise.resolve(made);
    return migrated;
  };
  const migratedUrl = async (): Promise<string> => fresh(await original());
  const open = async (given?: string): Promise<TestDatabase> => {
    const url = given ?? (await migratedUrl());
    return { ...connect(url), url };
  };
  return { name, url: () => fresh(), migratedUrl, original, open };
};

let files = 0;
const sqlite = engineOf("SQLite", {
  made: TEST_SQLITE_ORIGINAL,
  async fresh(original) {
    const file = join(folder, `${++files}.db`);
    if (original !== undefined) copyFileSync(fileOf(original), file);
    return `sqlite:${file}`;
  },
});

const postgresql = engineOf("PostgreSQL", {
  made: TEST_POSTGRES_ORIGINAL,
  fresh: async (original) => (await postgres()).freshDatabase(original),
});

/** Two connections to the same fresh database, as from two instances of the service. Close both. */
export const openTwice = async (engine: TestEngine): Promise<[TestDatabase, TestDatabase]> => {
  const url = await engine.migratedUrl();
  return [await engine.open(url), await engine.open(url)];
};

/** Every engine the service runs on. Suites run on each: `for (const engine of ENGINES) describe(…)`. */
export const ENGINES: readonly [sqlite: TestEngine, postgresql: TestEngine] = [sqlite, postgresql];

/**
 * For suites that see answers only, whose statements `tests/contracts` tries on both engines: SQLite in the gate, every
 * engine in the deep run.
 */
export const ANSWERING: readonly TestEngine[] = inGate<readonly TestEngine[]>([sqlite], ENGINES);

/**
 * For suites on both engines that the gate repeats on the compiled program: there on SQLite alone, since the build
 * changes nothing that depends on the engine. tests/instances has the program on PostgreSQL.
 */
export const DIFFERING: readonly TestEngine[] = process.env.TEST_BINARY === undefined ? ENGINES : ANSWERING;
