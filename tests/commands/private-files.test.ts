import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSqlite } from "../../adapters/sql/sqlite/open.ts";
import { makePrivate } from "../../adapters/sql/sqlite/private-files.ts";
import { inGate } from "../support/depth.ts";
import { inThisProcess, TEST_TIMEOUT_MS, testProgram } from "../support/program.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const ROUNDS = inGate(5000, 20_000);
/** Creates and removes the log and kept databases for ever, so that some are gone between two looks at them. */
const CREATE_AND_REMOVE = `const { closeSync, openSync, unlinkSync } = require("node:fs");
  const database = process.argv.at(-1);
  const files = ["-wal", ...Array.from({ length: 30 }, (_, number) => ".before-restore-" + number)];
  console.log("begun");
  for (;;) {
    for (const end of files) closeSync(openSync(database + end, "w", 0o644));
    for (const end of files) unlinkSync(database + end);
  }`;

const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8);
/** The modes of a folder and of everything in it. */
const modesIn = (folder: string) =>
  Object.fromEntries([".", ...readdirSync(folder)].map((name) => [name, modeOf(join(folder, name))]));
const onlyOwners = (folder: string): void => {
  for (const [name, mode] of Object.entries(modesIn(folder)))
    expect([name, mode]).toEqual([name, name === "." || name === "images" ? "700" : "600"]);
};

describe("nobody except the service's user can read", () => {
  test("the database, its log and its folder, while the service runs and afterwards", async () => {
    const program = testProgram();
    const folder = program.path("data");
    const serving = await program.serve({ DATABASE_URL: `sqlite:${join(folder, "inventory.db")}` });
    expect(readdirSync(folder)).toContain("inventory.db-wal");
    onlyOwners(folder);
    await serving.stop();
    onlyOwners(folder);
  });

  test("files that commands create: seeds, backups, and restored, kept and copied databases", async () => {
    const program = inThisProcess(testProgram());
    const database = join(program.path("made/here"), "inventory.db");
    const environment = { DATABASE_URL: `sqlite:${database}` };
    expect((await program.runWith(environment, "seed", "--dealers", "1", "--vehicles", "5", "--no-images")).code).toBe(
      0,
    );
    const backup = program.path("backup.db");
    expect((await program.runWith(environment, "backup", backup)).code).toBe(0);
    expect(modeOf(backup)).toBe("600");
    // Modes are narrowed only: what was read-only stays so.
    chmodSync(database, 0o444);
    makePrivate(database);
    expect(modeOf(database)).toBe("400");
    chmodSync(backup, 0o644);
    chmodSync(database, 0o644);
    expect((await program.runWith(environment, "restore", backup)).code).toBe(0);
    expect(modeOf(database)).toBe("600");
    expect((await program.runWith(environment, "keys", "list")).code).toBe(0);
    onlyOwners(program.path("made/here"));
    const copy = program.path("copied/copy.db");
    expect((await program.run("copy", "--from", `sqlite:${database}`, "--to", `sqlite:${copy}`)).code).toBe(0);
    onlyOwners(program.path("copied"));
  });

  test("a log that another process creates and removes meanwhile, which causes no error", async () => {
    const program = testProgram();
    const database = program.path("inventory.db");
    writeFileSync(database, "", { mode: 0o600 });
    const other = Bun.spawn([process.execPath, "-e", CREATE_AND_REMOVE, database], { stdout: "pipe" });
    try {
      await other.stdout.getReader().read();
      // In some of these rounds the log is gone after it was listed, in others after it was looked at.
      for (let times = 0; times < ROUNDS; times++) expect(makePrivate(database).refused).toEqual([]);
    } finally {
      other.kill("SIGKILL");
      await other.exited;
    }
  });

  test("files that an earlier version left readable, from the next start on, which logs one line about them", async () => {
    const program = testProgram();
    const folder = program.path("data");
    const database = join(folder, "inventory.db");
    const environment = { DATABASE_URL: `sqlite:${database}` };
    await program.runWith(environment, "migrate");
    const kept = `${database}.before-restore-2026-11-20T09-11-00-000Z`;
    for (const name of [kept, `${database}.0123abcd.partial`, join(folder, "demo.db")]) writeFileSync(name, "");
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
    chmodSync(folder, 0o755);
    const first = await (await program.serve({ ...environment, LOG_LEVEL: "info" })).stop();
    const lines = first.out.split("\n").filter((line) => line.includes("could read"));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(database);
    expect({ ...modesIn(folder), "demo.db": null }).toMatchObject({ ".": "700", "inventory.db": "600" });
    expect(modeOf(kept)).toBe("600");
    const second = await (await program.serve({ ...environment, LOG_LEVEL: "info" })).stop();
    expect(second.out).not.toContain("could read");
  });
});

describe("a folder that also serves another purpose is left as it is:", () => {
  const program = testProgram();
  const databaseIn = async (name: string): Promise<[string, string]> => {
    const folder = program.path(name);
    mkdirSync(folder);
    const file = join(folder, "inventory.db");
    await openSqlite(file).close();
    chmodSync(folder, 0o755);
    chmodSync(file, 0o644);
    return [folder, file];
  };

  test("one with other files", async () => {
    const [folder, file] = await databaseIn("mixed");
    writeFileSync(join(folder, "notes.txt"), "");
    expect(makePrivate(file)).toEqual({ changed: [file], refused: [] });
    expect(modesIn(folder)).toMatchObject({ ".": "755", "inventory.db": "600", "notes.txt": "644" });
  });

  test("one with folders", async () => {
    const [folder, file] = await databaseIn("with-folder");
    mkdirSync(join(folder, "inner.db"));
    makePrivate(file);
    expect(modeOf(folder)).toBe("755");
  });

  test("one that several users share", async () => {
    const [folder, file] = await databaseIn("sticky");
    chmodSync(folder, 0o1777);
    makePrivate(file);
    expect(modeOf(folder)).toBe("1777");
  });

  test("that of a database that is not there yet", () => {
    expect(makePrivate(program.path("nothing.db"))).toEqual({ changed: [], refused: [] });
    expect(existsSync(program.path("nothing.db"))).toBe(false);
  });
});
