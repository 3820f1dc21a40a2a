import { expect, test } from "bun:test";
import { ENGINES } from "../../../support/engines.ts";

/** `synchronous` 2 is FULL: an acknowledged write is on disk. `temp_store` 2 is MEMORY: nothing else is written. */
const DEMANDED = { journal_mode: "wal", synchronous: 2, foreign_keys: 1, temp_store: 2 };

for (const engine of ENGINES.filter(({ name }) => name === "SQLite"))
  test("a writing connection waits for the disk and enforces foreign keys", async () => {
    const db = await engine.open();
    const settings = {};
    await db.migrate(async (run) => {
      for (const name of Object.keys(DEMANDED)) Object.assign(settings, ...(await run(`PRAGMA ${name}`)));
    });
    expect(settings).toEqual(DEMANDED);
    await db.close();
  });
