import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
