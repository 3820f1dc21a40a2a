import { afterAll, expect, test } from "bun:test";
import { Sqlite } from "../../../../adapters/sql/sqlite/addon.ts";
import { TurnSnapshot } from "../../../../adapters/sql/sqlite/turn-snapshot.ts";

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
