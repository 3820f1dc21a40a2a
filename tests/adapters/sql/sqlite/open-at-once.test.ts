import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Sqlite } from "../../../../adapters/sql/sqlite/addon.ts";
import { eventually } from "../../../support/eventually.ts";
import { HUNG_MS } from "../../../support/hung.ts";

setDefaultTimeout(300_000);

const OPEN = join(import.meta.dir, "../../../../adapters/sql/sqlite/open.ts");

/** How often the other process is seen with the file before the lock ends. It tries again between any two looks. */
const LOOKS = 10;

/** Another process that opens a file as the service does, and prints the mode of its journal. */
const OPENER = (file: string): string => `
  const { openSqlite } = await import(${JSON.stringify(OPEN)});
  const db = openSqlite(${JSON.stringify(file)});
  await db.migrate(async (run) => console.log(JSON.stringify(await run("PRAGMA journal_mode"))));
  await db.close();
`;

/** How often a process has this file open. */
const timesOpen = (pid: number, file: string): number => {
  const folder = `/proc/${pid}/fd`;
  const target = (handle: string): string => {
    try {
      return readlinkSync(join(folder, handle));
    } catch {
      // It was closed meanwhile.
      return "";
    }
  };
  return readdirSync(folder).filter((handle) => target(handle) === file).length;
};

test("opening a file waits for another process that opens it for the first time", async () => {
  const folder = mkdtempSync(join(tmpdir(), "open-at-once-"));
  const file = join(folder, "inventory.db");
  // Holds a lock before the file has its log.
  const holder = new Sqlite(file, { timeout: HUNG_MS });
  holder.exec("BEGIN IMMEDIATE");
  const opener = Bun.spawn([process.execPath, "-e", OPENER(file)], { stdout: "pipe", stderr: "pipe" });
  let looks = 0;
  const waits = (): boolean => timesOpen(opener.pid, file) > 0 && ++looks === LOOKS;
  await eventually(() => opener.exitCode !== null || waits(), Boolean);
  expect(opener.exitCode).toBeNull();
  holder.exec("COMMIT");
  holder.close();
  const [output, errors] = await Promise.all([new Response(opener.stdout).text(), new Response(opener.stderr).text()]);
  expect([await opener.exited, errors, output]).toEqual([0, "", '[{"journal_mode":"wal"}]\n']);
  rmSync(folder, { recursive: true });
});
