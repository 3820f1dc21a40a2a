import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backUp } from "../../adapters/sql/sqlite/backup.ts";
import { restore } from "../../adapters/sql/sqlite/restore.ts";
import { fileOf } from "../../app/database.ts";
import { afterExit } from "../support/after-exit.ts";
import { deepTest } from "../support/deep-test.ts";
import { ENGINES } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { BOOTSTRAP_KEY, type Instance, launchInstance, untilReady } from "../support/instances.ts";
import { rowsOf } from "../support/program.ts";
import { DEALER } from "./support/program.ts";

setDefaultTimeout(300_000);

const folder = mkdtempSync(join(tmpdir(), "vehicle-inventory-lost-"));
afterExit('rm -rf "$1"', folder);

interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly text: string;
  readonly retryAfter: string | null;
}

const [sqlite] = ENGINES;

let root: string;
let database: string;
let instance: Instance;

const files = (): string[] => ["", "-wal", "-shm"].map((companion) => `${database}${companion}`);

const start = async (): Promise<void> => {
  instance = await untilReady(launchInstance({ BOOTSTRAP_API_KEY: BOOTSTRAP_KEY, DATABASE_URL: `sqlite:${database}` }));
};

const killed = async (): Promise<void> => {
  instance.signal("SIGKILL");
  await instance.exited;
};

const ask = async (method: string, path: string, body?: object): Promise<Answer> => {
  const response = await fetch(instance.url + path, {
    method,
    headers: { "x-api-key": BOOTSTRAP_KEY, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    code: JSON.parse(text).code,
    text,
    retryAfter: response.headers.get("retry-after"),
  };
};

const add = (name: string): Promise<Answer> => ask("POST", "/api/dealers", { ...DEALER, name });
const names = (): unknown[] => rowsOf(database, "SELECT name FROM dealers ORDER BY id").map(({ name }) => name);
const readiness = async (): Promise<number> => (await fetch(`${instance.url}/health/ready`)).status;
const untilNotReady = (): Promise<number> => eventually(readiness, (status) => status === 503);

beforeEach(async () => {
  root = mkdtempSync(join(folder, "case-"));
  mkdirSync(join(root, "data"));
  database = join(root, "data", "inventory.db");
  copyFileSync(fileOf(await sqlite.original()), database);
  await start();
  for (const name of ["One", "Two"]) expect((await add(name)).status).toBe(201);
});
afterEach(killed);

/** What people and scripts do to the files of a database in use. */
const FAULTS: Readonly<Record<string, { readonly strike: () => void; readonly words: string }>> = {
  "that was removed with its log": {
    strike: () => {
      for (const file of files()) rmSync(file, { force: true });
    },
    words: "inventory.db was removed",
  },
  "whose log was removed": { strike: () => rmSync(`${database}-wal`), words: "inventory.db-wal was removed" },
  "whose log was replaced": {
    strike: () => {
      copyFileSync(`${database}-wal`, join(root, "copy"));
      renameSync(join(root, "copy"), `${database}-wal`);
    },
    words: "inventory.db-wal was replaced",
  },
  "that another file was moved over": {
    strike: () => {
      copyFileSync(database, join(root, "other.db"));
      renameSync(join(root, "other.db"), database);
    },
    words: "inventory.db was replaced",
  },
  "whose folder was moved": {
    strike: () => renameSync(join(root, "data"), join(root, "moved")),
    words: "inventory.db was removed",
  },
  "whose content was cut off": { strike: () => truncateSync(database, 0), words: "inventory.db was emptied" },
};

/** One fault of each kind: others below remove and move files, too. */
const OF_EACH_KIND = new Set([
  "whose log was replaced",
  "that another file was moved over",
  "whose content was cut off",
]);

describe("a database file", () => {
  for (const [what, { strike, words }] of Object.entries(FAULTS))
    (OF_EACH_KIND.has(what) ? test : deepTest)(
      `${what} while the service runs gets no acknowledged change, and every client gets a 503`,
      async () => {
        strike();
        const first = await add("Nobody finds this");
        expect([first.status, first.retryAfter]).toEqual([503, "1"]);
        expect(["unavailable", "outcome_unknown"]).toContain(first.code ?? "");
        expect(await add("Nor this")).toMatchObject({ status: 503, code: "unavailable" });
        await untilNotReady();
        const read = await ask("GET", "/api/dealers");
        expect(read).toMatchObject({ status: 503, code: "unavailable" });
        for (const { text } of [first, read]) expect(text).not.toMatch(/inventory\.db|SQLite|wal/);
        expect((await fetch(`${instance.url}/health/live`)).status).toBe(200);
        expect(await instance.stop()).toBe(0);
        expect(instance.output().split(words)).toHaveLength(2);
        expect(instance.output()).toContain("start the service anew");
      },
    );

  test("whose shared-memory index was removed is noticed, because other processes would not see new writes", async () => {
    rmSync(`${database}-shm`);
    await untilNotReady();
    expect(await add("Three")).toMatchObject({ status: 503, code: "unavailable" });
  });

  test("that returns to its path is used again, and later acknowledged changes survive", async () => {
    const away = join(root, "away");
    renameSync(join(root, "data"), away);
    expect((await add("Three")).status).toBe(503);
    await untilNotReady();
    renameSync(away, join(root, "data"));
    await eventually(readiness, (status) => status === 200);
    await eventually(instance.output, (output) => output.includes("back at its path"));
    expect((await add("Four")).status).toBe(201);
    await killed();
    expect(names()).toEqual(expect.arrayContaining(["One", "Two", "Four"]));
  });

  test("that was replaced is used after a restart, and stopping before does not touch the new one", async () => {
    const backup = join(root, "backup.db");
    backUp(database, backup);
    for (const file of files()) rmSync(file);
    restore(backup, database, "before");
    writeFileSync(`${database}-wal`, "another's");
    const before = statSync(`${database}-wal`).ino;
    expect((await add("Nobody finds this")).status).toBe(503);
    expect(await instance.stop()).toBe(0);
    expect(statSync(`${database}-wal`).ino).toBe(before);
    rmSync(`${database}-wal`);
    await start();
    expect((await add("Three")).status).toBe(201);
    await killed();
    expect(names()).toEqual(["One", "Two", "Three"]);
  });

  test("whose log was removed keeps acknowledged changes once the service is stopped in order", async () => {
    rmSync(`${database}-wal`);
    await untilNotReady();
    expect(await instance.stop()).toBe(0);
    expect(names()).toEqual(["One", "Two"]);
  });

  test("that was removed while nobody writes is noticed, and no empty one is created in its place", async () => {
    for (const file of files()) rmSync(file);
    await untilNotReady();
    // What is left is the lock by which processes of one file know of each other.
    const left = readdirSync(join(root, "data")).filter((name) => !name.startsWith("inventory.db-serving"));
    expect(left).toEqual(["images", "secret.key"]);
    expect(existsSync(database)).toBe(false);
  });

  test("that is moved under many writers has every earlier acknowledged change, and no later one is acknowledged", async () => {
    let isGone = false;
    const late: string[] = [];
    const kept: string[] = [];
    const writer = async (number: number): Promise<void> => {
      for (let count = 0; count < 40; count++) {
        const sentAfter = isGone;
        const name = `Writer ${number}, ${count}`;
        if ((await add(name)).status === 201) (sentAfter ? late : kept).push(name);
        if (kept.length >= 60 && !isGone) {
          renameSync(join(root, "data"), join(root, "moved"));
          isGone = true;
        }
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, number) => writer(number)));
    expect([isGone, late]).toEqual([true, []]);
    await killed();
    renameSync(join(root, "moved"), join(root, "data"));
    const there = names();
    expect(kept.filter((name) => !there.includes(name))).toEqual([]);
  });
});
