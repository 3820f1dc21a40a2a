import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publish, replace, syncFile } from "../../../../adapters/sql/sqlite/durable-files.ts";

/** A file that no system can put on a disk, and which says so when it is asked to. */
const NOT_ON_A_DISK = "/dev/null";

test("a file is put on disk before it counts as written: if that fails, the failure is told", () => {
  expect(() => syncFile(NOT_ON_A_DISK)).toThrow("fsync");
});

test("files that are put on disk are closed, also those for which that fails", () => {
  const folder = mkdtempSync(join(tmpdir(), "vehicle-inventory-durable-"));
  const file = join(folder, "a.db");
  writeFileSync(file, "content");
  const handles = () => readdirSync("/dev/fd").length;
  const before = handles();
  syncFile(file);
  expect(() => syncFile(NOT_ON_A_DISK)).toThrow();
  expect(handles()).toBe(before);
  rmSync(folder, { recursive: true });
});

test("a finished file gets its name unless that is taken, and replaces another only where that keeps a name", () => {
  const folder = mkdtempSync(join(tmpdir(), "vehicle-inventory-durable-"));
  const path = (name: string): string => join(folder, name);
  const contents = () =>
    Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(path(name), "utf8")]));
  writeFileSync(path("new"), "first");
  publish(path("new"), path("a.db"));
  expect(contents()).toEqual({ "a.db": "first" });
  writeFileSync(path("new"), "second");
  expect(() => publish(path("new"), path("a.db"))).toThrow("EEXIST");
  expect(contents()).toEqual({ "a.db": "first", new: "second" });
  replace(path("a.db"), path("new"), path("kept"));
  expect(contents()).toEqual({ "a.db": "second", kept: "first" });
  writeFileSync(path("new"), "third");
  // The name for what was there is taken: nothing is replaced.
  expect(() => replace(path("a.db"), path("new"), path("kept"))).toThrow("EEXIST");
  expect(contents()).toEqual({ "a.db": "second", kept: "first", new: "third" });
  replace(path("b.db"), path("new"), path("kept as well"));
  expect(contents()).toEqual({ "a.db": "second", "b.db": "third", kept: "first" });
  expect(() => publish(path("missing"), path("c.db"))).toThrow("ENOENT");
  rmSync(folder, { recursive: true });
});

test("where there are no hard links, a finished file gets its name as well, and what was there is kept as a copy", () => {
  const folder = mkdtempSync(join(tmpdir(), "vehicle-inventory-durable-"));
  const path = (name: string): string => join(folder, name);
  // No system links folders.
  mkdirSync(path("new"));
  publish(path("new"), path("named"));
  expect(readdirSync(folder)).toEqual(["named"]);
  writeFileSync(path("new"), "content");
  // Nor does one link into another file system. There is no renaming into it either, so that this is all that happens.
  const elsewhere = "/proc/self/comm";
  expect(() => replace(elsewhere, path("new"), path("kept"))).toThrow("rename");
  expect(readFileSync(path("kept"), "utf8")).toBe(readFileSync(elsewhere, "utf8"));
  writeFileSync(path("kept"), "taken");
  expect(() => replace(elsewhere, path("new"), path("kept"))).toThrow("EEXIST");
  expect(readFileSync(path("kept"), "utf8")).toBe("taken");
  expect(readFileSync(path("new"), "utf8")).toBe("content");
  rmSync(folder, { recursive: true });
});

/** Does this with as many open files as the system allows: it can rename and link, but not open a folder. */
const WITHOUT_HANDLES = `
  import { closeSync, openSync } from "node:fs";
  import { publish, replace } from ${JSON.stringify(join(import.meta.dir, "../../../../adapters/sql/sqlite/durable-files.ts"))};
  const steps = [
    () => publish("finished", "published"),
    () => replace("missing", "new", "unused"),
    () => replace("database", "restored", "kept"),
  ];
  const handles = [];
  try { for (;;) handles.push(openSync("/dev/null")); } catch {}
  const told = steps.map((step) => { try { step(); return "nothing"; } catch (error) { return error.code; } });
  handles.forEach((handle) => closeSync(handle));
  console.log(JSON.stringify(told));
`;

test("a name counts only once it is on disk: a folder that cannot be put there is told, and nothing is replaced", () => {
  const folder = mkdtempSync(join(tmpdir(), "vehicle-inventory-durable-"));
  for (const name of ["finished", "new", "database", "restored"]) writeFileSync(join(folder, name), name);
  const command = ["sh", "-c", 'ulimit -n 60; exec "$@"', "sh", process.execPath, "-e", WITHOUT_HANDLES];
  expect(Bun.spawnSync(command, { cwd: folder }).stdout.toString()).toBe('["EMFILE","EMFILE","EMFILE"]\n');
  expect(readFileSync(join(folder, "database"), "utf8")).toBe("database");
  rmSync(folder, { recursive: true });
});
