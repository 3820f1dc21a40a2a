import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { syncFile } from "../../../../adapters/sql/sqlite/durable-files.ts";

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
