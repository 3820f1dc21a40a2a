import { expect, setDefaultTimeout, test } from "bun:test";
import { closeSync, openSync } from "node:fs";
import { makeKeyRepository } from "../../adapters/sql/keys/repository.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { secrets } from "../../adapters/system/secrets.ts";
import { ensureFirstKey, showFirstKey } from "../../app/first-key.ts";
import { ENGINES } from "../support/engines.ts";

setDefaultTimeout(300_000);

test("a first key that nobody can read, as standard error is closed, is not stored: the next start shows one", async () => {
  const [sqlite] = ENGINES;
  const db = await sqlite.open();
  const keys = makeKeyRepository(db, () => {});
  const parts = { keys, secrets, clock: systemClock };
  const count = async () =>
    (await keys.list({ visibility: "everything", filter: {}, page: { limit: 1, offset: 0 } })).total;
  // It takes no text, as a pipe whose reader has ended takes none.
  const closed = openSync(import.meta.path, "r");
  await ensureFirstKey({ ...parts, show: (key) => showFirstKey(key, closed) }, null);
  closeSync(closed);
  expect(await count()).toBe(0);
  const shown: string[] = [];
  await ensureFirstKey({ ...parts, show: (key) => void shown.push(key) }, null);
  expect([shown.length, await count()]).toEqual([1, 1]);
  const broken = { ...keys, insertIfNone: () => Promise.reject(new Error("the database is broken")) };
  await expect(ensureFirstKey({ ...parts, keys: broken, show: () => {} }, null)).rejects.toThrow("is broken");
  await db.close();
});
