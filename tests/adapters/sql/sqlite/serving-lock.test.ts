import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { takeServingLock } from "../../../../adapters/sql/sqlite/serving-lock.ts";
import { afterExit } from "../../../support/after-exit.ts";

const folder = mkdtempSync(join(tmpdir(), "vehicle-inventory-serving-"));
afterExit('rm -rf "$1"', folder);
const file = join(folder, "inventory.db");
writeFileSync(file, "");

test("the second one on a file finds it taken, by whatever path, until the first one has gone", () => {
  const link = join(folder, "link.db");
  symlinkSync(file, link);
  const first = takeServingLock(file);
  const second = takeServingLock(link);
  expect([first.isTaken, second.isTaken]).toEqual([false, true]);
  second.look();
  expect(second.isTaken).toBe(true);
  first.close();
  second.look();
  const third = takeServingLock(file);
  expect([second.isTaken, third.isTaken]).toEqual([false, true]);
  second.close();
  third.close();
  expect(existsSync(`${file}-serving`)).toBe(true);
});
