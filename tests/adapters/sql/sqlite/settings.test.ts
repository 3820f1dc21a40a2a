import { expect, test } from "bun:test";
import { ENGINES } from "../../../support/engines.ts";

/** `synchronous` 2 is FULL: an acknowledged write is on disk. */
const DEMANDED = { journal_mode: "wal", synchronous: 2, foreign_keys: 1 };

for (const engine of ENGINES.filter(({ name }) => name === "SQLite"))
  test("what writes to a database file waits for the disk, and is strict with references", async () => {
    const db = await engine.open();
    const settings = {};
    await db.migrate(async (run) => {
      for (const name of Object.keys(DEMANDED)) Object.assign(settings, ...(await run(`PRAGMA ${name}`)));
    });
    expect(settings).toEqual(DEMANDED);
    await db.close();
  });
