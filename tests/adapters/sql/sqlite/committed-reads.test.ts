import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Sqlite } from "../../../../adapters/sql/sqlite/addon.ts";
import { openSqlite } from "../../../../adapters/sql/sqlite/open.ts";
import { scratchFolder } from "../../../support/scratch-folder.ts";

const COUNT = { text: "SELECT count(*) AS rows FROM vehicle_documents", bind: () => [], row: { rows: 0 } };

test("a request after a group of writes sees what others committed before it came, whatever was read right after the group", async () => {
  const folder = scratchFolder("committed-reads");
  const file = join(folder, "some.db");
  const db = openSqlite(file);
  await db.migrate(async (run) => void (await run("CREATE TABLE vehicle_documents (id INTEGER PRIMARY KEY)")));
  const other = new Sqlite(file);
  const version = db.watchRows("vehicle_documents", () => {});
  const asked = Promise.withResolvers<unknown>();
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { data: () => asked.resolve({ version: version(), rows: db.all(COUNT, {}) }) },
  });
  const client = await Bun.connect({ hostname: "127.0.0.1", port: server.port, socket: { data() {} } });

  await db.write(async () => {});
  // The group ends within the same callback, some steps after its writes are answered.
  for (let steps = 0; version() === null && steps < 100; steps++) await Promise.resolve();
  const before = { version: version(), rows: db.all(COUNT, {}) };
  other.exec("INSERT INTO vehicle_documents VALUES (1)");
  // It is sent before this callback ends.
  client.write("?");
  expect(before.rows).toEqual([{ rows: 0 }]);
  expect(await asked.promise).toEqual({ version: Number(before.version) + 1, rows: [{ rows: 1 }] });

  client.end();
  server.stop(true);
  other.close();
  await db.close();
  rmSync(folder, { recursive: true });
});
