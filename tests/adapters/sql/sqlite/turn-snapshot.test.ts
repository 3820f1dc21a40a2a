import { afterAll, expect, test } from "bun:test";
import { Sqlite } from "../../../../adapters/sql/sqlite/addon.ts";
import { TurnSnapshot } from "../../../../adapters/sql/sqlite/turn-snapshot.ts";

const connection = new Sqlite(":memory:");
afterAll(() => connection.close());

const nextTurn = (): Promise<void> => new Promise((resume) => setImmediate(resume));

test("a snapshot is one for all reads of a turn, and over in the next", async () => {
  const snapshot = new TurnSnapshot(connection);
  for (let read = 0; read < 3; read++) snapshot.enter();
  expect(connection.inTransaction).toBe(true);
  await nextTurn();
  expect(connection.inTransaction).toBe(false);
});

test("a transaction that could not be ended is ended by the next turn that reads: nobody sees an old state for good", async () => {
  const snapshot = new TurnSnapshot(connection);
  connection.exec("BEGIN");
  snapshot.enter();
  await nextTurn();
  expect(connection.inTransaction).toBe(false);
});
