import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqlite } from "../../../../adapters/sql/sqlite/open.ts";

/**
 * Another process that opens the same new file: it holds a lock before the file has its log, until it may end.
 */
const HOLDER = (file: string): string => `
  const { Database } = await import("bun:sqlite");
  const connection = new Database(${JSON.stringify(file)});
  // The other process reads the file every few milliseconds, and may do so during the commit.
  connection.exec("PRAGMA busy_timeout = 60000");
  connection.exec("BEGIN IMMEDIATE");
  console.log("held");
  // This process waits with its only thread meanwhile, so it cannot tell the other one when to end.
  setTimeout(() => connection.exec("COMMIT"), 300);
`;

test("opening a file waits for another process that opens it for the first time", async () => {
  const folder = mkdtempSync(join(tmpdir(), "open-at-once-"));
  const file = join(folder, "inventory.db");
  const holder = Bun.spawn([process.execPath, "-e", HOLDER(file)], { stdout: "pipe" });
  for await (const chunk of holder.stdout) if (Buffer.from(chunk).includes("held")) break;
  const db = openSqlite(file);
  await db.migrate(async (run) => expect(await run("PRAGMA journal_mode")).toEqual([{ journal_mode: "wal" }]));
  await db.close();
  expect(await holder.exited).toBe(0);
  rmSync(folder, { recursive: true });
});
