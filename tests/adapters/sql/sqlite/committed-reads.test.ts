import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { SqlDatabase } from "../../../../adapters/sql/query/database.ts";
import { Sqlite } from "../../../../adapters/sql/sqlite/addon.ts";
import { openSqlite } from "../../../../adapters/sql/sqlite/open.ts";
import { scratchFolder } from "../../../support/scratch-folder.ts";

const COUNT = { text: "SELECT count(*) AS rows FROM vehicle_documents", bind: () => [], row: { rows: 0 } };

/** A database file, another process that writes to it, and a request that comes while a callback of work still reads. */
const withRequest = async (
  work: (given: {
    readonly db: SqlDatabase;
    /** What is read now. */
    readonly seen: () => unknown;
    /** Another process commits a row, and the request is sent, before the present callback ends. */
    readonly commitAndAsk: () => void;
    readonly answer: Promise<unknown>;
  }) => Promise<void>,
): Promise<void> => {
  const folder = scratchFolder("committed-reads");
  const file = join(folder, "some.db");
  const db = openSqlite(file);
  await db.migrate(async (run) => void (await run("CREATE TABLE vehicle_documents (id INTEGER PRIMARY KEY)")));
  const other = new Sqlite(file);
  const version = db.watchRows("vehicle_documents", () => {});
  const seen = () => ({ version: version(), rows: db.all(COUNT, {}) });
  const asked = Promise.withResolvers<unknown>();
  const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => asked.resolve(seen()) } });
  const client = await Bun.connect({ hostname: "127.0.0.1", port: server.port, socket: { data() {} } });
  const commitAndAsk = (): void => {
    other.exec("INSERT INTO vehicle_documents VALUES (1)");
    client.write("?");
  };
  await work({ db, seen, commitAndAsk, answer: asked.promise });
  client.end();
  server.stop(true);
  other.close();
  await db.close();
  rmSync(folder, { recursive: true });
};

const after = (before: unknown) => ({ version: (before as { version: number }).version + 1, rows: [{ rows: 1 }] });

test("a request after a group of writes sees what others committed before it came, whatever was read right after the group", async () => {
  await withRequest(async ({ db, seen, commitAndAsk, answer }) => {
    const version = db.watchRows("vehicle_documents", () => {});
    await db.write(async () => {});
    // The group ends within the same callback, some steps after its writes are answered.
    for (let steps = 0; version() === null && steps < 100; steps++) await Promise.resolve();
    const before = seen();
    commitAndAsk();
    expect(before).toMatchObject({ rows: [{ rows: 0 }] });
    expect(await answer).toEqual(after(before));
  });
});

test("a request sees what others committed before it came, whatever long work read in its turn", async () => {
  await withRequest(async ({ db, seen, commitAndAsk, answer }) => {
    await db.nextTurn();
    const before = seen();
    // It goes on reading for a while.
    for (let steps = 0; steps < 10; steps++) await db.all(COUNT, {});
    commitAndAsk();
    expect(before).toMatchObject({ rows: [{ rows: 0 }] });
    expect(await answer).toEqual(after(before));
  });
});

test("what is kept until a commit is dropped after each write of the same process, and nothing is kept during one", async () => {
  const folder = scratchFolder("committed-reads");
  const db = openSqlite(join(folder, "some.db"));
  const before = db.dataVersion();
  const during = await db.write(async () => db.dataVersion());
  // The group ends some steps after its writes are answered.
  await db.nextTurn();
  const after = db.dataVersion();
  expect([typeof before, during, typeof after]).toEqual(["number", null, "number"]);
  expect(after).not.toBe(before);
  expect(db.dataVersion()).toBe(after);
  await db.close();
  rmSync(folder, { recursive: true });
});
