import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Sqlite } from "../../../../adapters/sql/sqlite/addon.ts";
import { TurnSnapshot } from "../../../../adapters/sql/sqlite/turn-snapshot.ts";
import { scratchFolder } from "../../../support/scratch-folder.ts";

const connection = new Sqlite(":memory:");
afterAll(() => connection.close());

const nextTurn = (): Promise<void> => new Promise((resume) => setImmediate(resume));

test("all reads of a turn of the event loop share a snapshot, which ends with the turn", async () => {
  const snapshot = new TurnSnapshot(connection);
  for (let read = 0; read < 3; read++) snapshot.enter();
  expect(connection.inTransaction).toBe(true);
  await nextTurn();
  expect(connection.inTransaction).toBe(false);
});

test("the next turn that reads ends a transaction that could not be ended, so that no old state stays", async () => {
  const snapshot = new TurnSnapshot(connection);
  connection.exec("BEGIN");
  snapshot.enter();
  await nextTurn();
  expect(connection.inTransaction).toBe(false);
});

test("the version of a turn needs no transaction, and tells in the next turn what another connection has committed", async () => {
  const folder = scratchFolder("turn-versions");
  const [one, other] = [new Sqlite(join(folder, "some.db")), new Sqlite(join(folder, "some.db"))];
  one.pragma("journal_mode = WAL");
  const snapshot = new TurnSnapshot(one, true);
  const first = snapshot.dataVersionOfTurn();
  expect(first).not.toBeNull();
  expect(one.inTransaction).toBe(false);
  other.exec("CREATE TABLE some (id INTEGER)");
  expect(snapshot.dataVersionOfTurn()).toBe(first);
  await nextTurn();
  const second = snapshot.dataVersionOfTurn();
  expect(second).not.toBe(first);
  // A read of this turn begins a transaction, whose version it is from then on.
  other.exec("INSERT INTO some VALUES (1)");
  expect(snapshot.enter()).toBe(true);
  expect(snapshot.dataVersionOfTurn()).not.toBe(second);
  snapshot.end();
  expect(one.inTransaction).toBe(false);
  for (const connection of [one, other]) connection.close();
  rmSync(folder, { recursive: true });
});

test("a turn has no version in the middle of a change on the same connection, and has one after it", () => {
  const snapshot = new TurnSnapshot(connection, true);
  snapshot.dataVersionOfTurn();
  snapshot.end();
  connection.exec("BEGIN");
  expect(snapshot.dataVersionOfTurn()).toBeNull();
  connection.exec("COMMIT");
  expect(snapshot.dataVersionOfTurn()).not.toBeNull();
});
