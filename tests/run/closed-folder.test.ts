import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { canBeStarted, type Programs, packagedPrograms, startable } from "../support/postgres-programs.ts";

setDefaultTimeout(300_000);

/** A folder that only its owner may enter. */
const closed = mkdtempSync(join(tmpdir(), "vehicle-inventory-closed-"));
afterAll(() => rmSync(closed, { recursive: true }));

/** PostgreSQL's programs in the closed folder. */
const closedPrograms = async (): Promise<Programs> => {
  const { postgres } = await packagedPrograms();
  const folder = join(closed, "programs");
  cpSync(dirname(dirname(postgres)), folder, { recursive: true, verbatimSymlinks: true });
  return { initdb: join(folder, "bin/initdb"), postgres: join(folder, "bin/postgres") };
};

test("PostgreSQL starts from a copy if its user may not enter the project's folder, or says at once why it cannot", async () => {
  const given = await closedPrograms();
  // The owner may enter the folder; root runs PostgreSQL as another user.
  const isOther = process.getuid?.() === 0;
  expect(canBeStarted(given)).toBe(!isOther);
  const found = startable(given);
  expect(canBeStarted(found)).toBe(true);
  expect(found.postgres === given.postgres).toBe(!isOther);
  const elsewhere = join(closed, "elsewhere");
  mkdirSync(elsewhere);
  if (isOther) expect(() => startable(given, elsewhere)).toThrow(/^PostgreSQL cannot be started as the user nobody/);
});
