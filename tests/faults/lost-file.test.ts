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
import { afterExit } from "../support/after-exit.ts";
import { eventually } from "../support/eventually.ts";
import { BOOTSTRAP_KEY, type Instance, launchInstance, untilReady } from "../support/instances.ts";
import { rowsOf } from "../support/program.ts";
import { DEALER } from "./support/program.ts";

setDefaultTimeout(300_000);

const WAIT_MS = 5000;
const folder = mkdtempSync(join(tmpdir(), "vehicle-inventory-lost-"));
afterExit('rm -rf "$1"', folder);

interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly text: string;
  readonly retryAfter: string | null;
}

let place: string;
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
const untilNotReady = (): Promise<number> => eventually(readiness, (status) => status === 503, WAIT_MS);

beforeEach(async () => {
  place = mkdtempSync(join(folder, "place-"));
  mkdirSync(join(place, "data"));
  database = join(place, "data", "inventory.db");
  await start();
  for (const name of ["One", "Two"]) expect((await add(name)).status).toBe(201);
});
afterEach(killed);

/** What people and their scripts do to the files of a database in use. */
const FAULTS: Readonly<Record<string, { readonly strike: () => void; readonly words: string }>> = {
  "that was removed with all beside it": {
    strike: () => {
      for (const file of files()) rmSync(file, { force: true });
    },
    words: "inventory.db was removed",
  },
  "whose log was removed": { strike: () => rmSync(`${database}-wal`), words: "inventory.db-wal was removed" },
  "whose log was replaced": {
    strike: () => {
      copyFileSync(`${database}-wal`, join(place, "copy"));
      renameSync(join(place, "copy"), `${database}-wal`);
    },
    words: "inventory.db-wal was replaced",
  },
  "with another one moved over it": {
    strike: () => {
      copyFileSync(database, join(place, "other.db"));
      renameSync(join(place, "other.db"), database);
    },
    words: "inventory.db was replaced",
  },
  "whose folder was moved": {
    strike: () => renameSync(join(place, "data"), join(place, "moved")),
    words: "inventory.db was removed",
  },
  "whose content was cut off": { strike: () => truncateSync(database, 0), words: "inventory.db was emptied" },
};

describe("a database file", () => {
  for (const [what, { strike, words }] of Object.entries(FAULTS))
    test(`${what} under the service gets no acknowledged change, and everybody is told`, async () => {
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
    });

  test("whose index of the log was removed is noticed, as another process would not see what is written", async () => {
    rmSync(`${database}-shm`);
    await untilNotReady();
    expect(await add("Three")).toMatchObject({ status: 503, code: "unavailable" });
  });

  test("that comes back to its path is used again, and what is acknowledged then survives", async () => {
    const away = join(place, "away");
    renameSync(join(place, "data"), away);
    expect((await add("Three")).status).toBe(503);
    await untilNotReady();
    renameSync(away, join(place, "data"));
    await eventually(readiness, (status) => status === 200, WAIT_MS);
    await eventually(instance.output, (output) => output.includes("back at its path"), WAIT_MS);
    expect((await add("Four")).status).toBe(201);
    await killed();
    expect(names()).toEqual(expect.arrayContaining(["One", "Two", "Four"]));
    await start();
  });

  test("that was replaced is served as it is after a new start, and stopping before does not touch what is there", async () => {
    const backup = join(place, "backup.db");
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
    await start();
  });

  test("whose log was removed keeps what was acknowledged, once the service was stopped in order", async () => {
    rmSync(`${database}-wal`);
    await untilNotReady();
    expect(await instance.stop()).toBe(0);
    expect(names()).toEqual(["One", "Two"]);
  });

  test("that was removed with nobody writing is noticed all the same, and nothing makes an empty one in its place", async () => {
    for (const file of files()) rmSync(file);
    await untilNotReady();
    expect(readdirSync(join(place, "data"))).toEqual(["secret.key"]);
    expect(existsSync(database)).toBe(false);
  });

  test("under many writers: whoever was acknowledged before it went is found, and nobody is acknowledged after", async () => {
    let isGone = false;
    const late: string[] = [];
    const kept: string[] = [];
    const writer = async (number: number): Promise<void> => {
      for (let count = 0; count < 40; count++) {
        const sentAfter = isGone;
        const name = `Writer ${number}, ${count}`;
        if ((await add(name)).status === 201) (sentAfter ? late : kept).push(name);
        if (kept.length >= 60 && !isGone) {
          renameSync(join(place, "data"), join(place, "moved"));
          isGone = true;
        }
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, number) => writer(number)));
    expect([isGone, late]).toEqual([true, []]);
    await killed();
    renameSync(join(place, "moved"), join(place, "data"));
    const there = names();
    expect(kept.filter((name) => !there.includes(name))).toEqual([]);
    await start();
  });
});
