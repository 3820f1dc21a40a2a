import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { eventually } from "../support/eventually.ts";
import {
  contentOf,
  inThisProcess,
  type RunningProgram,
  rowsOf,
  TEST_TIMEOUT_MS,
  type TestProgram,
  testCommands,
  testProgram,
} from "../support/program.ts";
import { refusalOf } from "../support/refusal.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const UNLIMITED = ["--app-type", "desktop", "--rate-limit", "1000000"];

/** A database with data to back up. */
const SEEDED = testCommands();
beforeAll(async () => {
  await SEEDED.runWith({ IMAGE_STORAGE: "off" }, "seed", "--dealers", "3", "--vehicles", "500", "--images");
}, TEST_TIMEOUT_MS);

const withData = (): TestProgram => {
  const program = testProgram();
  copyFileSync(SEEDED.database, program.database);
  return program;
};

/** Adds one vehicle through the service, and returns its id once the service has acknowledged it. */
const addVehicle = async ({ url }: RunningProgram, key: string): Promise<number> => {
  const answer = await fetch(`${url}/api/vehicles`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify({ dealer_id: 1, make: "Toyota", model: "Camry", year: 2024, price: 25_999.99 }),
  });
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { id: number }).id;
};

/** Keeps adding vehicles, several at a time, until it is stopped; fails if the service refuses one. */
const startWriting = (serving: RunningProgram, key: string) => {
  const added: number[] = [];
  let writing = true;
  const write = async (): Promise<void> => {
    while (writing) added.push(await addVehicle(serving, key));
  };
  const writers = Array.from({ length: 4 }, write);
  return {
    added,
    async stop() {
      writing = false;
      await Promise.all(writers);
    },
  };
};

describe("backup", () => {
  test("has the state of one moment while the service writes, and restores to the same rows", async () => {
    const program = withData();
    const made = await program.run(...["keys", "create", "--name", "Writer", "--app-id", "writer"], ...UNLIMITED);
    const key = made.out.trim();
    const serving = await program.serve();
    const writing = startWriting(serving, key);
    await eventually(
      () => writing.added.length,
      (count) => count > 0,
    );
    const before = [...writing.added];
    const { code, out, err } = await program.run("backup", "copy.db");
    const [duringFirst = 0] = writing.added.slice(before.length);
    await writing.stop();
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringMatching(/^The key of second factors .* apart from the backup\.\n$/) as string,
    });
    expect(out).toMatch(/^Backed up \S+inventory\.db to copy\.db \(\d+\.\d MiB\)\.\n$/);
    expect(duringFirst).toBeGreaterThan(0);

    const copied = new Set(rowsOf(program.path("copy.db"), "SELECT id FROM vehicles").map(({ id }) => id));
    for (const id of before) expect(copied.has(id)).toBe(true);
    expect(copied.size).toBeLessThanOrEqual(Math.max(...writing.added));
    const [ends] = rowsOf(program.path("copy.db"), "SELECT min(id) AS first, max(id) AS last FROM vehicles");
    expect(ends).toEqual({ first: 1, last: copied.size });

    expect(await serving.stop()).toMatchObject({ code: 0 });
    const copy = contentOf(program.path("copy.db"));
    expect(await inThisProcess(program).run("restore", program.path("copy.db"))).toMatchObject({ code: 0 });
    expect(contentOf(program.database)).toEqual(copy);
    const again = await program.serve();
    expect(await addVehicle(again, key)).toBe(copied.size + 1);
    expect(await again.stop()).toMatchObject({ code: 0 });
  });

  test("leaves one file and nothing beside it, with the database's permissions", async () => {
    const program = withData();
    chmodSync(program.database, 0o600);
    const before = readdirSync(program.folder);
    expect(await inThisProcess(program).run("backup", program.path("copy.db"))).toMatchObject({ code: 0 });
    expect(readdirSync(program.folder).sort()).toEqual([...before, "copy.db"].sort());
    expect(statSync(program.path("copy.db")).mode & 0o777).toBe(0o600);
    expect(contentOf(program.path("copy.db"))).toEqual(contentOf(program.database));
  });

  test("replaces no file, creates no folder, and leaves nothing behind when it refuses", async () => {
    const program = withData();
    writeFileSync(program.path("precious"), "precious");
    const before = readdirSync(program.folder);
    for (const [file, words] of [
      [program.path("precious"), "precious exists already"],
      [program.database, "exists already"],
      [program.path("nowhere/copy.db"), `there is no folder ${program.path("nowhere")}`],
    ] as const)
      expect(await refusalOf(`sqlite:${program.database}`, "backup", file)).toEqual({
        code: 1,
        message: expect.stringContaining(words),
      });
    expect(readFileSync(program.path("precious"), "utf8")).toBe("precious");
    expect(readdirSync(program.folder)).toEqual(before);
  });

  test("refuses a damaged database, and leaves nothing behind", async () => {
    const program = withData();
    const bytes = readFileSync(program.database);
    bytes.fill(0xa5, 40 * 4096, 80 * 4096);
    writeFileSync(program.database, bytes);
    const { code, err } = await program.run("backup", "copy.db");
    expect(code).toBe(1);
    expect(err).toMatch(/^vehicle-inventory: \S+inventory\.db cannot be backed up: it is damaged/);
    expect(readdirSync(program.folder)).toEqual(["inventory.db"]);
  });

  test("is refused for a database in memory and for one on a server, and so is restore", async () => {
    const program = testProgram();
    const memory = "sqlite::memory:";
    const server = "postgres://user:secret@db.example.com/inventory";
    for (const [database, command, words] of [
      [memory, "backup", "a database in memory cannot be backed up"],
      [memory, "restore", "a database in memory cannot be restored"],
      [server, "backup", "only a SQLite database can be backed up here"],
      [server, "restore", "only a SQLite database can be restored here"],
    ] as const) {
      const { code, message } = await refusalOf(database, command, program.path("copy.db"));
      expect([code, message.split(";")[0]]).toEqual([1, words]);
    }
  });
});
