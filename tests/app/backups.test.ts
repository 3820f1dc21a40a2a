import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readdirSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeRegistry } from "../../adapters/metrics/registry.ts";
import { migrateToLatest } from "../../adapters/sql/schema/migrate.ts";
import { openSqlite } from "../../adapters/sql/sqlite/open.ts";
import { type Backups, composeBackups } from "../../app/backups.ts";
import { readConfig } from "../../app/config.ts";
import { openEvents } from "../../app/log.ts";
import { afterExit } from "../support/after-exit.ts";
import { fakeClock } from "../support/clock.ts";

setDefaultTimeout(300_000);

const HOUR_MS = 3_600_000;
const parent = mkdtempSync(join(tmpdir(), "vehicle-inventory-backups-"));
afterExit('rm -rf "$1"', parent);

const database = join(parent, "inventory.db");
const db = openSqlite(database);
await migrateToLatest(db);
afterAll(() => db.close());

/** The backups of one run of the service, in a folder with a clock of its own. */
const backupsIn = (folder: string, clock: { at: number }) => {
  const { backups: config } = readConfig({ BACKUP_DIR: folder, BACKUP_EVERY: "0 2 * * *", BACKUP_KEEP: "2" });
  const lines: string[] = [];
  const log = openEvents("info", { write: (line) => void lines.push(line) });
  const registry = makeRegistry();
  const clockOfParts = { ...fakeClock(), nowMs: () => clock.at };
  const parts = { databaseUrl: `sqlite:${database}`, clock: clockOfParts, log, registry };
  const backups: Backups = composeBackups(config, parts);
  return { backups, log: () => lines.join(""), metrics: () => registry.text() };
};

const START = Date.parse("2026-11-26T12:00:00Z");
const nameAt = (moment: string) => `inventory-2026-11-${moment}-00-00Z.db`;

test("backups are made at once and then by the schedule, and the newest are kept", async () => {
  const folder = join(parent, "kept");
  const clock = { at: START };
  const { backups, metrics } = backupsIn(folder, clock);
  await backups.look();
  await backups.look();
  expect(readdirSync(folder)).toEqual([nameAt("26T12")]);
  expect(statSync(join(folder, nameAt("26T12"))).mode & 0o777).toBe(0o600);
  writeFileSync(join(folder, "of another program.db"), "");
  for (const [hours, expected] of [
    [13, [nameAt("26T12")]],
    [15, [nameAt("26T12"), nameAt("27T03")]],
    [37, [nameAt("26T12"), nameAt("27T03")]],
    [38, [nameAt("27T03"), nameAt("28T02")]],
  ] as const) {
    clock.at = START + hours * HOUR_MS;
    await backups.look();
    expect([hours, readdirSync(folder).sort()]).toEqual([hours, [...expected, "of another program.db"].sort()]);
  }
  clock.at += 90_000;
  expect(backups.state()).toEqual({ state: "ok", age_seconds: 90 });
  expect(metrics()).toContain("inventory_backup_age_seconds 90\n");
  expect(metrics()).toContain('inventory_backups_total{result="made"} 3\n');
  backups.stop();
});

test("a damaged backup of an earlier run does not count, is told, and is replaced at once", async () => {
  const folder = join(parent, "damaged");
  const clock = { at: START };
  const before = backupsIn(folder, clock).backups;
  await before.look();
  await before.look();
  before.stop();
  truncateSync(join(folder, nameAt("26T12")), 8192);
  clock.at += HOUR_MS;
  const { backups, log } = backupsIn(folder, clock);
  await backups.look();
  await backups.look();
  expect(log()).toContain("a backup is of no use");
  expect(readdirSync(folder).sort()).toEqual([nameAt("26T12"), nameAt("26T13")]);
  expect(backups.state()).toEqual({ state: "ok", age_seconds: 0 });
  backups.stop();
});

test("a backup that fails is told, and tried again after ten minutes", async () => {
  const folder = join(parent, "a file");
  writeFileSync(folder, "");
  const clock = { at: START };
  const { backups, log, metrics } = backupsIn(folder, clock);
  for (const [minutes, tries] of [
    [0, 1],
    [9, 1],
    [10, 2],
  ] as const) {
    clock.at = START + minutes * 60_000;
    await backups.look();
    await backups.look();
    expect(log().trim().split("\n")).toHaveLength(tries);
  }
  expect(backups.state()).toEqual({ state: "failed", age_seconds: null });
  expect(metrics()).toContain('inventory_backups_total{result="failed"} 2\n');
  backups.stop();
});

test("backups of a clock that was ahead neither put off the next one nor are counted", async () => {
  const folder = join(parent, "ahead");
  const clock = { at: START + 48 * HOUR_MS };
  const before = backupsIn(folder, clock).backups;
  await before.look();
  before.stop();
  const { backups } = backupsIn(folder, clock);
  for (const hours of [0, 15, 38]) {
    clock.at = START + hours * HOUR_MS;
    await backups.look();
    expect([hours, backups.state()]).toEqual([hours, { state: "ok", age_seconds: 0 }]);
  }
  expect(readdirSync(folder).sort()).toEqual([nameAt("27T03"), nameAt("28T02"), nameAt("28T12")]);
  backups.stop();
});
